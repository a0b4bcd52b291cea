import { type Instant, toTimestamp } from '@corridor/kernel'
import { type Book, bookKey } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { type ClaimedJob, claimOne, type JobEngine, nextOfBook } from './claims.ts'
import type { Clock } from './clock.ts'
import { leaveHold, takeHold } from './holds.ts'
import { forAll } from './one-by-one.ts'
import type { Sweep, Sweeper } from './sweeps.ts'
import { claimTogether, findTogether, putBack, type Together } from './together.ts'
import type { Upcoming } from './upcoming.ts'

/** Moves the clocks of sandbox books: what falls due on the way runs in the order of its time, and nobody else runs it. */

/** How far a clock is to go. */
export interface Way {
  /** At most so many milliseconds. */
  readonly ms: number
  /** No later than this, also where others have moved it since the caller looked. Absent: as far as `ms` goes. */
  readonly notAfter?: Instant
  /**
   * `NEXT` stops where the next thing has happened, with all that happens at the same moment; `QUIET` where nothing
   * is left to happen. Where nothing is to come within `ms` the clock stays. Absent: all of `ms`.
   */
  readonly until?: 'NEXT' | 'QUIET'
}

/** How far a clock has come. */
export interface Moved {
  readonly now: Instant
  /** The first fifty of what happened, in that order. */
  readonly ran: readonly Upcoming[]
  readonly ranCount: number
  /** All that happened, by its kind; in the order in which each first did. */
  readonly counts: readonly KindCount[]
  /** False where it stopped before it was there: it took too long, there was too much to do, or time is at its end. */
  readonly isThere: boolean
}

export interface KindCount {
  readonly kind: string
  readonly count: number
}

/** What a clock comes to next: a job, or a row of a sweep. */
interface Next<E> {
  readonly id: string
  readonly runAt: Instant
  readonly kind: string
  readonly subject: string | null
  readonly sweep?: Sweep<E>
}

export interface Moves<E> {
  /** Two callers at once move a clock one after the other, each by all of its time; in whichever processes they are. */
  advance(engine: E, book: Book, way: Way): Promise<Moved>
}

const maxJobsPerAdvance = 100_000
const shownOfAdvance = 50
/** Real time for moving a clock, within the time that a request may take. */
const advanceBudgetMs = 45_000
/** How long what this process has begun by itself may take to end before a clock moves on without it. */
const ownWorkMs = 10_000
const lookAgainMs = 20

