import { ok } from '@corridor/kernel'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Sweep } from '../../mechanisms/feature/bound.ts'
import { loadReceivable } from '../payments/index.ts'
import { loadFacts } from './commands.ts'
import { decideCollect } from './rules.ts'

/** Receivables of platforms that want it so, whose owner has something to pay with. */
const collectable = `receivables r
   join platform_configs c on c.platform_id = r.platform_id and c.environment = r.environment
     and c.collects_receivables
   join internal_accounts a on a.platform_id = r.platform_id and a.environment = r.environment
     and a.owner_id = r.owner_id and a.currency = r.currency and a.status = 'ACTIVE'
   join ledger_accounts l on l.platform_id = a.platform_id and l.environment = a.environment
     and l.id = a.available_account and l.credits_posted - l.debits_posted - l.debits_pending > 0
   where r.status = 'OPEN'`

/** With its version: one that has been paid in part is no row that came back unchanged, which is left alone for a while. */
const due = statement(
  'receivables.due',
  `select r.platform_id as "platformId", r.environment, r.id || ' ' || r.version as id from ${collectable}
     and $1::timestamptz is not null order by r.created_at, r.id limit $2`,
)
const ofBook = `select r.id, r.created_at as "runAt" from ${collectable}
   and r.platform_id = $1 and r.environment = $2`
const dueOfBook = statement(
  'receivables.firstDueOfBook',
  `${ofBook} and r.created_at <= $3 and r.id <> all($4::text[]) order by r.created_at, r.id limit 1`,
)
const upcomingOfBook = statement(
  'receivables.upcomingOfBook',
  `${ofBook} order by r.created_at, r.id limit $3`,
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
