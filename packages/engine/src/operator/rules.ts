import { type Failure, fail } from '../http/errors.ts'

/**
 * Real money on the embedded database would hang on one disk and one process. An operator who knows that
 * may allow it. Returns CONFLICT with the reason.
 */
export function refuseEmbeddedDatabase(facts: {
  readonly needsServer: boolean
  readonly databaseKind: 'pglite' | 'postgresql'
  readonly isAllowed: boolean
}): Failure | undefined {
  const { needsServer, databaseKind, isAllowed } = facts
  if (!needsServer || databaseKind !== 'pglite' || isAllowed) return undefined
  return fail('CONFLICT', { reason: 'EMBEDDED_DATABASE' })
}
