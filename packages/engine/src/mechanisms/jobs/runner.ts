import { failed, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import { claimLost, type Decision, type JobOwner, type NewJob } from '../../vocabulary/decision.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import { type Book, bookKey, type Scope, type SilentScope } from '../../vocabulary/scope.ts'
import { type Adopted, type Applier, commit } from '../db/apply.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { engineFromNow } from '../db/durability.ts'
import { logOutsideRequest } from '../unexpected.ts'
import { type ClaimedJob, claimByKey, claimDue, extendClaims, type JobEngine, scopeAt } from './claims.ts'
import type { Clock } from './clock.ts'
import { abandonedMove } from './holds.ts'
import { createMoves, type Moved, type Way } from './moves.ts'
import { isLost, longestRunMs, postpone } from './postpone.ts'
import { createSweeper, type Sweep } from './sweeps.ts'
import type { Together } from './together.ts'
import { createUnderWay, type Place } from './under-way.ts'
import { findUpcoming, type Upcoming } from './upcoming.ts'
import { type AddToOutcome, type WaitingCaller, waitingCaller } from './waiting-caller.ts'

/**
 * Background work on the same database as the money. A job is written in the transaction that makes it
 * necessary, claimed with a lease, and removed in the transaction of its effect: a crash at any point
 * repeats it, and repeating it changes nothing. The claim is a token: whoever has lost it to another worker
 * neither finishes the job nor postpones it, and nothing of what it decided is written.
 */
export interface JobHandler<E, P = never> {
  readonly kind: string
  /**
   * Loads facts, may call adapters, and returns what should change (or an empty decision). A failure is
   * a mistake in the job: it is retried with back-off, then kept as dead for the operator.
   */
  readonly run: (
    engine: E,
    scope: SilentScope,
    payload: P,
    attempt: Attempt,
  ) => Promise<Result<Decision, Failure>>
  /**
   * What the job does instead when its commit is refused, because others used the balance or the limit first. It is final: the job
   * does not try again. Without it, such a refusal is a mistake in the job.
   */
  readonly refused?: (engine: E, scope: SilentScope, payload: P, failure: Failure) => Decision
  /** Attempts before the job is dead. Default 20. */
  readonly maxAttempts?: number
  /** How those that follow each other run while a clock is moved, where a step for each would take too long. */
  readonly together?: Together<E, P>
}

export interface Attempt {
  /**
   * Whether nobody has begun this job before, nor one of its key that was given up, so that nobody outside can have
   * been asked anything for it.
   */
  readonly isFirst: () => Promise<boolean>
  /** Whether the steps after it that are due at once may be taken with it, and need no job of their own. */
  readonly mayGoOn: boolean
}

/** A job that its writer runs himself, so that no loop of any process takes it first. */
export type OwnedJob = NewJob & { readonly owner: JobOwner }

export interface JobRunner<E> {
  /**
   * Runs everything of every book that is due now, until nothing is, or until the signal asks for a stop
   * and what has been started is finished. Returns how many jobs ran.
   */
  runDue(engine: E, signal?: AbortSignal): Promise<number>
  /**
   * Starts what is due in any book and has room in its slot (slots.ts), without waiting for it. The end of each
   * is news for the loop that calls this.
   */
  startDue(engine: E, signal: AbortSignal): Promise<void>
  /**
   * Runs the jobs of one kind-independent key that are due now and that nobody runs: the steps of one payment, or
   * as many of them as are asked for.
   */
  runKey(engine: E, book: Book, key: string, atMost?: number): Promise<number>
  /**
   * Makes the caller the owner of a job that it is about to write. Should the caller die, others take the job
   * when its lease ends.
   */
  own(engine: E, job: NewJob): OwnedJob
  /**
   * Makes this process the owner of what a decision begins and what is due at once, where it does background work and
   * has room: then nobody has to look for it. Undefined where there is no such job.
   */
  adopt(engine: E, scope: Scope, decision: Decision): Adopted | undefined
  /**
   * Runs a job that was written as owned, and then those of its key that each step leaves to be done at once. A
   * failure is postponed like that of any job. After ten seconds the caller waits no longer, and they go on.
   * What the caller adds is committed with the outcome of each. Resolves with whether the last has its outcome.
   */
  runOwned(engine: E, book: Book, job: OwnedJob, add?: AddToOutcome): Promise<boolean>
  /**
   * Does what a job that was written as owned stands for without its handler, and keeps it claimed meanwhile. Whoever calls this
   * completes the job; should the caller die, its handler runs when the lease ends.
   */
  whileOwned<T>(engine: E, book: Book, job: OwnedJob, work: () => Promise<T>): Promise<T>
  /** Holds what this process runs for longer. Called more often than a lease takes to end. */
  extendLeases(engine: E): Promise<void>
  /** The real time at which the next job that is not due yet falls due, in any book. */
  nextDueAt(after: Instant): Promise<Instant | undefined>
  /** Resolves once nothing runs that was started here or by a request. */
  finish(): Promise<void>
  /**
   * Moves a book's clock, running what falls due on the way in order of its time, events and their retries
   * included. When that takes very long it stops early, at the time it has reached.
   */
  advance(engine: E, book: Book, way: Way): Promise<Moved>
  /** At most `limit` of what a book's clock comes to next, in that order. */
  upcoming(book: Book, limit: number): Promise<Upcoming[]>
}

interface How {
  readonly caller?: WaitingCaller | undefined
  readonly mayGoOn?: boolean
}

interface Ran {
  readonly hasOutcome: boolean
  readonly next?: OwnedJob | undefined
}

const defaultMaxAttempts = 20
/** Steps that a job may leave to be done at once before it gives up its place. */
const maxInPlace = 8
const findGivenUp = statement(
  'jobs.findGivenUp',
  `select 1 as found from jobs
   where platform_id = $1 and environment = $2 and kind = $3 and key = $4 and dead_at is not null limit 1`,
)
const nextDue = statement(
  'jobs.nextDue',
  'select min(due_at) as "dueAt" from jobs where dead_at is null and due_at > $1',
)

export function createJobRunner<E extends JobEngine>(parts: {
  database: Database
  applier: Applier
  clock: Clock
  handlers: readonly JobHandler<E>[]
  sweeps: readonly Sweep<E>[]
  /** What else belongs to a step of a book's time: its events are sent before time goes on. */
  finishStep: (engine: E, book: Book) => Promise<unknown>
}): JobRunner<E> {
  const { database, applier, clock, sweeps, finishStep } = parts
  const handlers = new Map(
    [...parts.handlers, abandonedMove as JobHandler<E>].map((handler) => [handler.kind, handler]),
  )
  /** Books whose clock is being moved: their jobs belong to that call, in order. */
  const advancing = new Set<string>()
  /** What this process runs, and since when in real time. */
  const held = new Map<ClaimedJob, Instant>()
  const owned = new Set<Promise<unknown>>()
  const starting = new Set<Promise<void>>()
  const underWay = createUnderWay<E>()
  const { slots, freed } = underWay
  /** Of the loop that does background work here. */
  let working: AbortSignal | undefined
  const isWorkingOn = (book: Book) =>
    working !== undefined && !working.aborted && !advancing.has(bookKey(book))

  /**
   * Runs a job that this process has claimed; whether it has its outcome. Where it goes on it also owns what the job
   * leaves to be done at once under its key, and returns that.
   */
  function runJob(engine: E, job: ClaimedJob, now: Instant, how: How = {}): Promise<Ran> {
    const { within } = engine.world
    if (!within) return runClaimed(engine, job, now, how)
    return within(`job ${job.id} ${job.attempts}`, () => runClaimed(engine, job, now, how))
  }

  async function runClaimed(
    engine: E,
    job: ClaimedJob,
    now: Instant,
    { caller, mayGoOn = false }: How,
  ): Promise<Ran> {
    const handler = handlers.get(job.kind)
    const maxAttempts = handler?.maxAttempts ?? defaultMaxAttempts
    const scope = scopeAt(job, now, job.kind)
    const startedAt = engine.world.now()
    held.set(job, startedAt)
    try {
      if (!handler) throw new Error(`no handler for jobs of kind ${job.kind}`)
      // Claimed more often than it failed: its attempts ended with the process, so there are no more.
      if (isLost(job, maxAttempts)) throw new Error('its attempts ended without an outcome')
      let next: OwnedJob | undefined
      let round = 0
      const outcome = await commit(applier, scope, async () => {
        const isAgain = round++ > 0
        // Whoever has been overtaken must not ask anybody for anything.
        if (isAgain && !(await extendClaims(engine, [job])).has(job.id)) return failed(claimLost)
        const isFirst = async () =>
          !isAgain && job.attempts === 1 && job.lastError === null && !(await wasGivenUp(job))
        const decided = await handler.run(engine, scope, job.payload as never, {
          isFirst,
          mayGoOn,
        })
        if (!decided.ok) return decided
        const decision = caller ? caller.add(decided.value) : decided.value
        next = undefined
        const jobs = (decision.jobs ?? []).map((made) => {
          const isNext = mayGoOn && made.kind === job.kind && made.key === job.key
          if (!isNext || (made.runAt ?? now) > now) return made
          next = runner.own(engine, made)
          return next
        })
        return ok({ ...decision, jobs, completes: [...(decision.completes ?? []), job] })
      })
      if (outcome.ok) return { hasOutcome: true, next }
      if (outcome.failure === claimLost) {
        engine.world.log.warn({ jobId: job.id, kind: job.kind }, 'another worker has taken over the job')
        return { hasOutcome: false }
      }
      const { refused } = handler
      if (refused) {
        const instead = await commit(applier, scope, async () =>
          ok({ ...refused(engine, scope, job.payload as never, outcome.failure), completes: [job] }),
        )
        if (instead.ok) return { hasOutcome: true, next: undefined }
      }
      throw new Error(`job refused: ${outcome.failure.code} ${JSON.stringify(outcome.failure.details)}`)
    } catch (error) {
      await postpone(engine, job, { error, maxAttempts, startedAt })
      // The loop learns when it is due again.
      engine.signals.jobs.notify()
      return { hasOutcome: false }
    } finally {
      held.delete(job)
    }
  }

  /** Whether a job of the same key is dead: this one goes on with what that one has begun. */
  async function wasGivenUp(job: ClaimedJob): Promise<boolean> {
    if (job.key === null) return false
    const { platformId, environment, kind, key } = job
    return (await database.read(job, findGivenUp, [platformId, environment, kind, key])).length > 0
  }

  /**
   * The time at which a job runs: never before its own, also where this process has not heard yet that the book's
   * clock was moved, or its own clock was set back. What waits for a moment would find it not come yet, and be over.
   */
  async function timeOf(job: ClaimedJob): Promise<Instant> {
    return Math.max(job.runAt, await clock.now(job))
  }

  /** A job that this process has claimed, and then what it leaves to be done at once, in its place. */
  async function runInPlace(engine: E, job: ClaimedJob): Promise<void> {
    let claimed: ClaimedJob | undefined = job
    for (let count = 1; claimed; count++) {
      const now = await timeOf(claimed)
      const mayGoOn = count < maxInPlace && isWorkingOn(job)
      const { next } = await runJob(engine, claimed, now, { mayGoOn })
      claimed = next && claimedOf(job, next, now)
    }
  }

  const sweeper = createSweeper<E>({
    applier,
    sweeps,
    slots,
    advancing,
    begin: underWay.begin,
    finish: underWay.finish,
  })
  const moves = createMoves<E>({
    database,
    clock,
    sweeps,
    sweeper,
    advancing,
    held,
    togetherOf: (kind) => handlers.get(kind)?.together as Together<E> | undefined,
    runJob,
    async finishBook(book) {
      // What was looked for before the clock began to move may still begin.
      await Promise.allSettled([...starting])
      await underWay.finishBook(book)
    },
    finishStep,
  })

  /** Looks for what is due, and begins it. */
  function starts(start: Promise<number>): Promise<number> {
    const settled = start.then(
      () => {},
      () => {},
    )
    starting.add(settled)
    void settled.then(() => starting.delete(settled))
    return start
  }

  async function startJobs(engine: E): Promise<number> {
    const now = engine.world.now()
    const hanging = slots.giveUp(now - longestRunMs)
    if (hanging > 0) engine.world.log.error({ hanging }, 'abandoned background work that hangs')
    const jobs = await claimDue(database, slots, {
      now,
      leaseEnd: now + engine.settings.jobLeaseMs,
      claim: engine.world.uuid(),
      exceptBooks: [...advancing],
    })
    jobs.sort((a, b) => a.runAt - b.runAt || (a.id < b.id ? -1 : 1))
    for (const job of jobs) {
      underWay.begin(engine, job, job.kind, () => runInPlace(engine, job))
      // Otherwise what several of them count together would depend on which is faster.
      if (engine.world.within) await underWay.finish()
    }
    return jobs.length
  }

  const runner: JobRunner<E> = {
    async runDue(engine, signal) {
      let total = 0
      for (;;) {
        if (signal?.aborted) break
        freed.take()
        const mine = engineFromNow(engine)
        const started = (await starts(startJobs(mine))) + (await starts(sweeper.start(mine)))
        total += started
        if (started > 0) continue
        if (underWay.size === 0) break
        await freed.wait()
      }
      await underWay.finish()
      return total
    },

    async startDue(engine, signal) {
      working = signal
      while (!signal.aborted) {
        const mine = engineFromNow(engine)
        const started = (await starts(startJobs(mine))) + (await starts(sweeper.startNowAndThen(mine)))
        if (started === 0) return
      }
    },

    async runKey(engine, book, key, atMost = Number.POSITIVE_INFINITY) {
      let total = 0
      while (total < atMost) {
        const mine = engineFromNow(engine)
        const jobs = await claimByKey(engine, book, [key])
        if (jobs.length === 0) return total
        for (const job of jobs) await runJob(mine, job, await timeOf(job))
        total += jobs.length
      }
      return total
    },

    own(engine, job) {
      const leaseEnd = engine.world.now() + engine.settings.jobLeaseMs
      return { ...job, owner: { id: engine.world.uuid(), claim: engine.world.uuid(), leaseEnd } }
    },

    adopt(engine, scope, decision) {
      if (!isWorkingOn(scope) || decision.refusal) return undefined
      const mine = engineFromNow(engine)
      const places: { readonly job: OwnedJob; readonly place: Place }[] = []
      const jobs = (decision.jobs ?? []).map((job) => {
        const isDue = job.isFirst && !job.owner && (job.runAt ?? scope.now) <= scope.now
        const place = isDue ? underWay.reserve(engine, scope, job.kind) : undefined
        if (!place) return job
        const owned = runner.own(engine, job)
        places.push({ job: owned, place })
        return owned
      })
      if (places.length === 0) return undefined
      return {
        decision: { ...decision, jobs },
        begin() {
          for (const { job, place } of places) {
            place.begin(() => runInPlace(mine, claimedOf(scope, job, scope.now)))
          }
        },
        leave() {
          for (const { place } of places) place.leave()
        },
      }
    },

    async runOwned(engine, book, job, add) {
      const caller = waitingCaller(add)
      const running = runOwned(engineFromNow(engine), book, job, caller).catch((error: unknown) => {
        // Its outcome could not even be postponed: others find it when its lease ends.
        logOutsideRequest(engine.world.log, 'owned job', error, { jobId: job.owner.id })
        return false
      })
      owned.add(running)
      void running.then(() => owned.delete(running))
      return caller.wait(engine.world, running)
    },

    async whileOwned(engine, book, job, work) {
      const startedAt = engine.world.now()
      const claimed = claimedOf(book, job, startedAt)
      held.set(claimed, startedAt)
      try {
        return await work()
      } finally {
        held.delete(claimed)
      }
    },

    async extendLeases(engine) {
      const startedAfter = engine.world.now() - longestRunMs
      const jobs = [...held].filter(([, since]) => since > startedAfter).map(([job]) => job)
      if (jobs.length > 0) await extendClaims(engine, jobs)
    },

    async nextDueAt(after) {
      const [row] = await database.system((connection) =>
        connection.query<{ dueAt: Instant | null }>(nextDue, [toTimestamp(after)]),
      )
      return row?.dueAt ?? undefined
    },

    upcoming: (book, limit) => findUpcoming(database, sweeps, book, limit),

    async finish() {
      while (owned.size + underWay.size > 0) await Promise.allSettled([...owned, underWay.finish()])
    },

    advance: (engine, book, way) => moves.advance(engineFromNow(engine), book, way),
  }

  async function runOwned(engine: E, book: Book, job: OwnedJob, caller: WaitingCaller): Promise<boolean> {
    let hasOutcome = false
    for (let next: OwnedJob | undefined = job; next; ) {
      const now = await clock.now(book)
      const ran = await runJob(engine, claimedOf(book, next, now), now, { caller, mayGoOn: true })
      caller.told()
      hasOutcome = ran.hasOutcome
      next = ran.next
    }
    return hasOutcome
  }

  return runner
}

/** A job as whoever wrote it holds it, before anybody has tried it. */
function claimedOf({ platformId, environment }: Book, job: OwnedJob, now: Instant): ClaimedJob {
  const { owner, kind, payload, key = null, runAt = now } = job
  const claimed = { platformId, environment, id: owner.id, claim: owner.claim, kind, key, payload, runAt }
  return { ...claimed, attempts: 1, outcomes: 0, lastError: null }
}
