import { type Rail, rails } from '../../reference/rails/index.ts'
import type { FieldProblem } from '../../vocabulary/errors.ts'

/** Rails that payouts go by. */
export const pausableRails: readonly string[] = rails
  .filter(({ capabilities }: Rail) => capabilities.includes('PAYOUT'))
  .map(({ id }) => id)

/** How long whoever pauses waits for what was being handed over, in milliseconds. */
export const longestWaitMs = 5_000
/** How often that is looked at. */
export const lookAgainMs = 50

/** Everything at once is stopped otherwise: a pause names a rail, a platform, or both. */
export function checkTarget(body: Readonly<Record<string, unknown>>): FieldProblem[] {
  if (body.rail !== undefined || body.platformId !== undefined) return []
  const reason = 'rail or platformId is required'
  return ['rail', 'platformId'].map((field) => ({ field, reason }))
}
