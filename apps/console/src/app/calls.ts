import { platformRuntime } from '@corridor/sdk/runtime.ts'

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

/** To be told from others, not to be kept secret; the browser makes better ones over https and at localhost alone. */
function newId(): string {
  const digits = () => platformRuntime.random().toString(36).slice(2)
  return `${digits()}${digits()}`
}
