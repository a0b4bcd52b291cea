import { type Instant, type Result, scheduleOf, toTimestamp } from '@corridor/kernel'
import type { Decision } from '../../vocabulary/decision.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import { type Book, bookKey, type Environment, type SilentScope } from '../../vocabulary/scope.ts'
import { type Applier, commit } from '../db/apply.ts'
import { isUnavailable } from '../db/availability.ts'
import type { Statement } from '../db/driver.ts'
import { logOutsideRequest } from '../unexpected.ts'
import { type JobEngine, messageOf, scopeAt } from './claims.ts'
import { findHeldBooks } from './holds.ts'
import { forAll } from './one-by-one.ts'
import type { Slots } from './slots.ts'
import { createSwept } from './sweeping.ts'

/**
 * Rows that fall due by themselves (a quote's expiry) instead of through a job row each. The handler
 * must be guarded: two processes may find the same row.
 */
export interface Sweep<E> {
  readonly kind: string
  /** `($1 real time, $2 limit)` → "platformId", environment, id of what is due in any book, by its own clock. */
  readonly due: Statement
  /**
   * `($1 platform, $2 environment, $3 the book's time, $4 ids to leave out)` → id, "runAt" of the first that is
   * due in one book.
   */
  readonly dueOfBook: Statement
  /** `($1 platform, $2 environment, $3 limit)` → id, "runAt" of what is still to come in one book, the next first. */
  readonly upcomingOfBook: Statement
  readonly run: (engine: E, scope: SilentScope, id: string) => Promise<Result<Decision, Failure>>
}

/**
 * SQL of a sweep's `due` for rows with a column `expires_at`, along an index of it (0145). The clocks of books are never behind real
 * time, so only those that are ahead are looked at one by one.
 */
export function dueInAnyBook(table: string, condition: string): string {
  return `(select platform_id as "platformId", environment, id from ${table}
     where ${condition} and version > 0 and expires_at <= $1::timestamptz order by expires_at limit $2)
   union all
   (select b.platform_id, b.environment, due.id from books b cross join lateral (
      select id from ${table}
      where platform_id = b.platform_id and environment = b.environment and ${condition}
        and expires_at > $1::timestamptz
        and expires_at <= $1::timestamptz + b.clock_offset_ms * interval '1 millisecond'
      order by expires_at limit $2) due
    where b.clock_offset_ms > 0 limit $2)
   limit $2`
}

/** Rows of a sweep that are looked at, besides those that are left alone for the moment. */
const sweepLimit = 50
/** Less than the loop of jobs waits when it has nothing to do. */
const pauseMs = 500

export interface Sweeper<E> {
  /**
   * Begins what is due in any book and has room in its slot, each sweep by itself: one that fails takes nothing from
   * the others. Returns how many were begun.
   */
  start(engine: E): Promise<number>
  /** The same, and for half a second nothing where no row has come to its end since. */
  startNowAndThen(engine: E): Promise<number>
  /** Runs one row of a sweep at a moment of its book. A failure is logged: the row is still due. */
  run(
    engine: E,
    sweep: Sweep<E>,
    due: { readonly book: Book; readonly id: string; readonly now: Instant },
  ): Promise<void>
}

/** Where the database is away: for ten seconds, which a stop can wait for. */
const triesInTurn = 50
const againInTurnMs = 200

export function createSweeper<E extends JobEngine>(parts: {
  readonly applier: Applier
  readonly sweeps: readonly Sweep<E>[]
  readonly slots: Slots
  /** Books whose clock is being moved: what is due there belongs to that call. */
  readonly advancing: ReadonlySet<string>
  /** Begins work that nobody waits for, in a slot of its own. */
  readonly begin: (engine: E, book: Book, kind: string, work: () => Promise<unknown>) => void
  /** Resolves once nothing runs that was begun. */
  readonly finish: () => Promise<void>
}): Sweeper<E> {
  const { applier, sweeps, slots, advancing, begin, finish } = parts
  const swept = createSwept()
  let lookedAt: Instant | undefined
  let hasEnded = false

  async function start(engine: E): Promise<number> {
    const started = await forAll(engine.world, sweeps, (sweep) =>
      startSweep(engine, sweep).catch((error: unknown) => {
        // Where what is due has its turn, it has to be done in it: whoever gave it tries again.
        if (scheduleOf(engine.world).hasTurns && isUnavailable(error)) throw error
        logOutsideRequest(engine.world.log, `sweep ${sweep.kind}`, error)
        return 0
      }),
    )
    return started.reduce((sum, count) => sum + count, 0)
  }

  async function startSweep(engine: E, sweep: Sweep<E>): Promise<number> {
    type Due = { platformId: string; environment: Environment; id: string }
    const now = engine.world.now()
    const limit = sweepLimit + swept.heldBack(now)
    const due = await engine.database.system((connection) =>
      connection.query<Due>(sweep.due, [toTimestamp(now), limit]),
    )
    const held = await findHeldBooks(engine, due)
    const schedule = scheduleOf(engine.world)
    let started = 0
    for (const row of schedule.ordered(due)) {
      if (held.has(bookKey(row))) continue
      if (advancing.has(bookKey(row)) || slots.room() === 0 || slots.roomOf(row, sweep.kind) === 0) continue
      if (!swept.tries(`${bookKey(row)} ${sweep.kind} ${row.id}`, now)) continue
      started++
      begin(engine, row, sweep.kind, async () => {
        await run(engine, sweep, { book: row, id: row.id, now: await engine.clock.now(row) })
        hasEnded = true
        engine.signals.jobs.notify()
      })
      await schedule.finish(finish)
    }
    return started
  }

  /** What a row draws by chance is drawn for it alone, whatever else falls due with it. */
  const run: Sweeper<E>['run'] = (engine, sweep, due) => {
    const purpose = `sweep ${sweep.kind} ${due.id} ${due.now}`
    return scheduleOf(engine.world).run(purpose, () => runAlone(engine, sweep, due))
  }

  const runAlone: Sweeper<E>['run'] = async (engine, sweep, { book, id, now }) => {
    const { world } = engine
    const scope = scopeAt(book, now, sweep.kind)
    for (let tries = 1; ; tries++) {
      try {
        const outcome = await commit(applier, scope, () => sweep.run(engine, scope, id))
        if (outcome.ok) return
        throw new Error(`sweep refused: ${outcome.failure.code} ${JSON.stringify(outcome.failure.details)}`)
      } catch (error) {
        world.log.warn({ kind: sweep.kind, id, error: messageOf(error) }, 'sweep failed')
        // Where what is due has its turn, it has to be done in it.
        if (!scheduleOf(world).hasTurns || !isUnavailable(error) || tries === triesInTurn) return
        await world.sleep(againInTurnMs)
      }
    }
  }

  async function startNowAndThen(engine: E): Promise<number> {
    const now = engine.world.now()
    const isSoon = lookedAt !== undefined && now >= lookedAt && now - lookedAt < pauseMs
    if (isSoon && !hasEnded) return 0
    lookedAt = now
    hasEnded = false
    return start(engine)
  }

  return { start, startNowAndThen, run }
}
