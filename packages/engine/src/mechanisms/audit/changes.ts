import type { Environment } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { type Connection, statement } from '../db/driver.ts'
import { atOneMoment } from './audit.ts'
import { comparePayments, compareSums, type RecordProblem } from './records.ts'

/** Where the postings of the last run ended, in pages of their table: it only grows, for postings are never changed. */
export interface AuditMark {
  readonly page: number
}

export interface ChangesAudit {
  readonly checkedPayments: number
  readonly problems: readonly RecordProblem[]
  readonly mark: AuditMark
}

/** Pages that are read at once: some twenty thousand postings. */
const pagesAtOnce = 400
/** More than the postings of any step of a payment. */
const postingsPerStep = 14
const mostPerRule = 20

const endOfTable = statement(
  'audit.endOfTable',
  `select (pg_relation_size('ledger_transfers') / current_setting('block_size')::bigint)::bigint as page`,
)

const written = statement(
  'audit.written',
  `select distinct platform_id as "platformId", environment, split_part(id, '/', 1) as payment, id
   from ledger_transfers where ctid >= $1::text::tid and ctid < $2::text::tid`,
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
    connection.query<{ page: bigint }>(endOfTable, []),
  )
  return { page: Number(end!.page) }
}

/**
 * Compares the payments that were posted to since a mark with their postings, and the money in suspense with its items.
 * `steps`: the steps that the ids of postings name. It reads new postings and the rows of their payments alone.
 */
export async function auditChanges(
  database: Database,
  since: AuditMark,
  steps: readonly string[],
): Promise<ChangesAudit> {
  const { page: end } = await markOf(database)
  const problems: RecordProblem[] = []
  let checkedPayments = 0
  // A table that became smaller was written anew: what was where is not known any more.
  const start = Math.min(since.page, end)
  for (let page = start; page <= end; page += pagesAtOnce) {
    const found = await atOneMoment(database, async (connection) => {
      const window = [`(${page},0)`, `(${page + pagesAtOnce},0)`]
      return compare(connection, await connection.query<Written>(written, window), steps)
    })
    checkedPayments += found.checkedPayments
    problems.push(...found.problems)
  }
  problems.push(...(await atOneMoment(database, (connection) => compareSums(connection, mostPerRule))))
  return { checkedPayments, problems, mark: { page: end } }
}

async function compare(connection: Connection, rows: readonly Written[], steps: readonly string[]) {
  const books = new Map<string, Written[]>()
  for (const row of rows) {
    const key = `${row.platformId} ${row.environment}`
    books.set(key, [...(books.get(key) ?? []), row])
  }
  const problems: RecordProblem[] = []
  let checkedPayments = 0
  for (const ofBook of books.values()) {
    const { platformId, environment } = ofBook[0]!
    const payments = [...new Set(ofBook.map(({ payment }) => payment))]
    const candidates = payments
      .filter((payment) => payment.startsWith('Transaction:'))
      .flatMap((payment) =>
        steps.flatMap((step) =>
          Array.from({ length: postingsPerStep }, (_, index) => `${payment}/${step}/${index}`),
        ),
      )
    const postings = [...new Set([...ofBook.map(({ id }) => id), ...candidates])]
    checkedPayments += payments.length
    const checked = { book: { platformId, environment }, payments, postings }
    problems.push(...(await comparePayments(connection, mostPerRule, checked)))
  }
  return { checkedPayments, problems }
}
