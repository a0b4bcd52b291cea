import { type Failure, fail } from '../../vocabulary/errors.ts'

/**
 * Production money on the embedded database would hang on one disk and one process. An operator who
 * knows that may allow it. Returns CONFLICT with the reason.
 */
export function refuseEmbeddedProduction(facts: {
  readonly requiresDurableDatabase: boolean
  readonly databaseKind: 'pglite' | 'postgresql'
  readonly isAllowed: boolean
}): Failure | undefined {
  const { requiresDurableDatabase, databaseKind, isAllowed } = facts
  if (!requiresDurableDatabase || databaseKind !== 'pglite' || isAllowed) return undefined
  return fail('CONFLICT', { reason: 'EMBEDDED_DATABASE' })
}
