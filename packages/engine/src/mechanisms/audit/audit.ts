import type { Book, Environment } from '../../vocabulary/scope.ts'
import { type AuditLogProblem, verifyAuditLog } from '../audit-log/verify.ts'
import type { Database } from '../db/database.ts'
import { type Connection, statement } from '../db/driver.ts'
import type { Keys } from '../keys/keys.ts'
import { ledgerAccountKinds } from '../ledger/chart.ts'
import { type BadPosting, findFirstBadPostings } from './first-bad-posting.ts'
import { findUnrecorded, findUnrecordedAfter, type PostingKey } from './owner-records.ts'
import { recordRules } from './record-rules.ts'
import { compareRecords, messageOf, type RecordProblem } from './records.ts'

/**
 * Recomputes the ledger (accounts 2.1, rules 1 to 4; cards 2.4). Each rule is one statement over all books or over one, so it
 * needs a single pass even with a million transfers. The audit also recomputes the chains of the audit log.
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
  /** Ledger account, currency or stablecoin. */
  readonly subject: string
  readonly found: string
  readonly expected: string
  /** Table, id and platform of the row. */
  readonly message: string
  /** Posting where the problem starts, if one can be named. */
  readonly firstBadPosting?: BadPosting
}

type AuditRule = StatementRule | 'OWNER_WITHOUT_RECORD'

/** Rules that are one statement each. */
type StatementRule =
  | 'CURRENCY_UNBALANCED'
  | 'NEGATIVE_BALANCE'
  | 'BALANCE_DIFFERS_FROM_TRANSFERS'
  | 'TRANSACTION_NOT_EMPTIED'
  | 'MINTED_NOT_IN_RESERVE'

const problemsPerRule = 100

const says: Readonly<Record<StatementRule, string>> = {
  CURRENCY_UNBALANCED: 'does not balance',
  NEGATIVE_BALANCE: 'is below zero, or is not protected against it',
  BALANCE_DIFFERS_FROM_TRANSFERS: 'differs from the sum of its transfers',
  TRANSACTION_NOT_EMPTIED: 'is not empty, although its payment is finished',
  MINTED_NOT_IN_RESERVE: 'differs from its reserve',
}

const balance = 'a.credits_posted - a.debits_posted'

/** Condition that selects the rows of a table, by its alias. */
type Within = (alias: string) => string

const guardedKinds = Object.entries(ledgerAccountKinds)
  .filter(([, { mustNotGoNegative }]) => mustNotGoNegative)
  .map(([kind]) => `'${kind}'`)
  .join(', ')

/** Debits equal credits, per book and currency, for posted and pending amounts. */
const unbalanced = (of: Within) => `select platform_id as "platformId", environment, currency as subject,
     'posted ' || sum(credits_posted - debits_posted) || ', pending ' || sum(credits_pending - debits_pending)
       as found,
     'posted 0, pending 0' as expected
   from ledger_accounts a where ${of('a')} group by platform_id, environment, currency
   having sum(credits_posted - debits_posted) <> 0 or sum(credits_pending - debits_pending) <> 0
   order by 1, 2, 3 limit $1`

/** Kinds of account that may never be negative. The flag of the row must agree. */
const negative = (of: Within) => `select a.platform_id as "platformId", a.environment, a.id as subject,
     case when a.must_not_go_negative then '' else 'unguarded ' end || (${balance} - a.debits_pending) as found,
     'guarded, 0 or more' as expected
   from ledger_accounts a
   where ${of('a')} and split_part(a.id, ':', 1) in (${guardedKinds})
     and (${balance} - a.debits_pending < 0 or not a.must_not_go_negative)
   order by 1, 2, 3 limit $1`

/** A pending transfer counts until another one posts or voids it. The posting counts like a transfer of its own. */
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
 * A finished transaction holds no money. Its clearing and fee accounts are empty once it is final, and its refund account once
 * the refund has succeeded or failed.
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

/** The reserve of a stablecoin equals its minted less its burned units (cards 2.4). */
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

/** A statement for all books, and one for the book in $2 and $3. */
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
type LedgerRule = (typeof ofAll.rules)[number]
const ofOne = statements('book', (alias) => `${alias}.platform_id = $2 and ${alias}.environment = $3`)

interface LedgerReport {
  readonly problems: readonly AuditProblem[]
  readonly accounts: number
  readonly transfers: number
  readonly currencies: number
}

/** Findings in the ledgers and records of all books, in the snapshot of the connection. */
export async function findContradictions(
  connection: Connection,
): Promise<readonly (AuditProblem | RecordProblem)[]> {
  const { problems } = await checkLedger(connection, ofAll, [])
  return [...problems, ...(await compareRecords(connection, problemsPerRule))]
}

async function findByRule(
  connection: Connection,
  [rule, text]: LedgerRule,
  book: readonly string[] = [],
): Promise<AuditProblem[]> {
  type Found = Omit<AuditProblem, 'rule' | 'message'>
  const found = await connection.query<Found>(text, [problemsPerRule, ...book])
  const table = rule === 'MINTED_NOT_IN_RESERVE' ? 'stablecoins' : 'ledger_accounts'
  return found.map((problem) => ({ rule, ...problem, message: messageOf(table, says[rule], problem) }))
}

/** One rule, over all books; the one of owners a part at a time. */
export interface AuditStep {
  readonly rule: string
  /** `place` is where a step that is taken in parts goes on, and absent where it begins or is over. */
  readonly find: (
    connection: Connection,
    place: PostingKey | undefined,
  ) => Promise<{
    readonly problems: readonly (AuditProblem | AuditLogProblem | RecordProblem)[]
    readonly place?: PostingKey | undefined
    /** Entries of the audit log that were read. */
    readonly checkedEntries?: number
  }>
}

