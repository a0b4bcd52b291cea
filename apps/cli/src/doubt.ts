import { Corridor } from '@corridor/sdk'

/**
 * Whether there is no answer that says what became of a request that writes. Where it had a key that Corridor knows, a refusal that
 * passes, one of who asks (a credential may have been revoked meanwhile) and one that is not of Corridor say nothing of the attempts
 * before them, whose answers may have been lost; every other one is the answer to the first. Without a key none is.
 */
export function mayBeDone(error: unknown, { isKeyed = true }: { readonly isKeyed?: boolean } = {}): boolean {
  if (error instanceof Corridor.ConnectionError) return !error.isWithoutEffect
  // What came as a success and cannot be read.
  if (error instanceof SyntaxError) return true
  if (!(error instanceof Corridor.Error)) return false
  if (error.status >= 500 || isOfAnother(error.code) || isUnderWay(error)) return true
  const isOfTheFirst = isKeyed && !error.retryable && error.status !== 401 && error.status !== 403
  return error.isAfterLostAnswer && !isOfTheFirst
}

/** Whether it is known what became of it, so that the same request has nothing more to say. */
export const isFinal = (error: unknown, of: { readonly isKeyed?: boolean } = {}): boolean =>
  error instanceof Corridor.Error && !error.retryable && !mayBeDone(error, of)

/** What stands before Corridor gives no code of it (transport.ts of the SDK). */
const isOfAnother = (code: string) => code.startsWith('HTTP_')

/** The same request, with the same key, is not over yet. */
const isUnderWay = ({ code, details }: { readonly code: string; readonly details: object }) =>
  code === 'CONFLICT' && (details as { reason?: unknown }).reason === 'REQUEST_IN_PROGRESS'
