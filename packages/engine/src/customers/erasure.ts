import { toTimestamp } from '@corridor/kernel'
import type { Decision, NewJob } from '../db/decision.ts'
import { type Statement, statement } from '../db/driver.ts'
import { changedAt, type Scope } from '../http/scope.ts'
import type { Customer } from './store.ts'

const ownAccounts = `select id from external_accounts
  where platform_id = $1 and environment = $2 and owner_id = $3`

/**
 * What else is sealed for the customer, or tells of it in the clear. The key alone makes it unreadable; the
 * texts go too, so that not even a copy of the key helps.
 */
const forget: readonly Statement[] = [
  statement(
    'erasure.events',
    `update events set body = json_build_object('id', id, 'type', type, 'data', json_build_object())::text,
       status = case when status in ('QUEUED', 'RETRYING') then 'FAILED' else status end,
       due_at = null, version = version + 1
     where platform_id = $1 and environment = $2 and (resource_id = $3 or resource_id in (${ownAccounts}))`,
  ),
  statement(
    'erasure.accounts',
    `update external_accounts set details = null, duplicate_key = id, version = version + 1,
       deleted_at = coalesce(deleted_at, $4), updated_at = $4
     where platform_id = $1 and environment = $2 and owner_id = $3 and details is not null`,
  ),
  statement(
    'erasure.owners',
    `update beneficial_owners set personal = null, version = version + 1
     where platform_id = $1 and environment = $2 and customer_id = $3`,
  ),
  statement(
    'erasure.documents',
    `update documents set details = null, version = version + 1, deleted_at = coalesce(deleted_at, $4)
     where platform_id = $1 and environment = $2 and customer_id = $3`,
  ),
  statement(
    'erasure.reviews',
    `update verifications set review_note = null, version = version + 1
     where platform_id = $1 and environment = $2 and customer_id = $3`,
  ),
  statement(
    'erasure.links',
    `update verification_links set redirect_uri = null, version = version + 1
     where platform_id = $1 and environment = $2 and customer_id = $3`,
  ),
  statement(
    'erasure.challenges',
    'delete from signed_requests where platform_id = $1 and environment = $2 and owner_id = $3',
  ),
  statement(
    'erasure.messages',
    'update messages set content = null where platform_id = $1 and environment = $2 and owner_id = $3',
  ),
]

/** Takes the key away, and everything it has sealed; `jobs` remove the customer's files. What is left are ids, statuses, amounts and times. */
export function decideErase(scope: Scope, customer: Customer, jobs: readonly NewJob[]): Decision {
  const { id, version, updatedAt } = customer
  const parameters = [scope.platformId, scope.environment, id]
  const at = toTimestamp(scope.now)
  return {
    statements: forget.map((each) => ({
      statement: each,
      parameters: each.text.includes('$4') ? [...parameters, at] : parameters,
    })),
    updates: [
      {
        table: 'customers',
        id,
        version,
        set: { personal: null, identifier_sealed: null, updated_at: changedAt(scope, updatedAt) },
      },
    ],
    deletes: [{ table: 'data_keys', row: { owner_id: id } }],
    jobs,
    result: () => undefined,
  }
}
