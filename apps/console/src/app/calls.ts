/** Requests that wait for their answer, for the sentence that says what a page waits for. */

export interface WaitingCall {
  /** Method and path, as programs ask for it. */
  readonly what: string
  readonly requestId: string
}

const waiting = new Set<WaitingCall>()

/** A request begins; `end` when it is answered or fails. */
export function beginCall(
  method: string,
  url: string,
): { readonly requestId: string; readonly end: () => void } {
  const call = { what: `${method} ${new URL(url).pathname}`, requestId: newId() }
  waiting.add(call)
  return { requestId: call.requestId, end: () => void waiting.delete(call) }
}

/** The one that waits longest. */
export function slowestCall(): WaitingCall | undefined {
  return waiting.values().next().value
}

/** `crypto.randomUUID` is there only over https and at localhost. */
function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
