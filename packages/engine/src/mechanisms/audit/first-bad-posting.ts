import type { Instant } from '@corridor/kernel'
import type { Environment } from '../../vocabulary/scope.ts'
import { type Connection, statement } from '../db/driver.ts'

/** Ledger posting with its time, on the clock of its book. */
export interface BadPosting {
  readonly id: string
  readonly at: Instant
}

interface Problem {
  readonly rule: string
  readonly platformId: string
  readonly environment: Environment
  readonly subject: string
}

/**
 * Running totals of each account, per moment. Postings of one moment count together, because only their time orders them, and a
 * step may spend what the previous step of the same moment credited. A posting that ends a pending one also releases its hold.
 */
const findFirst = statement(
  'audit.firstBadPosting',
  `with wanted as (
     select * from unnest($1::text[], $2::uuid[], $3::text[], $4::text[])
       as w(rule, platform_id, environment, subject)
   ), touching as (
     select w.rule, w.platform_id, w.environment, w.subject, t.id, t.created_at, t.currency,
       t.debit_account = w.subject as is_debit,
       case when t.kind in ('POSTED', 'POST_PENDING') then t.amount else 0 end as posted,
       case when t.kind = 'PENDING' then t.amount when t.pending_id is not null then -coalesce(p.amount, 0)
         else 0 end as held
     from ledger_transfers t
     join wanted w on w.platform_id = t.platform_id and w.environment = t.environment
       and w.subject in (t.debit_account, t.credit_account)
     left join ledger_transfers p on p.platform_id = t.platform_id and p.environment = t.environment
       and p.id = t.pending_id
   ), until as (
     select touching.*,
       sum(case when is_debit then posted else 0 end) over moments as debits,
       sum(case when is_debit then 0 else posted end) over moments as credits,
       sum(case when is_debit then held else 0 end) over moments as held_debits
     from touching
     window moments as (partition by rule, platform_id, environment, subject order by created_at)
   ), emptied as (
     select rule, platform_id, environment, subject, max(created_at) as at from until
     where credits - debits - held_debits = 0 group by 1, 2, 3, 4
   )
   select distinct on (u.rule, u.platform_id, u.environment, u.subject)
     u.rule, u.platform_id as "platformId", u.environment, u.subject, u.id, u.created_at as at
   from until u
   left join emptied e on e.rule = u.rule and e.platform_id = u.platform_id and e.environment = u.environment
     and e.subject = u.subject
   left join ledger_accounts a on a.platform_id = u.platform_id and a.environment = u.environment
     and a.id = u.subject
   where case u.rule
     when 'NEGATIVE_BALANCE' then u.credits - u.debits - u.held_debits < 0 and u.is_debit
     when 'BALANCE_DIFFERS_FROM_TRANSFERS' then a.id is null or u.currency <> a.currency or (u.posted > 0
       and case when u.is_debit then u.debits > a.debits_posted else u.credits > a.credits_posted end)
     when 'TRANSACTION_NOT_EMPTIED' then u.posted > 0 and (e.at is null or u.created_at > e.at)
     else false end
   order by 1, 2, 3, 4, u.created_at, u.id`,
)

/** Reads all postings of a book. */
const mostMs = 20_000

/** Rules about a single account, whose postings can be searched. */
const rules = ['NEGATIVE_BALANCE', 'BALANCE_DIFFERS_FROM_TRANSFERS', 'TRANSACTION_NOT_EMPTIED']

/**
 * Finds the posting where each problem starts: the one that took an account below zero, the first one that the balance does not
 * include, or the first one whose money has not left since. A balance that was changed without a posting has none.
 */
export async function findFirstBadPostings(
  connection: Connection,
  problems: readonly Problem[],
): Promise<(problem: Problem) => BadPosting | undefined> {
  const asked = problems.filter(({ rule }) => rules.includes(rule))
  if (asked.length === 0) return () => undefined
  const found = await withinTime(connection, () =>
    connection.query<Problem & BadPosting>(findFirst, [
      asked.map(({ rule }) => rule),
      asked.map(({ platformId }) => platformId),
      asked.map(({ environment }) => environment),
      asked.map(({ subject }) => subject),
    ]),
  )
  const first = new Map(found.map((row) => [keyOf(row), { id: row.id, at: row.at }]))
  return (problem) => first.get(keyOf(problem))
}

/** The finding matters more than its start, so this returns nothing if the search fails or takes too long. */
async function withinTime<T>(connection: Connection, ask: () => Promise<T[]>): Promise<T[]> {
  await connection.script(`savepoint naming; set local statement_timeout = ${mostMs}`)
  const found = await ask().catch(() => [])
  await connection.script('rollback to savepoint naming')
  return found
}

const keyOf = ({ rule, platformId, environment, subject }: Problem) =>
  [rule, platformId, environment, subject].join(' ')
