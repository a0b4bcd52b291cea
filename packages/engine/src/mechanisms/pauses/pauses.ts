import type { Instant } from '@corridor/kernel'
import type { PauseReason } from '../../vocabulary/pause-reason.ts'
import { type Book, type Environment, installationBook } from '../../vocabulary/scope.ts'
import { batched } from '../db/batched-loads.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'

/**
 * Payouts that the operator holds back: in one environment, of one platform or of all, on one rail or on all. Whoever hands
 * a payment to a rail asks here, after it has claimed the job of that step and before it says anything to the rail. What is
 * read is never remembered, and that order is what a pause relies on: a claim that was made after the pause was written
 * reads it, and those made before are seen and waited for (money/pauses). No clock and no message between processes says
 * whether a pause holds.
 */
export interface PauseInForce {
  readonly id: string
  readonly environment: Environment
  /** Null: of all platforms. */
  readonly platformId: string | null
  /** Null: on all rails. */
  readonly rail: string | null
  readonly reasonCode: PauseReason
  readonly pausedBy: string
  /** Real time. */
  readonly pausedAt: Instant
}

const inForce = statement(
  'pauses.inForce',
  `select id, of_environment as environment, of_platform_id as "platformId", of_rail as rail, reason_code as "reasonCode",
     paused_by as "pausedBy", created_at as "pausedAt"
   from payout_pauses where platform_id = $1 and environment = $2 and status = 'IN_FORCE'
   order by created_at, id`,
)

const everything = ['']

/**
 * One statement for all hand-overs that ask at the same moment, of whatever book: there are a handful of rows at most. As whoever
 * sees all books, because a session that goes from one book to another has to write down which.
 */
const readInForce = batched<Database, string, PauseInForce>({
  run: (database, { platformId, environment }) =>
    database.system((connection) => connection.query(inForce, [platformId, environment])),
  keyOf: () => '',
  answers: () => '',
})

/** All pauses that are in force now, the oldest first. Read after it was asked for. */
export function pausesInForce(database: Database): Promise<PauseInForce[]> {
  return readInForce(database, installationBook, everything)
}

/** What holds payouts of this book that go by all of these rails back now, the oldest; undefined where nothing does. */
export async function pauseOf(
  database: Database,
  book: Book,
  rails: readonly string[],
): Promise<PauseInForce | undefined> {
  return (await pausesInForce(database)).find((pause) => isHeldBy(pause, book, rails))
}

export function isHeldBy(pause: PauseInForce, book: Book, rails: readonly string[]): boolean {
  return (
    pause.environment === book.environment &&
    (pause.platformId === null || pause.platformId === book.platformId) &&
    (pause.rail === null || rails.includes(pause.rail))
  )
}
