import type { Database } from '@corridor/engine/mechanisms/db/database.ts'
import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import type { Book } from '@corridor/engine/vocabulary/scope.ts'

const check = statement(
  'simulation.checkLedger',
  `with t as (
     select * from ledger_transfers where platform_id = $1 and environment = $2
   ), effects as (
     select debit_account as id, 0 as credit, amount as debit, kind from t
     union all select credit_account, amount, 0, kind from t
   ), recomputed as (
     select id,
       sum(debit) filter (where kind in ('POSTED', 'POST_PENDING')) as debits_posted,
       sum(credit) filter (where kind in ('POSTED', 'POST_PENDING')) as credits_posted,
       sum(case kind when 'PENDING' then debit when 'POSTED' then 0 else -debit end) as debits_pending,
       sum(case kind when 'PENDING' then credit when 'POSTED' then 0 else -credit end) as credits_pending
     from effects group by id
   ), accounts as (
     select * from ledger_accounts where platform_id = $1 and environment = $2
   )
   select
     (select coalesce(sum(credits_posted - debits_posted), 0) from accounts)::bigint as sum,
     (select count(*) from accounts
      where must_not_go_negative and credits_posted - debits_posted - debits_pending < 0) as overdrawn,
     (select count(*) from accounts a full join recomputed r on r.id = a.id
      where a.id is null or (a.debits_posted, a.credits_posted, a.debits_pending, a.credits_pending) is distinct from
        (coalesce(r.debits_posted, 0), coalesce(r.credits_posted, 0), r.debits_pending, r.credits_pending)) as different`,
)

/** What must hold of every ledger at any moment; all zero when it does. */
export async function checkLedger(database: Database, book: Book) {
  const [row] = await database.read<{ sum: bigint; overdrawn: bigint; different: bigint }>(book, check, [
    book.platformId,
    book.environment,
  ])
  return row!
}

export const soundLedger = { sum: 0n, overdrawn: 0n, different: 0n }
