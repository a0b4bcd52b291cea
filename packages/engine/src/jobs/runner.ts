import { assert, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import { type Applier, commit } from '../db/apply.ts'
import { batched } from '../db/batched-loads.ts'
import type { Database } from '../db/database.ts'
import type { Decision } from '../db/decision.ts'
import { type Statement, statement } from '../db/driver.ts'
import type { Engine } from '../engine.ts'
import type { Failure } from '../http/errors.ts'
import { type Book, bookKey, type Environment, type Scope } from '../http/scope.ts'
import type { Clock } from './clock.ts'

/**
 * Background work on the same database as the money. A job is written in the transaction that makes it
 * necessary, claimed with a lease, and removed in the transaction of its effect: a crash at any point
 * repeats it, and repeating it changes nothing.
 */
export interface JobHandler<P = never> {
  readonly kind: string
  /**
   * Loads facts, may call adapters, and returns what should change (or an empty decision). A failure is
   * a mistake in the job: it is retried with back-off, then kept as dead for the operator.
   */
  readonly run: (engine: Engine, scope: Scope, payload: P) => Promise<Result<Decision, Failure>>
  /** Attempts before the job is dead. Default 20. */
  readonly maxAttempts?: number
}

/** Declares a handler with the type of its payload. */
export function jobHandler<P>(handler: JobHandler<P>): JobHandler {
  return handler as unknown as JobHandler
}

/**
 * Rows that fall due by themselves (a quote's expiry) instead of through a job row each. The handler
 * must be guarded: two processes may find the same row.
 */
export interface Sweep {
  readonly kind: string
  /** `($1 real time, $2 limit)` → "platformId", environment, id of what is due in any book, by its own clock. */
  readonly due: Statement
  /** `($1 platform, $2 environment, $3 the book's time)` → id, "runAt" of the first that is due in one book. */
  readonly dueOfBook: Statement
  readonly run: (engine: Engine, scope: Scope, id: string) => Promise<Result<Decision, Failure>>
}

export interface JobRunner {
  /**
   * Runs everything of every book that is due now, until nothing is, or until the signal asks for a stop
   * and what has been started is finished. Returns how many jobs ran.
   */
  runDue(engine: Engine, signal?: AbortSignal): Promise<number>
  /** Runs the jobs of one kind-independent key that are due now: the steps of one payment. */
  runKey(engine: Engine, book: Book, key: string): Promise<number>
  /**
   * Moves a book's clock by `ms`, running what falls due on the way in order of its time, events and
   * their retries included. When that takes very long it stops early, at the time it has reached.
   */
  advance(engine: Engine, book: Book, ms: number): Promise<{ ran: number; now: Instant }>
}

interface ClaimedJob {
  readonly platformId: string
  readonly environment: Environment
  readonly id: string
  readonly kind: string
  readonly payload: unknown
  readonly attempts: number
  readonly runAt: Instant
}

type KeyedJob = ClaimedJob & { readonly key: string }

const claimLimit = 50
const defaultMaxAttempts = 20
const maxJobsPerAdvance = 100_000
/** Real time for moving a clock, within the time that a request may take. */
const advanceBudgetMs = 45_000
const actorPermissions = ['VIEW', 'TRANSACT', 'MANAGE'] as const

const returning = `returning j.platform_id as "platformId", j.environment, j.id, j.kind, j.payload, j.attempts,
  j.run_at as "runAt"`

/**
 * While a job runs its due time is the end of its lease, so a job of a dead process comes back by itself.
 * Materialized, or the planner may run the inner statement once per row of the outer one, and each run
 * would lock a further `limit` of rows.
 */
const claimDue = statement(
  'jobs.claimDue',
  `with due as materialized (
     select platform_id, environment, id from jobs
     where dead_at is null and due_at <= $1 and not (platform_id::text || '/' || environment = any($4::text[]))
     order by due_at limit $3 for update skip locked
   )
   update jobs j set attempts = j.attempts + 1, due_at = $2 from due
   where j.platform_id = due.platform_id and j.environment = due.environment and j.id = due.id ${returning}`,
)
const claimKeys = statement(
  'jobs.claimKeys',
  `with due as materialized (
     select id from jobs
     where platform_id = $1 and environment = $2 and key = any($3::text[]) and dead_at is null and run_at <= $4
       and attempts = 0
     for update skip locked
   )
   update jobs j set attempts = j.attempts + 1, due_at = $5 from due
   where j.platform_id = $1 and j.environment = $2 and j.id = due.id ${returning}, j.key`,
)
const nextOfBook = statement(
  'jobs.nextOfBook',
  `select id, run_at as "runAt" from jobs
   where platform_id = $1 and environment = $2 and dead_at is null and run_at <= $3 and attempts = 0
   order by run_at, id limit 1`,
)
const claimOne = statement(
  'jobs.claimOne',
  `update jobs j set attempts = j.attempts + 1, due_at = $4
   where j.platform_id = $1 and j.environment = $2 and j.id = $3 and j.attempts = 0 ${returning}`,
)
/** The jobs of many payments in one statement, or each step of each would cost a commit of its own. */
const claimByKey = batched<Engine, string, KeyedJob>({
  async run(engine, book, keys) {
    const [now, realNow] = [await engine.clock.now(book), engine.world.now()]
    return engine.database.system((connection) =>
      connection.query<KeyedJob>(claimKeys, [
        book.platformId,
        book.environment,
        keys,
        toTimestamp(now),
        toTimestamp(realNow + engine.settings.jobLeaseMs),
      ]),
    )
  },
  keyOf: (key) => key,
  answers: ({ key }) => key,
})
const postponeJob = statement(
  'jobs.postpone',
  `update jobs set due_at = $4, last_error = $5, dead_at = $6
   where platform_id = $1 and environment = $2 and id = $3`,
)

export function createJobRunner(parts: {
  database: Database
  applier: Applier
  clock: Clock
  handlers: readonly JobHandler[]
  sweeps: readonly Sweep[]
  /** What else belongs to a step of a book's time: its events are sent before time goes on. */
  finishStep: (engine: Engine, book: Book) => Promise<unknown>
}): JobRunner {
  const { database, applier, clock, sweeps, finishStep } = parts
  const handlers = new Map(parts.handlers.map((handler) => [handler.kind, handler]))
  /** Books whose clock is being moved: their jobs belong to that call, in order. */
  const advancing = new Set<string>()
  const moves = new Map<string, Promise<void>>()

  function scopeAt(book: Book, now: Instant, kind: string): Scope {
    const { platformId, environment } = book
    return { platformId, environment, now, actor: { id: `job:${kind}`, permissions: actorPermissions } }
  }

  async function runJob(engine: Engine, job: ClaimedJob, now: Instant): Promise<void> {
    const handler = handlers.get(job.kind)
    const maxAttempts = handler?.maxAttempts ?? defaultMaxAttempts
    const scope = scopeAt(job, now, job.kind)
    const { log } = engine.world
    try {
      if (!handler) throw new Error(`no handler for jobs of kind ${job.kind}`)
      // Claimed more often than it failed: its attempts ended with the process, so there are no more.
      if (job.attempts > maxAttempts) throw new Error('every attempt ended without an outcome')
      const outcome = await commit(applier, scope, async () => {
        const decision = await handler.run(engine, scope, job.payload as never)
        if (!decision.ok) return decision
        return ok({ ...decision.value, completes: [...(decision.value.completes ?? []), job.id] })
      })
      if (outcome.ok) return
      throw new Error(`job refused: ${outcome.failure.code} ${JSON.stringify(outcome.failure.details)}`)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const dead = job.attempts >= maxAttempts
      log.warn({ jobId: job.id, kind: job.kind, attempts: job.attempts, dead, error: message }, 'job failed')
      await database.system((connection) =>
        connection.query(postponeJob, [
          job.platformId,
          job.environment,
          job.id,
          toTimestamp(engine.world.now() + retryDelayMs(engine, job.attempts)),
          message.slice(0, 1024),
          dead ? toTimestamp(engine.world.now()) : null,
        ]),
      )
    }
  }

  async function runSwept(engine: Engine, limit: number): Promise<number> {
    let ran = 0
    for (const sweep of sweeps) {
      type Due = { platformId: string; environment: Environment; id: string }
      const due = await database.system((connection) =>
        connection.query<Due>(sweep.due, [toTimestamp(engine.world.now()), limit]),
      )
      for (const row of due) {
        if (advancing.has(bookKey(row))) continue
        const scope = scopeAt(row, await clock.now(row), sweep.kind)
        await commit(applier, scope, () => sweep.run(engine, scope, row.id))
        ran++
      }
    }
    return ran
  }

  const runner: JobRunner = {
    async runDue(engine, signal) {
      let total = 0
      for (;;) {
        if (signal?.aborted) return total
        const now = engine.world.now()
        const jobs = await database.system((connection) =>
          connection.query<ClaimedJob>(claimDue, [
            toTimestamp(now),
            toTimestamp(now + engine.settings.jobLeaseMs),
            claimLimit,
            [...advancing],
          ]),
        )
        jobs.sort((a, b) => a.runAt - b.runAt)
        await Promise.all(jobs.map(async (job) => runJob(engine, job, await clock.now(job))))
        const swept = await runSwept(engine, claimLimit)
        total += jobs.length + swept
        if (jobs.length + swept === 0) return total
      }
    },

    async runKey(engine, book, key) {
      let total = 0
      for (;;) {
        const jobs = await claimByKey(engine, book, [key])
        if (jobs.length === 0) return total
        const now = await clock.now(book)
        for (const job of jobs) await runJob(engine, job, now)
        total += jobs.length
      }
    },

    async advance(engine, book, ms) {
      const key = bookKey(book)
      // Two callers at once move the clock one after the other, each by all of its time.
      const before = moves.get(key)
      const mine = before ? before.then(() => move(engine, book, ms)) : move(engine, book, ms)
      const settled = mine.then(
        () => {},
        () => {},
      )
      moves.set(key, settled)
      try {
        return await mine
      } finally {
        if (moves.get(key) === settled) moves.delete(key)
      }
    },
  }

  async function move(engine: Engine, book: Book, ms: number): Promise<{ ran: number; now: Instant }> {
    const key = bookKey(book)
    advancing.add(key)
    let ran = 0
    const startedAt = engine.world.now()
    try {
      const target = (await clock.now(book)) + ms
      for (;;) {
        await finishStep(engine, book)
        if (engine.world.now() - startedAt > advanceBudgetMs) {
          return { ran, now: await clock.now(book) }
        }
        const next = await nextDue(book, target)
        if (!next) break
        assert(ran < maxJobsPerAdvance, 'jobs that fall due while the clock moves come to an end')
        await clock.moveTo(book, next.runAt)
        const now = Math.max(next.runAt, await clock.now(book))
        if (next.sweep) {
          const { sweep, id } = next
          const scope = scopeAt(book, now, sweep.kind)
          await commit(applier, scope, () => sweep.run(engine, scope, id))
        } else {
          const [job] = await database.system((connection) =>
            connection.query<ClaimedJob>(claimOne, [
              book.platformId,
              book.environment,
              next.id,
              toTimestamp(engine.world.now() + engine.settings.jobLeaseMs),
            ]),
          )
          if (job) await runJob(engine, job, now)
        }
        ran++
      }
      await clock.moveTo(book, target)
      return { ran, now: await clock.now(book) }
    } finally {
      advancing.delete(key)
    }
  }

  async function nextDue(book: Book, until: Instant) {
    const { platformId, environment } = book
    return database.system(async (connection) => {
      type Next = { id: string; runAt: Instant; sweep?: Sweep }
      const parameters = [platformId, environment, toTimestamp(until)]
      const [job] = await connection.query<Next>(nextOfBook, parameters)
      let first: Next | undefined = job
      for (const sweep of sweeps) {
        const [row] = await connection.query<Next>(sweep.dueOfBook, parameters)
        if (row && (!first || row.runAt < first.runAt)) first = { ...row, sweep }
      }
      return first
    })
  }

  return runner
}

/** Doubles from 1 s to 30 min, with a jitter of a fifth so that failures do not march in step. */
function retryDelayMs(engine: Engine, attempts: number): number {
  const base = Math.min(1_800_000, 1_000 * 2 ** Math.min(attempts - 1, 11))
  const jitter = engine.world.randomBytes(1)[0]! / 255
  return Math.floor(base * (0.8 + 0.4 * jitter))
}
