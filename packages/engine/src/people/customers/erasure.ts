import { toTimestamp } from '@corridor/kernel'
import type { Decision, NewJob } from '../../vocabulary/decision.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import type { Statement } from '../../vocabulary/statement.ts'
import type { Customer } from './store.ts'

/**
 * Takes the key away, and everything it has sealed. The key alone makes it unreadable; the texts go too, so that
 * not even a copy of the key helps: `erasure` has the statements of all features, `jobs` remove the customer's files. What is left
 * are ids, statuses, amounts and times.
 */
export function decideErase(
  scope: Scope,
  customer: Customer,
  { erasure, jobs }: { erasure: readonly Statement[]; jobs: readonly NewJob[] },
): Decision {
  const { id, version, updatedAt, dataKey } = customer
  const parameters = [scope.platformId, scope.environment, id]
  const at = toTimestamp(scope.now)
  return {
    statements: erasure.map((each) => ({
      statement: each,
      parameters: each.text.includes('$4') ? [...parameters, at] : parameters,
    })),
    updates: [
      {
        table: 'customers',
        id,
        version,
        set: {
          personal: null,
          identifier_sealed: null,
          email_hash: null,
          phone_hash: null,
          name_hash: null,
          updated_at: changedAt(scope, updatedAt),
        },
      },
    ],
    deletes: dataKey === null ? [] : [{ table: 'data_keys', row: { owner_id: id } }],
    jobs,
    result: () => undefined,
  }
}
