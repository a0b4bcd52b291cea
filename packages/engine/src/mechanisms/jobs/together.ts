import { type Instant, toTimestamp } from '@corridor/kernel'
import type { Book } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { type ClaimedJob, claimedColumns, type JobEngine } from './claims.ts'
import { subjectOfJob } from './upcoming.ts'

/**
 * Jobs of one kind that follow each other while a clock is moved, nothing else in between. A step of the clock for each
 * would write the time of everything that is still to come, once for each.
 */
export interface Together<E, P = never> {
  /** Milliseconds from a job's time to the earliest of what it may leave to be done: no more than that runs with it. */
  readonly leastDelayMs: (payload: P) => number
  /**
   * Runs jobs that this process has claimed, one after the other as they are given, each at its time, and removes each
   * with its effect. Returns those that it did not begin.
   */
  readonly run: (engine: E, book: Book, jobs: readonly TimedJob[]) => Promise<NotBegun>
}

/** A claimed job, and the time of the book at which it is to run. */
export interface TimedJob {
  readonly job: ClaimedJob
  readonly at: Instant
}

export interface NotBegun {
  /** What is to run as any other job. */
  readonly alone: readonly TimedJob[]
  /** What there was no time for: it is put back as it was. */
  readonly left: readonly ClaimedJob[]
}

/** One that will run together with others. */
export interface Found {
  readonly id: string
  readonly runAt: Instant
  readonly kind: string
  readonly subject: string | null
}

/** What a process that is killed in between begins again. */
const maxTogether = 128

const nextSome = statement(
  'jobs.nextSome',
  `select id, run_at as "runAt", kind, payload, ${subjectOfJob} from jobs
   where platform_id = $1 and environment = $2 and dead_at is null and run_at <= $3 and claim is null
   order by run_at, id limit $4`,
)

/**
 * The first jobs of a book of a kind, up to one of another, or one before which an earlier one may leave something to do. None where
 * another kind comes first by now: somebody else was faster with what was to come next.
 */
export async function findTogether<E>(
  database: Database,
  { platformId, environment }: Book,
  { leastDelayMs }: Together<E>,
  { kind, until, atMost }: { readonly kind: string; readonly until: Instant; readonly atMost: number },
): Promise<Found[]> {
  type Row = Found & { payload: unknown }
  const rows = await database.system((connection) =>
    connection.query<Row>(nextSome, [
      platformId,
      environment,
      toTimestamp(until),
      Math.min(maxTogether, atMost),
    ]),
  )
  const found: Found[] = []
  let before = Number.POSITIVE_INFINITY
  for (const { payload, ...job } of rows) {
    if (job.kind !== kind || job.runAt >= before) break
    before = Math.min(before, job.runAt + leastDelayMs(payload as never))
    found.push(job)
  }
  return found
}

const claimSome = statement(
  'jobs.claimSome',
  `update jobs j set attempts = j.attempts + 1, due_at = $4, claim = $5
   where j.platform_id = $1 and j.environment = $2 and j.id = any($3::uuid[]) and j.claim is null and j.dead_at is null
   returning ${claimedColumns}`,
)

/** Claims those that nobody runs, in the order in which they were found. */
export async function claimTogether(
  engine: JobEngine,
  { platformId, environment }: Book,
  found: readonly Found[],
): Promise<ClaimedJob[]> {
  const jobs = await engine.database.system((connection) =>
    connection.query<ClaimedJob>(claimSome, [
      platformId,
      environment,
      found.map(({ id }) => id),
      toTimestamp(engine.world.now() + engine.settings.jobLeaseMs),
      engine.world.uuid(),
    ]),
  )
  const places = new Map(found.map(({ id }, index) => [id, index]))
  return jobs.sort((a, b) => places.get(a.id)! - places.get(b.id)!)
}

const unclaim = statement(
  'jobs.putBack',
  `update jobs j set attempts = j.attempts - 1, claim = null, due_at = $5
   from unnest($3::uuid[], $4::uuid[]) v(id, claim)
   where j.platform_id = $1 and j.environment = $2 and j.id = v.id and j.claim = v.claim`,
)

/** Gives back what was claimed and not begun. The clock of the book has come to its time: it is due. */
export async function putBack(
  { database, world }: JobEngine,
  { platformId, environment }: Book,
  jobs: readonly ClaimedJob[],
): Promise<void> {
  await database.system((connection) =>
    connection.query(unclaim, [
      platformId,
      environment,
      jobs.map(({ id }) => id),
      jobs.map(({ claim }) => claim),
      toTimestamp(world.now()),
    ]),
  )
}
