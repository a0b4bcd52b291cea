import type { Book } from '../../vocabulary/scope.ts'
import type { Output } from './batch-output.ts'
import { textColumn } from './columns.ts'
import type { Database } from './database.ts'
import { type Connection, statement } from './driver.ts'

/**
 * Reads whether a batch was written whose acknowledgement is lost. A batch is one transaction, so one thing that
 * only this attempt can have written says it for all of it.
 */
export interface Witness {
  /** The number of the transaction, where there was an answer to wait for before the commit anyway. */
  readonly transaction?: TransactionNumber | undefined
  readonly output: Output
}

/**
 * A server that crashes gives the numbers of transactions that never reached its log again, to others. It forgets
 * its statistics as well, so the time from which it counts them says since when numbers mean what they meant.
 */
export interface TransactionNumber {
  readonly number: string
  readonly era: string | null
}

const era = 'pg_stat_get_bgwriter_stat_reset_time()::text'
const readTransaction = statement(
  'witness.transaction',
  `select pg_current_xact_id()::text as number, ${era} as era`,
)
const statusOf = statement('witness.status', `select pg_xact_status($1::xid8) as status, ${era} as era`)
const findEvent = statement(
  'witness.event',
  'select 1 as found from events where platform_id = $1 and environment = $2 and id = $3',
)
const findAnswer = statement(
  'witness.answer',
  'select 1 as found from idempotency_keys where platform_id = $1 and environment = $2 and id = $3 and body = $4',
)
const countTransfers = statement(
  'witness.transfers',
  `select count(*) as found from ledger_transfers
   where platform_id = $1 and environment = $2 and id = any($3::text::text[])`,
)

export async function numberOf(connection: Connection): Promise<TransactionNumber | undefined> {
  const [row] = await connection.query<TransactionNumber>(readTransaction)
  return row
}

/** Whether one of the rows tells by itself that a batch was written, without the number of its transaction. */
export function leavesWitness({ core: { events, answers, transfers } }: Output): boolean {
  return events.length + answers.length + transfers.length > 0
}

/** Undefined where nothing tells: such a batch only enqueues, finishes or counts. Call it once all is over. */
export async function wasWritten(
  database: Database,
  book: Book,
  { transaction, output }: Witness,
): Promise<boolean | undefined> {
  const { platformId, environment } = book
  if (transaction !== undefined) {
    const [row] = await database.read<{ status: string | null; era: string | null }>(book, statusOf, [
      transaction.number,
    ])
    if (row?.era && row.era === transaction.era) {
      if (row.status === 'committed') return true
      if (row.status === 'aborted') return false
    }
    // It cannot be under way any more; what the server has forgotten is told by the rows.
  }
  const { events, answers, transfers } = output.core
  const [event] = events
  if (event) return isFound(await database.read(book, findEvent, [platformId, environment, event.id]))
  const [answer] = answers
  if (answer) {
    // Sealed anew each time, so nobody else can have written the same.
    const parameters = [platformId, environment, answer.id, answer.body]
    return isFound(await database.read(book, findAnswer, parameters))
  }
  if (transfers.length === 0) return undefined
  const ids = textColumn(transfers, ({ transfer }) => transfer.id)
  const [row] = await database.read<{ found: bigint }>(book, countTransfers, [platformId, environment, ids])
  // Some of them: then somebody else did some of the same, and this attempt none.
  return row?.found === BigInt(transfers.length)
}

function isFound(rows: readonly unknown[]): boolean {
  return rows.length > 0
}
