import { ok } from '@corridor/kernel'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Sweep } from '../../mechanisms/feature/bound.ts'
import { loadReceivable } from '../payments/index.ts'
import { loadFacts } from './commands.ts'
import { decideCollect } from './rules.ts'

/**
 * Open receivables that can be collected now: the platform collects automatically and the owner's account has money. The few open
 * receivables come first, materialized. Otherwise the planner may start with all accounts of a platform.
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
    and a.owner_id = r.owner_id and a.currency = r.currency and a.status = 'ACTIVE' and a.type <> 'EMBEDDED_WALLET'
  join ledger_accounts l on l.platform_id = a.platform_id and l.environment = a.environment
    and l.id = a.available_account and l.credits_posted - l.debits_posted - l.debits_pending > 0
  order by r.created_at, r.id ${limit}`

/** The id includes the version. Otherwise the sweep would take a partly paid receivable for an unchanged row and skip it for a while. */
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
 * Collects receivables from later credits if the platform has enabled this. It searches the database, so code that credits an
 * account does not need to know about receivables.
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
    // The money was spent or the account frozen since the search.
    return decided.ok ? ok({ ...decided.value, result: () => undefined }) : nothing
  },
}
