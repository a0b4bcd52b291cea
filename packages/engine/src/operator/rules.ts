import { type Failure, fail } from '../http/errors.ts'
import type { Environment } from '../http/scope.ts'

/**
 * Production money on the embedded database would hang on one disk and one process. An operator who
 * knows that may allow it. Returns CONFLICT with the reason.
 */
export function refuseEmbeddedProduction(facts: {
  readonly environment: Environment
  readonly databaseKind: 'pglite' | 'postgresql'
  readonly isAllowed: boolean
}): Failure | undefined {
  const { environment, databaseKind, isAllowed } = facts
  if (environment !== 'PRODUCTION' || databaseKind !== 'pglite' || isAllowed) return undefined
  return fail('CONFLICT', { reason: 'EMBEDDED_DATABASE' })
}
