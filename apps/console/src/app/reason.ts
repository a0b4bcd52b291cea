/** Why something is done in production, which the audit log keeps: told to the server beside the request. */

/** As the server takes them. */
export const longestReason = 200
const header = 'x-corridor-reason'

let told: string | undefined

/** What is asked for while `run` is under way, and changes something, is asked for with this reason. */
export async function withReason<T>(reason: string, run: () => PromiseLike<T>): Promise<T> {
  told = reason
  try {
    return await run()
  } finally {
    told = undefined
  }
}

/** Adds it to a request that is about to be sent. */
export function nameReason({ method, headers }: Request): void {
  // Headers are not made for all letters.
  if (told !== undefined && method !== 'GET') headers.set(header, encodeURIComponent(told))
}