/** Everything that `auditEverything` checks, rule by rule, each at a moment of its own. */
export function auditSteps(keys?: Pick<Keys, 'tag'>): readonly AuditStep[] {
  const ofLedger = ofAll.rules.map(
    (rule): AuditStep => ({
      rule: rule[0],
      find: async (connection) => ({ problems: await findByRule(connection, rule) }),
    }),
  )
  const ofRecords = recordRules.map(
    ({ code }): AuditStep => ({
      rule: code,
      find: async (connection) => ({ problems: await compareRecords(connection, problemsPerRule, code) }),
    }),
  )
  return [...ofLedger, ofOwners, ...ofRecords, ofAuditLog(keys)]
}

/** Postings of one part: some hundred thousand. */
const batchesOfPart = 20

const ofOwners: AuditStep = {
  rule: 'OWNER_WITHOUT_RECORD',
  async find(connection, from) {
    const problems: AuditProblem[] = []
    let place = from
    for (let batch = 0; batch < batchesOfPart; batch++) {
      const next = await findUnrecordedAfter(connection, place, { mostProblems: problemsPerRule })
      problems.push(...next.problems)
      place = next.last
      if (!place) break
    }
    return { problems, place }
  },
}

function ofAuditLog(keys: Pick<Keys, 'tag'> | undefined): AuditStep {
  return {
    rule: 'AUDIT_LOG_BROKEN',
    async find(connection) {
      const { problems, checkedEntries } = await verifyAuditLog(connection, keys)
      return { problems: problems.slice(0, problemsPerRule), checkedEntries }
    },
  }
}

/** The statements share the snapshot of their transaction (`atOneMoment`). */
async function checkLedger(
  connection: Connection,
  { rules, count }: ReturnType<typeof statements>,
  book: readonly string[],
): Promise<LedgerReport> {
  const problems: AuditProblem[] = []
  for (const rule of rules) problems.push(...(await findByRule(connection, rule, book)))
  problems.push(...(await findUnrecorded(connection, problemsPerRule, book)))
  const counted = await countRows(connection, count, book)
  const firstOf = await findFirstBadPostings(connection, problems)
  return {
    problems: problems.map((problem) => {
      const firstBadPosting = firstOf(problem)
      return { ...problem, ...(firstBadPosting ? { firstBadPosting } : {}) }
    }),
    ...counted,
  }
}

type Counted = Pick<LedgerReport, 'accounts' | 'transfers' | 'currencies'>

/** Number of rows in the ledgers of all books. */
export const countLedgers = (connection: Connection) => countRows(connection, ofAll.count)

async function countRows(
  connection: Connection,
  count: (typeof ofAll)['count'],
  book: readonly string[] = [],
): Promise<Counted> {
  type Row = { readonly [Name in keyof Counted]: bigint }
  const [counted] = await connection.query<Row>(count, [problemsPerRule, ...book])
  const { accounts, transfers, currencies } = counted!
  return { accounts: Number(accounts), transfers: Number(transfers), currencies: Number(currencies) }
}

/** Runs `work` in one snapshot of the database. */
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
 * Checks the ledgers of all books and the audit log in one snapshot. With the keys it also detects an audit log that was
 * rewritten without them.
 */
export function auditLedger(database: Database, keys?: Pick<Keys, 'tag'>): Promise<AuditReport> {
  return atOneMoment(database, (connection) => checkLedgers(connection, keys))
}

async function checkLedgers(
  connection: Connection,
  keys: Pick<Keys, 'tag'> | undefined,
): Promise<AuditReport> {
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
 * Compares the records of all books with their postings, in both directions and in one snapshot: payments, holds, suspense,
 * accounts, cards and counters. A finding names its row.
 */
export function auditRecords(database: Database): Promise<RecordProblem[]> {
  return atOneMoment(database, (connection) => compareRecords(connection, problemsPerRule))
}

/** Advisory lock for all processes on one database. The number spells "audi". */
const oneAtATime = 0x6175_6469
export const waitForTurn = statement('audit.waitForTurn', `select pg_advisory_xact_lock(${oneAtATime})`)
const takeTurn = statement('audit.takeTurn', `select pg_try_advisory_xact_lock(${oneAtATime}) as "isTaken"`)

/**
 * Everything that can be checked: the ledgers, the audit log, and the records beside the ledgers. It reads every row, so one runs at
 * a time: this waits for the one that runs.
 */
export function auditEverything(database: Database, keys?: Pick<Keys, 'tag'>): Promise<AuditReport> {
  return atOneMoment(database, async (connection) => {
    await connection.query(waitForTurn)
    return checkEverything(connection, keys)
  })
}

/** The same, or undefined where one runs already, in whichever process. */
export function auditUnlessUnderWay(
  database: Database,
  keys?: Pick<Keys, 'tag'>,
): Promise<AuditReport | undefined> {
  return atOneMoment(database, async (connection) => {
    const [turn] = await connection.query<{ isTaken: boolean }>(takeTurn)
    return turn?.isTaken ? checkEverything(connection, keys) : undefined
  })
}

async function checkEverything(
  connection: Connection,
  keys: Pick<Keys, 'tag'> | undefined,
): Promise<AuditReport> {
  const report = await checkLedgers(connection, keys)
  const problems = [...report.problems, ...(await compareRecords(connection, problemsPerRule))]
  return { ...report, sound: problems.length === 0, problems }
}
