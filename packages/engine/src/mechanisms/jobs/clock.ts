import type { Instant } from '@corridor/kernel'
import { type Actor, type Book, bookKey, type SilentScope } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'

/**
 * What time it is in a book. A production book keeps real time; a sandbox book adds an offset that only
 * grows, so that its owner can jump over delays and expiries (architecture, section 8).
 */
export interface Clock {
  now(book: Book): Promise<Instant>
  /** A scope whose `now` is read once, at this moment. */
  scope(book: Book, actor: Actor): Promise<SilentScope>
  /** Sets the offset so that the book's time is `instant`, unless it is later already. */
  moveTo(book: Book, instant: Instant): Promise<void>
}

/** How long another process may go on using an offset that this one has moved. */
const cacheMs = 2_000

const loadOffset = statement(
  'clock.load',
  'select clock_offset_ms as "offsetMs" from books where platform_id = $1 and environment = $2',
)
const raiseOffset = statement(
  'clock.raise',
  `update books set clock_offset_ms = greatest(clock_offset_ms, $3)
   where platform_id = $1 and environment = $2 returning clock_offset_ms as "offsetMs"`,
)
const rescheduleJobs = statement(
  'clock.reschedule',
  `update jobs set due_at = run_at - $3::bigint * interval '1 millisecond'
   where platform_id = $1 and environment = $2 and dead_at is null and attempts = 0`,
)

export function createClock(database: Database, world: { now(): Instant }): Clock {
  const cache = new Map<string, { offsetMs: number; loadedAt: Instant }>()

  async function offsetOf(book: Book): Promise<number> {
    if (book.environment === 'PRODUCTION') return 0
    const key = bookKey(book)
    const known = cache.get(key)
    if (known && world.now() - known.loadedAt < cacheMs) return known.offsetMs
    const [row] = await database.read<{ offsetMs: bigint }>(book, loadOffset, [
      book.platformId,
      book.environment,
    ])
    const offsetMs = Number(row?.offsetMs ?? 0n)
    cache.set(key, { offsetMs, loadedAt: world.now() })
    return offsetMs
  }

  const clock: Clock = {
    async now(book) {
      const offsetMs = await offsetOf(book)
      return world.now() + offsetMs
    },
    async scope(book, actor) {
      const { platformId, environment } = book
      return { platformId, environment, actor, now: await clock.now(book) }
    },
    async moveTo(book, instant) {
      const wanted = BigInt(Math.max(0, instant - world.now()))
      const parameters = [book.platformId, book.environment, wanted]
      const offsetMs = await database.system(async (connection) => {
        const [row] = await connection.query<{ offsetMs: bigint }>(raiseOffset, parameters)
        const raised = row?.offsetMs ?? 0n
        await connection.query(rescheduleJobs, [book.platformId, book.environment, raised])
        return raised
      })
      cache.set(bookKey(book), { offsetMs: Number(offsetMs), loadedAt: world.now() })
    },
  }
  return clock
}
