import type { Instant } from '@corridor/kernel'
import { type Actor, type Book, bookKey, bookOf, type SilentScope } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { type Connection, statement } from '../db/driver.ts'

/**
 * What time it is in a book. A production book keeps real time; a sandbox book adds an offset that only
 * grows, so that its owner can jump over delays and expiries (architecture, section 8).
 */
export interface Clock {
  now(book: Book): Promise<Instant>
  /** By how much the book's time is ahead of the real one, in milliseconds. */
  offsetMs(book: Book): Promise<number>
  /** What it shows, where that is known without being read. */
  knownNow(book: Book): Instant | undefined
  /** A scope whose `now` is read once, at this moment. */
  scope(book: Book, actor: Actor): Promise<SilentScope>
  /** Sets the offset so that the book's time is `instant`, unless it is later already. */
  moveTo(book: Book, instant: Instant): Promise<void>
  /** The same, and leaves it to the caller to have the jobs of the book wait for less (`rescheduling`). */
  raiseTo(book: Book, instant: Instant): Promise<void>
  /** Whether the book meets the condition that the clock was created with. Read with the time, and so for nothing. */
  isMarked(book: Book): Promise<boolean>
  /** What is known of the book is read anew. */
  forget(book: Book): void
}

/** How long another process may go on using an offset that this one has moved. */
const cacheMs = 2_000

const statementsWith = (condition: string) => ({
  loadOffset: statement(
    'clock.load',
    `select clock_offset_ms as "offsetMs", ${condition} as "isMarked" from books where platform_id = $1 and environment = $2`,
  ),
  raiseOffset: statement(
    'clock.raise',
    `update books set clock_offset_ms = greatest(clock_offset_ms, $3)
   where platform_id = $1 and environment = $2 returning clock_offset_ms as "offsetMs", ${condition} as "isMarked"`,
  ),
})
const rescheduleJobs = statement(
  'clock.reschedule',
  `update jobs set due_at = run_at - (select clock_offset_ms from books where platform_id = $1 and environment = $2)
     * interval '1 millisecond'
   where platform_id = $1 and environment = $2 and dead_at is null and claim is null`,
)

/** Has the jobs of a book that nobody runs wait as long as its clock says. */
export function rescheduling({ platformId, environment }: Book) {
  return { statement: rescheduleJobs, parameters: [platformId, environment] } as const
}

interface Row {
  readonly offsetMs: bigint
  readonly isMarked: boolean
}

interface Known {
  readonly offsetMs: number
  readonly isMarked: boolean
  readonly loadedAt: Instant
}

const ofProduction = { offsetMs: 0, isMarked: false } as const

/** `mark`: a condition in SQL on the book `($1 platform, $2 environment)` of a sandbox; absent: no book is marked. */
export function createClock(database: Database, world: { now(): Instant }, mark = 'false'): Clock {
  const { loadOffset, raiseOffset } = statementsWith(mark)
  const cache = new Map<string, Known>()
  /** How often this process has changed what is known: what was read meanwhile may be older, and is not kept. */
  let changes = 0
  const underWay = new Map<string, { readonly changesBefore: number; readonly read: Promise<Known> }>()

  /** A failover may undo a move of the clock, so each server has its own offsets. */
  const keyOf = (book: Book) => `${database.server()} ${bookKey(book)}`

  async function known(book: Book): Promise<Pick<Known, 'offsetMs' | 'isMarked'>> {
    if (book.environment === 'PRODUCTION') return ofProduction
    const key = keyOf(book)
    const before = cache.get(key)
    if (before && world.now() - before.loadedAt < cacheMs) return before
    // One read for all who ask meanwhile: whoever is late in a busy moment are many.
    const asked = underWay.get(key)
    if (asked?.changesBefore === changes) return asked.read
    const asking = { changesBefore: changes, read: load(book, key, changes) }
    underWay.set(key, asking)
    const isOver = () => {
      if (underWay.get(key) === asking) underWay.delete(key)
    }
    asking.read.then(isOver, isOver)
    return asking.read
  }

  async function load(book: Book, key: string, changesBefore: number): Promise<Known> {
    // As nobody in particular: who acts for one customer sees less.
    const [row] = await database.read<Row>(bookOf(book), loadOffset, [book.platformId, book.environment])
    const read = knownOf(row)
    if (changes === changesBefore) cache.set(key, read)
    return read
  }

  function knownOf(row: Row | undefined): Known {
    const { offsetMs = 0n, isMarked = false } = row ?? {}
    return { offsetMs: Number(offsetMs), isMarked, loadedAt: world.now() }
  }

  async function raise(
    book: Book,
    instant: Instant,
    andThen: (connection: Connection) => Promise<unknown>,
  ): Promise<void> {
    const wanted = BigInt(Math.max(0, instant - world.now()))
    const raised = await database.system(async (connection) => {
      const [row] = await connection.query<Row>(raiseOffset, [book.platformId, book.environment, wanted])
      await andThen(connection)
      return row
    })
    changes++
    cache.set(keyOf(book), knownOf(raised))
  }

  const clock: Clock = {
    async now(book) {
      const { offsetMs } = await known(book)
      return world.now() + offsetMs
    },
    offsetMs: async (book) => (await known(book)).offsetMs,
    knownNow(book) {
      const { offsetMs } = book.environment === 'PRODUCTION' ? ofProduction : (cache.get(keyOf(book)) ?? {})
      return offsetMs === undefined ? undefined : world.now() + offsetMs
    },
    async scope(book, actor) {
      const { platformId, environment } = book
      return { platformId, environment, actor, now: await clock.now(book) }
    },
    async moveTo(book, instant) {
      const { statement: reschedule, parameters } = rescheduling(book)
      await raise(book, instant, (connection) => connection.query(reschedule, parameters))
    },
    raiseTo: (book, instant) => raise(book, instant, async () => {}),
    isMarked: async (book) => (await known(book)).isMarked,
    forget(book) {
      changes++
      cache.delete(keyOf(book))
    },
  }
  return clock
}
