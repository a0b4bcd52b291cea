import { ok } from '@corridor/kernel'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Sweep } from '../../mechanisms/feature/bound.ts'
import { loadReceivable } from '../payments/index.ts'
import { loadFacts } from './commands.ts'
import { decideCollect } from './rules.ts'

/**
 * Receivables of platforms that have switched this on, whose owner has something to pay with. Open receivables are few and come
 * first, materialized: otherwise the planner may begin with all accounts of a platform.
 */
const collectable = (selected: string, condition: string, limit: string) => `
  with open as materialized (
    select platform_id, environment, id, version, owner_id, currency, created_at from receivables
    where status = 'OPEN' and ${condition} order by created_at, id
  )
  select ${selected} from open r
  join platform_configs c on c.platform_id = r.platform_id and c.environment = r.environment
    and c.collects_receivables
  join internal_accounts a on a.platform_id = r.platform_id and a.environment = r.environment
    and a.owner_id = r.owner_id and a.currency = r.currency and a.status = 'ACTIVE'
  join ledger_accounts l on l.platform_id = a.platform_id and l.environment = a.environment
    and l.id = a.available_account and l.credits_posted - l.debits_posted - l.debits_pending > 0
  order by r.created_at, r.id ${limit}`

/** With its version: a receivable that was paid in part is not a row that came back unchanged, which is left alone for a while. */
const due = statement(
  'receivables.due',
  collectable(
    `r.platform_id as "platformId", r.environment, r.id || ' ' || r.version as id`,
    '$1::timestamptz is not null',
    'limit $2',
  ),
)
const ofBook = 'platform_id = $1 and environment = $2'
const dueOfBook = statement(
  'receivables.firstDueOfBook',
  collectable(
    'r.id, r.created_at as "runAt"',
    `${ofBook} and created_at <= $3 and id <> all($4::text[])`,
    'limit 1',
  ),
)
const upcomingOfBook = statement(
  'receivables.upcomingOfBook',
  collectable('r.id, r.created_at as "runAt"', ofBook, 'limit $3'),
)

/**
 * Collects what is owed from later credits, where the platform has set that. By what stands in the database, so that no credit
 * needs to know of it: whatever brought the money, it is found a moment later.
 */
export const collectFromCredits: Sweep = {
  kind: 'receivables.collect',
  due,
  dueOfBook,
  upcomingOfBook,
  async run(engine, scope, found) {
    const [id = found] = found.split(' ')
    const receivable = await loadReceivable(engine.database, scope, id)
    const nothing = ok({ result: () => undefined })
    if (receivable?.status !== 'OPEN') return nothing
    const decided = decideCollect(scope, receivable, await loadFacts(engine, scope, receivable))
    // Spent or frozen since it was found.
    return decided.ok ? ok({ ...decided.value, result: () => undefined }) : nothing
  },
}
