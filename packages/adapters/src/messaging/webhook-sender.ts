import { isIP } from 'node:net'
import type { World } from '@corridor/kernel'
import type { WebhookSender } from '@corridor/engine/ports/adapters.ts'
import { type Dispatcher, guardedDispatcher, isPrivateAddress } from './address-guard.ts'

const keptResponseBytes = 64 * 1024

/**
 * Posts webhooks. Unless private addresses are allowed, the address is checked when the connection is
 * made and not before, so that a name cannot point elsewhere in between (webhooks 3.2).
 */
export function webhookSender(world: World, { allowsPrivate }: { allowsPrivate: boolean }): WebhookSender {
  const dispatcher: Dispatcher | undefined = allowsPrivate ? undefined : guardedDispatcher()
  return {
    async send({ url, headers, body, timeoutMs }) {
      try {
        // An address in the URL is connected to without a look-up, so it is checked here.
        const { hostname } = new URL(url)
        const literal = hostname.replace(/^\[|\]$/g, '')
        if (!allowsPrivate && isIP(literal) !== 0 && isPrivateAddress(literal)) {
          return { ok: false, reason: 'PRIVATE_ADDRESS' }
        }
        const response = await world.fetch(url, {
          method: 'POST',
          headers,
          body,
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMs),
          ...(dispatcher ? { dispatcher } : {}),
        } as object)
        return { ok: true, status: response.status, body: await firstBytes(response) }
      } catch (error) {
        return { ok: false, reason: reasonOf(error) }
      }
    },
  }
}

/** Reads no more of an answer than is kept: an endpoint must not be able to fill our memory. */
async function firstBytes(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  while (size < keptResponseBytes) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    size += value.length
  }
  await reader.cancel().catch(() => {})
  return Buffer.concat(chunks).subarray(0, keptResponseBytes).toString('utf8')
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  const cause = error.cause instanceof Error ? error.cause : error
  if (cause.name === 'TimeoutError' || cause.name === 'AbortError') return 'timeout'
  const code = (cause as { code?: unknown }).code
  return typeof code === 'string' ? code : cause.message.slice(0, 200)
}
