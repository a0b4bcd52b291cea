import type { Book, Environment } from '../../vocabulary/scope.ts'
import { type AuditLogProblem, verifyAuditLog } from '../audit-log/verify.ts'
import type { Database } from '../db/database.ts'
import { type Connection, statement } from '../db/driver.ts'
import type { Keys } from '../keys/keys.ts'
import { ledgerAccountKinds } from '../ledger/chart.ts'
import { type BadPosting, findFirstBadPostings } from './first-bad-posting.ts'
import { findUnrecorded } from './owner-records.ts'
import { compareRecords, messageOf, type RecordProblem } from './records.ts'

/**
 * Recomputes what the ledger says of itself (accounts 2.1, rules 1 to 4; cards 2.4). Each rule is one statement over
 * all books, or over one, so that an installation with a million transfers is checked in one pass each. The audit log is recomputed
 * with it: what was changed or removed there shows.
 */
export interface AuditReport {
  readonly sound: boolean
  readonly checkedAccounts: number
  readonly checkedTransfers: number
  readonly checkedCurrencies: number
  readonly checkedAuditEntries: number
  readonly problems: readonly (AuditProblem | AuditLogProblem | RecordProblem)[]
}

export interface AuditProblem {
  readonly rule: AuditRule
  readonly platformId: string
  readonly environment: Environment
  /** The ledger account, the currency or the stablecoin. */
  readonly subject: string
  readonly found: string
  readonly expected: string
  /** Names the row: its table, its id and its platform. */
  readonly message: string
  /** Where it begins, if a posting can be named. */
  readonly firstBadPosting?: BadPosting
}

type AuditRule = StatementRule | 'OWNER_WITHOUT_RECORD'

/** Those that are one statement each. */
type StatementRule =
  | 'CURRENCY_UNBALANCED'
  | 'NEGATIVE_BALANCE'
  | 'BALANCE_DIFFERS_FROM_TRANSFERS'
  | 'TRANSACTION_NOT_EMPTIED'
  | 'MINTED_NOT_IN_RESERVE'

const problemsPerRule = 100

const says: Readonly<Record<StatementRule, string>> = {
  CURRENCY_UNBALANCED: 'does not balance',
  NEGATIVE_BALANCE: 'is below zero or not guarded',
  BALANCE_DIFFERS_FROM_TRANSFERS: 'differs from its transfers',
  TRANSACTION_NOT_EMPTIED: 'is not empty though its payment is over',
  MINTED_NOT_IN_RESERVE: 'differs from its reserve',
}

const balance = 'a.credits_posted - a.debits_posted'

/** Which rows of a table, by its alias in a statement. */
type Within = (alias: string) => string

const guardedKinds = Object.entries(ledgerAccountKinds)
  .filter(([, { mustNotGoNegative }]) => mustNotGoNegative)
  .map(([kind]) => `'${kind}'`)
  .join(', ')

/** Whatever is debited somewhere is credited somewhere: per book and currency, posted and pending. */
const unbalanced = (of: Within) => `select platform_id as "platformId", environment, currency as subject,
     'posted ' || sum(credits_posted - debits_posted) || ', pending ' || sum(credits_pending - debits_pending)
       as found,
     'posted 0, pending 0' as expected
   from ledger_accounts a where ${of('a')} group by platform_id, environment, currency
   having sum(credits_posted - debits_posted) <> 0 or sum(credits_pending - debits_pending) <> 0
   order by 1, 2, 3 limit $1`

/** Kinds of account that may never owe. What the row says of itself must agree with them. */
const negative = (of: Within) => `select a.platform_id as "platformId", a.environment, a.id as subject,
     case when a.must_not_go_negative then '' else 'unguarded ' end || (${balance} - a.debits_pending) as found,
     'guarded, 0 or more' as expected
   from ledger_accounts a
   where ${of('a')} and split_part(a.id, ':', 1) in (${guardedKinds})
     and (${balance} - a.debits_pending < 0 or not a.must_not_go_negative)
   order by 1, 2, 3 limit $1`

