import type { Instant } from '@corridor/kernel'
import type { Book } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import type { Sweep } from './sweeps.ts'

/** Something that happens by itself when the clock of its book comes to `dueAt`. */
export interface Upcoming {
  /** The kind of its job or of its sweep. */
  readonly kind: string
  /** What it is about, as its payload or its row says: not yet known to be an id of the API. */
  readonly subject: string | null
  readonly dueAt: Instant
}

/**
 * Of a job: ids alone are taken out of a payload, by name, as whatever else stands in one is nobody's business.
 */
export const subjectOfJob = `coalesce(payload->>'transactionId', payload->>'quoteId', payload->>'eventId',
     payload->>'messageId', payload->>'cardId', payload->>'importId', payload->>'id', key) as subject`

/** What failed comes back by the clock as well. */
const upcomingJobs = statement(
  'jobs.upcoming',
  `select kind, run_at as "dueAt", ${subjectOfJob}
   from jobs where platform_id = $1 and environment = $2 and dead_at is null and claim is null
   order by run_at, id limit $3`,
)

/** At most `limit` of what is to come in one book, the next first: jobs, and rows that fall due by themselves. */
export async function findUpcoming<E>(
  database: Database,
  sweeps: readonly Sweep<E>[],
  book: Book,
  limit: number,
): Promise<Upcoming[]> {
  const parameters = [book.platformId, book.environment, limit]
  const found = await database.read<Upcoming>(book, upcomingJobs, parameters)
  for (const { kind, upcomingOfBook } of sweeps) {
    type Row = { id: string; runAt: Instant }
    const rows = await database.read<Row>(book, upcomingOfBook, parameters)
    found.push(...rows.map(({ id, runAt }) => ({ kind, subject: id, dueAt: runAt })))
  }
  return found.sort((a, b) => a.dueAt - b.dueAt).slice(0, limit)
}
