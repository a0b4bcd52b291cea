import { type Failure, fail } from '../../vocabulary/errors.ts'

/**
 * Production money on the embedded database would hang on one disk and one process. An operator who
 * knows that may allow it. Nothing allows production secrets that a seed makes. Returns CONFLICT with the reason.
 */
export function refuseEmbeddedProduction(facts: {
  readonly requiresDurableDatabase: boolean
  readonly databaseKind: 'pglite' | 'postgresql'
  readonly isAllowed: boolean
  /** Whether secrets come from a seed, which others may know. */
  readonly isSeeded?: boolean
}): Failure | undefined {
  const { requiresDurableDatabase, databaseKind, isAllowed, isSeeded } = facts
  if (requiresDurableDatabase && isSeeded) return fail('CONFLICT', { reason: 'SEEDED' })
  if (!requiresDurableDatabase || databaseKind !== 'pglite' || isAllowed) return undefined
  return fail('CONFLICT', { reason: 'EMBEDDED_DATABASE' })
}