/** A pending transfer counts until another one resolves it; posting it counts like a transfer of its own. */
const recomputed = (of: Within) => `with open_or_posted as (
     select t.platform_id, t.environment, t.debit_account, t.credit_account, t.currency, t.amount,
       t.kind = 'PENDING' as is_pending
     from ledger_transfers t
     left join ledger_transfers r on r.platform_id = t.platform_id and r.environment = t.environment
       and r.pending_id = t.id
     where ${of('t')} and (t.kind in ('POSTED', 'POST_PENDING') or (t.kind = 'PENDING' and r.id is null))
   ), sides as (
     select platform_id, environment, debit_account as id, currency,
       case when is_pending then 0 else amount end as dp, 0 as cp,
       case when is_pending then amount else 0 end as dh, 0 as ch from open_or_posted
     union all
     select platform_id, environment, credit_account, currency,
       0, case when is_pending then 0 else amount end,
       0, case when is_pending then amount else 0 end from open_or_posted
   ), sums as (
     select platform_id, environment, id, min(currency) as currency, count(distinct currency) as currencies,
       sum(dp) as dp, sum(cp) as cp, sum(dh) as dh, sum(ch) as ch
     from sides group by platform_id, environment, id
   )
   select coalesce(a.platform_id, s.platform_id) as "platformId",
     coalesce(a.environment, s.environment) as environment, coalesce(a.id, s.id) as subject,
     case when a.id is null then 'no account'
       else concat_ws(' ', a.currency, a.debits_posted, a.credits_posted, a.debits_pending, a.credits_pending)
       end as found,
     case when s.currencies > 1 then 'several currencies'
       else concat_ws(' ', coalesce(s.currency, a.currency), coalesce(s.dp, 0), coalesce(s.cp, 0),
         coalesce(s.dh, 0), coalesce(s.ch, 0)) end as expected
   from (select * from ledger_accounts a where ${of('a')}) a
   full join sums s on s.platform_id = a.platform_id and s.environment = a.environment and s.id = a.id
   where a.id is null or s.currencies > 1 or a.currency <> coalesce(s.currency, a.currency)
     or a.debits_posted <> coalesce(s.dp, 0) or a.credits_posted <> coalesce(s.cp, 0)
     or a.debits_pending <> coalesce(s.dh, 0) or a.credits_pending <> coalesce(s.ch, 0)
   order by 1, 2, 3 limit $1`

/**
 * A finished transaction holds nothing: its clearing and fee accounts once it is final, its refund
 * account once the refund is delivered or given up.
 */
const notEmptied = (
  of: Within,
) => `select a.platform_id as "platformId", a.environment, a.id as subject, (${balance})::text as found,
     '0' as expected
   from ledger_accounts a
   join transactions t on t.platform_id = a.platform_id and t.environment = a.environment
     and t.id = split_part(a.id, ':', 2) || ':' || split_part(a.id, ':', 3)
   where ${of('a')} and split_part(a.id, ':', 1) in ('txn', 'pfee', 'refund')
     and (${balance} <> 0 or a.debits_pending <> 0 or a.credits_pending <> 0)
     and case when split_part(a.id, ':', 1) = 'refund' then t.refund ->> 'status' in ('COMPLETED', 'FAILED')
         else t.status in ('COMPLETED', 'REJECTED', 'FAILED', 'REFUNDED', 'EXPIRED') end
   order by 1, 2, 3 limit $1`

/** What was minted of a stablecoin, less what was burned, is what the ledger has in reserve for it (cards 2.4). */
const notInReserve = (of: Within) => `with minted as (
     select platform_id, environment, coin_id,
       sum(case operation_type when 'MINT' then amount else -amount end) as units
     from stablecoin_operations o where ${of('o')} and status = 'COMPLETED' group by 1, 2, 3
   ), reserves as (
     select platform_id, environment, split_part(id, ':', 2) || ':' || split_part(id, ':', 3) as coin_id,
       sum(debits_posted - credits_posted) as units
     from ledger_accounts a where ${of('a')} and split_part(id, ':', 1) = 'coinres' group by 1, 2, 3
   )
   select coalesce(m.platform_id, r.platform_id) as "platformId",
     coalesce(m.environment, r.environment) as environment, coalesce(m.coin_id, r.coin_id) as subject,
     coalesce(r.units, 0)::text as found, coalesce(m.units, 0)::text as expected
   from minted m
   full join reserves r
     on r.platform_id = m.platform_id and r.environment = m.environment and r.coin_id = m.coin_id
   where coalesce(m.units, 0) <> coalesce(r.units, 0)
   order by 1, 2, 3 limit $1`

const count = (of: Within) => `select (select count(*) from ledger_accounts a where ${of('a')}) as accounts,
     (select count(*) from ledger_transfers t where ${of('t')}) as transfers,
     (select count(distinct currency) from ledger_accounts a where ${of('a')}) as currencies limit $1`

/** One text for all books and one for one, of which $2 and $3 say which. */
function statements(name: string, of: Within) {
  const rule = (code: StatementRule, text: (of: Within) => string) =>
    [code, statement(`audit.${name}.${code}`, text(of))] as const
  return {
    rules: [
      rule('CURRENCY_UNBALANCED', unbalanced),
      rule('NEGATIVE_BALANCE', negative),
      rule('BALANCE_DIFFERS_FROM_TRANSFERS', recomputed),
      rule('TRANSACTION_NOT_EMPTIED', notEmptied),
      rule('MINTED_NOT_IN_RESERVE', notInReserve),
    ],
    count: statement(`audit.${name}.count`, count(of)),
  }
}
const ofAll = statements('all', () => 'true')
const ofOne = statements('book', (alias) => `${alias}.platform_id = $2 and ${alias}.environment = $3`)

