import type { Instant } from '@corridor/kernel'
import { toTimestamp } from '@corridor/kernel'
import { type Failure, fail } from '../../vocabulary/errors.ts'

/** What a customer's wrong proofs have led to so far (customers 13.5). */
export interface Attempts {
  readonly failedAttempts: number
  readonly lockedUntil: Instant | null
  readonly isSuspended: boolean
}

export const noAttempts: Attempts = { failedAttempts: 0, lockedUntil: null, isSuspended: false }

const minute = 60_000

/** How long the n-th wrong proof locks; up to the fourth nothing happens, from the ninth on there is no end. */
const locks: Readonly<Record<number, number>> = {
  5: 15 * minute,
  6: 30 * minute,
  7: 60 * minute,
  8: 1440 * minute,
}
const suspendedFrom = 9

/** One wrong proof more. A lock that has ended does not start the count anew. */
export function afterFailure({ failedAttempts }: Attempts, now: Instant): Attempts {
  const count = failedAttempts + 1
  if (count >= suspendedFrom) return { failedAttempts: count, lockedUntil: null, isSuspended: true }
  const lockMs = locks[count]
  return {
    failedAttempts: count,
    lockedUntil: lockMs === undefined ? null : now + lockMs,
    isSuspended: false,
  }
}

/** Why no proof is looked at now: ACCOUNT_LOCKED, with how it stands. */
export function lockRefusal(attempts: Attempts, now: Instant): Failure | undefined {
  const { failedAttempts, lockedUntil, isSuspended: suspended } = attempts
  if (suspended) return fail('ACCOUNT_LOCKED', { suspended, failedAttempts })
  if (lockedUntil === null || now >= lockedUntil) return undefined
  return fail('ACCOUNT_LOCKED', { suspended, failedAttempts, lockedUntil: toTimestamp(lockedUntil) })
}