export function createMoves<E extends JobEngine>(parts: {
  readonly database: Database
  readonly clock: Clock
  readonly sweeps: readonly Sweep<E>[]
  readonly sweeper: Sweeper<E>
  /** Books whose clock is being moved here: their jobs belong to that call. */
  readonly advancing: Set<string>
  /** What this process runs, and since when in real time. */
  readonly held: Map<ClaimedJob, Instant>
  readonly togetherOf: (kind: string) => Together<E> | undefined
  readonly runJob: (engine: E, job: ClaimedJob, now: Instant) => Promise<unknown>
  /** Resolves once nothing runs that the loops of this process have begun in a book; none begins meanwhile. */
  readonly finishBook: (book: Book) => Promise<void>
  /** What else belongs to a step of a book's time: its events are sent before time goes on. */
  readonly finishStep: (engine: E, book: Book) => Promise<unknown>
}): Moves<E> {
  const { database, clock, sweeps, sweeper, advancing, held, togetherOf, runJob, finishBook, finishStep } =
    parts
  const moves = new Map<string, Promise<void>>()
  /** Holds of this process that could not be left, by their books. */
  const left = new Map<string, ClaimedJob>()

  async function advance(engine: E, book: Book, way: Way): Promise<Moved> {
    const key = bookKey(book)
    const before = moves.get(key)
    const mine = before ? before.then(() => moveAlone(engine, book, way)) : moveAlone(engine, book, way)
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
  }

  /** As the only one who runs anything of the book by itself. */
  async function moveAlone(engine: E, book: Book, way: Way): Promise<Moved> {
    const key = bookKey(book)
    const startedAt = engine.world.now()
    const isOver = () => engine.world.now() - startedAt > advanceBudgetMs
    advancing.add(key)
    try {
      await within(engine, ownWorkMs, finishBook(book))
      let hold = await takeHold(engine, book, left.get(key))
      while (!hold && !isOver()) {
        await engine.world.sleep(lookAgainMs)
        hold = await takeHold(engine, book, left.get(key))
      }
      // Another process may have moved it a moment ago.
      clock.forget(book)
      if (!hold) return { now: await clock.now(book), ran: [], ranCount: 0, counts: [], isThere: false }
      held.set(hold, startedAt)
      left.set(key, hold)
      try {
        return await move(engine, book, way, isOver)
      } finally {
        held.delete(hold)
        await leaveHold(engine, hold)
        left.delete(key)
      }
    } finally {
      advancing.delete(key)
    }
  }

  async function move(
    engine: E,
    book: Book,
    { ms, until, notAfter = Number.POSITIVE_INFINITY }: Way,
    isOver: () => boolean,
  ): Promise<Moved> {
    const ran: Upcoming[] = []
    let ranCount = 0
    const counted = new Map<string, number>()
    // A row that a sweep leaves as it was would be the first one for ever.
    const tried = new Map<Sweep<E>, string[]>()
    const triedBy = (sweep: Sweep<E>): string[] => {
      const ids = tried.get(sweep) ?? []
      tried.set(sweep, ids)
      return ids
    }
    const start = await clock.now(book)
    const isCut = until === undefined && start + ms > notAfter
    let target = Math.max(start, Math.min(start + ms, notAfter))
    let isThere = false
    for (;;) {
      await finishStep(engine, book)
      if (isOver() || ranCount >= maxJobsPerAdvance) break
      const { next, sweepAt } = await nextOf(book, target, triedBy)
      isThere = !next
      if (!next) break
      if (until === 'NEXT' && next.runAt > start) target = Math.min(target, next.runAt)
      const happened = await step(engine, book, next, {
        until: Math.min(target, sweepAt),
        atMost: maxJobsPerAdvance - ranCount,
      })
      if (next.sweep) triedBy(next.sweep).push(next.id)
      ranCount += happened.length
      if (happened.length > 0) counted.set(next.kind, (counted.get(next.kind) ?? 0) + happened.length)
      ran.push(...happened.slice(0, shownOfAdvance - ran.length).map(upcomingOf))
    }
    if (isThere && until === undefined) await clock.raiseTo(book, target)
    const counts = [...counted].map(([kind, count]) => ({ kind, count }))
    return { ran, ranCount, counts, isThere: isThere && !isCut, now: await clock.now(book) }
  }

  /**
   * Makes what comes next happen, and with it what follows of its kind and may run together; what happened, in order. That
   * is nothing where a request was faster.
   */
  async function step(
    engine: E,
    book: Book,
    next: Next<E>,
    bounds: { readonly until: Instant; readonly atMost: number },
  ): Promise<readonly Next<E>[]> {
    if (!next.sweep) {
      const together = togetherOf(next.kind)
      const found = together
        ? await findTogether(database, book, together, { kind: next.kind, ...bounds })
        : []
      if (together && found.length > 1) return runTogether(engine, book, together, found)
    }
    await clock.raiseTo(book, next.runAt)
    const now = Math.max(next.runAt, await clock.now(book))
    if (next.sweep) {
      await sweeper.run(engine, next.sweep, { book, id: next.id, now })
      return [next]
    }
    const job = await claimOne(engine, book, next.id)
    if (!job) return []
    await runJob(engine, job, now)
    return [next]
  }

  async function runTogether(
    engine: E,
    book: Book,
    together: Together<E>,
    found: readonly Next<E>[],
  ): Promise<readonly Next<E>[]> {
    const before = await clock.now(book)
    await clock.raiseTo(book, found.at(-1)!.runAt)
    const jobs = await claimTogether(engine, book, found)
    const timed = jobs.map((job) => ({ job, at: Math.max(job.runAt, before) }))
    const startedAt = engine.world.now()
    for (const job of jobs) held.set(job, startedAt)
    try {
      const { alone, left: notBegun } = await together.run(engine, book, timed)
      if (notBegun.length > 0) await putBack(engine, book, notBegun)
      await forAll(engine.world, alone, ({ job, at }) => runJob(engine, job, at))
      const hasRun = new Set(jobs.map(({ id }) => id))
      for (const { id } of notBegun) hasRun.delete(id)
      return found.filter(({ id }) => hasRun.has(id))
    } finally {
      for (const job of jobs) held.delete(job)
    }
  }

  async function nextOf(book: Book, until: Instant, triedBy: (sweep: Sweep<E>) => readonly string[]) {
    const { platformId, environment } = book
    return database.system(async (connection) => {
      type Job = { id: string; runAt: Instant; kind: string; subject: string | null }
      const parameters = [platformId, environment, toTimestamp(until)]
      const [job] = await connection.query<Job>(nextOfBook, parameters)
      let next: Next<E> | undefined = job
      let sweepAt = Number.POSITIVE_INFINITY
      for (const sweep of sweeps) {
        const [row] = await connection.query<{ id: string; runAt: Instant }>(sweep.dueOfBook, [
          ...parameters,
          triedBy(sweep),
        ])
        if (row && (!next || row.runAt < next.runAt))
          next = { ...row, kind: sweep.kind, subject: row.id, sweep }
        if (row) sweepAt = Math.min(sweepAt, row.runAt)
      }
      return { next, sweepAt }
    })
  }

  return { advance }
}

const upcomingOf = <E>({ kind, subject, runAt }: Next<E>): Upcoming => ({ kind, subject, dueAt: runAt })

/** Waits for something, and no longer than so many milliseconds of real time. */
async function within({ world }: JobEngine, ms: number, work: Promise<void>): Promise<void> {
  const over = new AbortController()
  await Promise.race([work, world.sleep(ms, over.signal)])
  over.abort()
}