interface LedgerReport {
  readonly problems: readonly AuditProblem[]
  readonly accounts: number
  readonly transfers: number
  readonly currencies: number
}

/** What the ledger of all books says of itself, and what records say of it, in the snapshot of the connection. */
export async function findContradictions(
  connection: Connection,
): Promise<readonly (AuditProblem | RecordProblem)[]> {
  const { problems } = await checkLedger(connection, ofAll, [])
  return [...problems, ...(await compareRecords(connection, problemsPerRule))]
}

/** The statements share the snapshot of their transaction (`atOneMoment`). */
async function checkLedger(
  connection: Connection,
  { rules, count }: ReturnType<typeof statements>,
  book: readonly string[],
): Promise<LedgerReport> {
  const problems: AuditProblem[] = []
  for (const [rule, text] of rules) {
    type Found = Omit<AuditProblem, 'rule' | 'message'>
    const found = await connection.query<Found>(text, [problemsPerRule, ...book])
    const table = rule === 'MINTED_NOT_IN_RESERVE' ? 'stablecoins' : 'ledger_accounts'
    problems.push(
      ...found.map((problem) => ({ rule, ...problem, message: messageOf(table, says[rule], problem) })),
    )
  }
  problems.push(...(await findUnrecorded(connection, problemsPerRule, book)))
  const [counted] = await connection.query<{ accounts: bigint; transfers: bigint; currencies: bigint }>(
    count,
    [problemsPerRule, ...book],
  )
  const firstOf = await findFirstBadPostings(connection, problems)
  return {
    problems: problems.map((problem) => {
      const firstBadPosting = firstOf(problem)
      return { ...problem, ...(firstBadPosting ? { firstBadPosting } : {}) }
    }),
    accounts: Number(counted!.accounts),
    transfers: Number(counted!.transfers),
    currencies: Number(counted!.currencies),
  }
}

/** The statements of `work` see the database as it was at one moment. */
export async function atOneMoment<T>(
  database: Database,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return database.maintenance(async (connection) => {
    await connection.script('begin isolation level repeatable read read only')
    try {
      return await work(connection)
    } finally {
      await connection.script('rollback')
    }
  })
}

/**
 * Checks the ledgers of all books, and the audit log, at one moment. With the keys it also shows an audit log that was
 * made anew by somebody who has none.
 */
export function auditLedger(database: Database, keys?: Pick<Keys, 'tag'>): Promise<AuditReport> {
  return atOneMoment(database, async (connection) => {
    const ledger = await checkLedger(connection, ofAll, [])
    const auditLog = await verifyAuditLog(connection, keys)
    const problems = [...ledger.problems, ...auditLog.problems.slice(0, problemsPerRule)]
    return {
      sound: problems.length === 0,
      checkedAccounts: ledger.accounts,
      checkedTransfers: ledger.transfers,
      checkedCurrencies: ledger.currencies,
      checkedAuditEntries: auditLog.checkedEntries,
      problems,
    }
  })
}

/** Checks the ledger of one book, as `auditLedger` checks all. It reads every transfer of the book. */
export async function auditBook(
  database: Database,
  { platformId, environment }: Book,
): Promise<
  Omit<AuditReport, 'checkedAuditEntries' | 'problems'> & { readonly problems: readonly AuditProblem[] }
> {
  const ledger = await atOneMoment(database, (connection) =>
    checkLedger(connection, ofOne, [platformId, environment]),
  )
  return {
    sound: ledger.problems.length === 0,
    checkedAccounts: ledger.accounts,
    checkedTransfers: ledger.transfers,
    checkedCurrencies: ledger.currencies,
    problems: ledger.problems,
  }
}

/**
 * Compares the records of all books with their postings, in both directions, at one moment: payments, holds, suspense, accounts,
 * cards and counters. A finding names its row.
 */
export function auditRecords(database: Database): Promise<RecordProblem[]> {
  return atOneMoment(database, (connection) => compareRecords(connection, problemsPerRule))
}

/** Everything that can be checked: the ledgers, the audit log, and the records beside the ledgers. */
export async function auditEverything(database: Database, keys?: Pick<Keys, 'tag'>): Promise<AuditReport> {
  const report = await auditLedger(database, keys)
  const problems = [...report.problems, ...(await auditRecords(database))]
  return { ...report, sound: problems.length === 0, problems }
}
