/** The largest API responses are lists, which have a few hundred kilobytes. */
export const longestResponse = 64 * 1024 * 1024

const firstCapacity = 64 * 1024

/** A response that is larger than the client reads. Repeating the request would not help. */
export class OversizedResponse extends Error {
  constructor(limit: number) {
    super(`the response is larger than ${limit / 1024 / 1024} MB`)
  }
}

/**
 * Reads a body up to the limit into one growing buffer, so that many small chunks cost no more than their bytes. Beyond the limit
 * it cancels the body, which closes the connection.
 */
export async function readWhole(
  { body }: Pick<Response, 'body'>,
  limit = longestResponse,
): Promise<Uint8Array<ArrayBuffer>> {
  let buffer = new Uint8Array(0)
  if (!body) return buffer
  const reader = body.getReader()
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return buffer.subarray(0, size)
    const needed = size + value.length
    if (needed > limit) {
      await reader.cancel().catch(() => {})
      throw new OversizedResponse(limit)
    }
    if (needed > buffer.length) {
      const grown = new Uint8Array(Math.min(limit, Math.max(needed, buffer.length * 2, firstCapacity)))
      grown.set(buffer.subarray(0, size))
      buffer = grown
    }
    buffer.set(value, size)
    size = needed
  }
}
