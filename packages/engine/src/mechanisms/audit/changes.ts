import type { Environment } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { type Connection, statement } from '../db/driver.ts'
import { atOneMoment } from './audit.ts'
import { comparePayments, compareSums, type RecordProblem } from './records.ts'

/**
 * The end of a run: how many pages the postings took, which only grow because a posting is never changed, and the oldest
 * transaction that was still open. Whatever that one or a later one wrote is looked at by the next run.
 */
export interface AuditMark {
  readonly page: number
  readonly xid: string
}

export interface ChangesAudit {
  readonly checkedPayments: number
  readonly problems: readonly RecordProblem[]
  readonly mark: AuditMark
}

/** Pages before the end that may still be filled: the database makes up to 512 at a time where many write at once. */
const pagesNotFull = 600
/** Pages that are read at once: some twenty thousand postings. */
const pagesAtOnce = 400
/** Payments that are compared with one statement. */
const paymentsAtOnce = 200
const mostPerRule = 20

/** The steps whose postings are compared with their payment, each with more postings than it can have. */
const comparedSteps: Readonly<Record<string, number>> = {
  execute: 2,
  capture: 2,
  fund: 14,
  collect: 18,
  convert: 10,
  deliver: 14,
  credit: 6,
  deposit: 4,
  receive: 6,
  refund: 4,
  refuse: 4,
}

const endOfTable = statement(
  'audit.endOfTable',
  `select (pg_relation_size('ledger_transfers') / current_setting('block_size')::bigint)::bigint as page,
     (pg_snapshot_xmin(pg_current_snapshot())::text::bigint % 4294967296)::text as xid`,
)

const written = statement(
  'audit.written',
  `select distinct platform_id as "platformId", environment, split_part(id, '/', 1) as payment, id
   from ledger_transfers
   where ctid >= $1::text::tid and ctid < $2::text::tid and age(xmin) <= age($3::text::xid)`,
)

interface Written {
  readonly platformId: string
  readonly environment: Environment
  readonly payment: string
  readonly id: string
}

/** Where the next run begins, if nothing before is to be looked at. */
export async function markOf(database: Database): Promise<AuditMark> {
  const [end] = await database.maintenance((connection) =>
    connection.query<{ page: bigint; xid: string }>(endOfTable, []),
  )
  return { page: Number(end!.page), xid: end!.xid }
}

/**
 * Compares the payments that were posted to since a mark with their postings, and the money in suspense with its items.
 * It reads new postings and the rows of their payments alone.
 */
export async function auditChanges(database: Database, since: AuditMark): Promise<ChangesAudit> {
  const mark = await markOf(database)
  const problems: RecordProblem[] = []
  let checkedPayments = 0
  // A table that became smaller was written anew: what was where is not known any more.
  const start = Math.max(0, Math.min(since.page, mark.page) - pagesNotFull)
  for (let page = start; page <= mark.page; page += pagesAtOnce) {
    const found = await atOneMoment(database, async (connection) => {
      const window = [`(${page},0)`, `(${page + pagesAtOnce},0)`, since.xid]
      return compare(connection, await connection.query<Written>(written, window))
    })
    checkedPayments += found.checkedPayments
    problems.push(...found.problems)
  }
  problems.push(...(await atOneMoment(database, (connection) => compareSums(connection, mostPerRule))))
  return { checkedPayments, problems, mark }
}

async function compare(connection: Connection, rows: readonly Written[]) {
  const books = new Map<string, Written[]>()
  for (const row of rows) {
    const key = `${row.platformId} ${row.environment}`
    books.set(key, [...(books.get(key) ?? []), row])
  }
  const problems: RecordProblem[] = []
  let checkedPayments = 0
  for (const ofBook of books.values()) {
    const { platformId, environment } = ofBook[0]!
    const newOf = new Map<string, string[]>()
    for (const { payment, id } of ofBook) newOf.set(payment, [...(newOf.get(payment) ?? []), id])
    const all = [...newOf.keys()]
    checkedPayments += all.length
    for (let first = 0; first < all.length; first += paymentsAtOnce) {
      const payments = all.slice(first, first + paymentsAtOnce)
      const checked = {
        book: { platformId, environment },
        payments,
        postings: payments.flatMap(postingIdsOf),
        written: payments.flatMap((payment) => newOf.get(payment)!),
      }
      problems.push(...(await comparePayments(connection, mostPerRule, checked)))
    }
  }
  return { checkedPayments, problems }
}

/** The ids that the compared postings of a payment can have: rows are found by their key alone. */
function postingIdsOf(payment: string): string[] {
  if (!payment.startsWith('Transaction:')) return []
  return Object.entries(comparedSteps).flatMap(([step, most]) =>
    Array.from({ length: most }, (_, index) => `${payment}/${step}/${index}`),
  )
}
