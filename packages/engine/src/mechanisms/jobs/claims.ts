import { type Instant, toTimestamp, type World } from '@corridor/kernel'
import type { JobClaim } from '../../vocabulary/decision.ts'
import type { Book, Environment, SilentScope } from '../../vocabulary/scope.ts'
import { batched } from '../db/batched-loads.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { createDueClaim } from './claim-due.ts'
import type { Clock } from './clock.ts'
import type { Signal } from './signal.ts'
import { subjectOfJob } from './upcoming.ts'

/** How a process takes jobs and keeps them: a claim is a token, and its lease ends by itself. */

/** What running jobs itself needs of the engine that is handed to them. */
export interface JobEngine {
  readonly world: World
  readonly database: Database
  readonly clock: Clock
  readonly settings: { readonly jobLeaseMs: number }
  readonly signals: { readonly jobs: Pick<Signal, 'notify'> }
  readonly adaptersSince?: (server: string) => object
}

export interface ClaimedJob {
  readonly platformId: string
  readonly environment: Environment
  readonly id: string
  readonly kind: string
  readonly payload: unknown
  readonly attempts: number
  /** How many of the attempts before this one ended with a success or an error. */
  readonly outcomes: number
  readonly runAt: Instant
  readonly key: string | null
  readonly claim: string
  readonly lastError: string | null
}

type KeyedJob = ClaimedJob & { readonly key: string }

/** Of a row of jobs that the statement calls `j`. */
export const claimedColumns = `j.platform_id as "platformId", j.environment, j.id, j.kind, j.payload, j.attempts,
  j.outcomes, j.run_at as "runAt", j.key, j.claim, j.last_error as "lastError"`
const returning = `returning ${claimedColumns}`

export const claimDue = createDueClaim<ClaimedJob>(returning)
/**
 * Found by its key alone: book and time are asked for in ways that no index answers, or the planner, which cannot know
 * how full a table is that is emptied all the time, reads one of those from end to end.
 */
const claimKeys = statement(
  'jobs.claimKeys',
  `with due as materialized (
     select id from jobs
     where (platform_id, environment) is not distinct from ($1, $2) and key = any($3::text[])
       and dead_at is null and claim is null and (run_at <= $4) is not distinct from true
     for update skip locked
   )
   update jobs j set attempts = j.attempts + 1, due_at = $5, claim = $6 from due
   where j.platform_id = $1 and j.environment = $2 and j.id = due.id ${returning}`,
)
export const nextOfBook = statement(
  'jobs.nextOfBook',
  `select id, run_at as "runAt", kind, ${subjectOfJob} from jobs
   where platform_id = $1 and environment = $2 and dead_at is null and run_at <= $3 and claim is null
   order by run_at, id limit 1`,
)
const claimOneOfBook = statement(
  'jobs.claimOne',
  `update jobs j set attempts = j.attempts + 1, due_at = $4, claim = $5
   where j.platform_id = $1 and j.environment = $2 and j.id = $3 and j.claim is null
     and j.dead_at is null ${returning}`,
)
/** Claims one job that nobody runs; undefined when somebody else was faster. */
export async function claimOne(engine: JobEngine, book: Book, id: string): Promise<ClaimedJob | undefined> {
  const [job] = await engine.database.system((connection) =>
    connection.query<ClaimedJob>(claimOneOfBook, [
      book.platformId,
      book.environment,
      id,
      toTimestamp(engine.world.now() + engine.settings.jobLeaseMs),
      engine.world.uuid(),
    ]),
  )
  return job
}

/** The jobs of many payments in one statement, or each step of each would cost a commit of its own. */
export const claimByKey = batched<JobEngine, string, KeyedJob>({
  async run(engine, book, keys) {
    const [now, realNow] = [await engine.clock.now(book), engine.world.now()]
    return engine.database.system((connection) =>
      connection.query<KeyedJob>(claimKeys, [
        book.platformId,
        book.environment,
        keys,
        toTimestamp(now),
        toTimestamp(realNow + engine.settings.jobLeaseMs),
        engine.world.uuid(),
      ]),
    )
  },
  keyOf: (key) => key,
  answers: ({ key }) => key,
})
const extendLeases = statement(
  'jobs.extend',
  `update jobs j set due_at = $5 from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[])
     v(platform_id, environment, id, claim)
   where j.platform_id = v.platform_id and j.environment = v.environment and j.id = v.id and j.claim = v.claim
   returning j.id, j.claim`,
)
/** Extends the leases of jobs; the ids of those that are still this process's. */
export async function extendClaims(engine: JobEngine, jobs: readonly ClaimedJob[]): Promise<Set<string>> {
  const rows = await engine.database.system((connection) =>
    connection.query<JobClaim>(extendLeases, [
      jobs.map(({ platformId }) => platformId),
      jobs.map(({ environment }) => environment),
      jobs.map(({ id }) => id),
      jobs.map(({ claim }) => claim),
      toTimestamp(engine.world.now() + engine.settings.jobLeaseMs),
    ]),
  )
  return new Set(rows.map(({ id }) => id))
}

const endLeases = statement(
  'jobs.endLeases',
  'update jobs set due_at = $1 where claim is not null and dead_at is null and due_at > $1',
)
/**
 * Gives back what is claimed. For the start of a process that has its database for itself: whoever claimed it has
 * died, and his work need not wait for the end of the lease.
 */
export async function endLeasesOfTheDead({ database, world }: Pick<JobEngine, 'database' | 'world'>) {
  await database.system((connection) => connection.query(endLeases, [toTimestamp(world.now())]))
}

const actorPermissions = ['VIEW', 'TRANSACT', 'MANAGE'] as const

/** Whom the work of a kind acts as, and when. */
export function scopeAt(book: Book, now: Instant, kind: string): SilentScope {
  const { platformId, environment } = book
  return { platformId, environment, now, actor: { id: `job:${kind}`, permissions: actorPermissions } }
}

/** What the log and the operator are told of what went wrong. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
