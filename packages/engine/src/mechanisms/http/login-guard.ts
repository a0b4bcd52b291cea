import { type Instant, toTimestamp } from '@corridor/kernel'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import type { Keys } from '../keys/keys.ts'
import { createRateLimiter, failedLoginLimit, type LimitState, type RateLimits } from './rate-limits.ts'

/**
 * Stops who guesses credentials (conventions 8). Failures are counted for an id from a source, and for a
 * source whatever the ids; after too many for an id even the right secret waits there, or waiting would
 * not matter to whoever guesses. Counts of ids that exist are shared by all processes, in the database;
 * those of invented ones need not be, because no secret is right for them.
 */
export interface LoginGuard {
  /** The state of an id that must wait, as far as this process knows; undefined where it may try. */
  waits(source: string, id: string): LimitState | undefined
  /** The same, after asking what the other processes know. */
  recall(source: string, id: string): Promise<LimitState | undefined>
  /** Counts a failure, and says whether it was one too many. `id` is undefined where it is nobody's. */
  failed(source: string, id: string | undefined): Promise<LimitState | undefined>
}

const load = statement('loginGuard.load', 'select full_at as "fullAt" from failed_logins where key = $1')
const count = statement(
  'loginGuard.count',
  `insert into failed_logins (key, full_at) values ($1, $3)
   on conflict (key) do update set full_at = greatest(failed_logins.full_at, $2::timestamptz) + ($3::timestamptz - $2::timestamptz)
   returning full_at as "fullAt"`,
)
const forgetFull = statement('loginGuard.forgetFull', 'delete from failed_logins where full_at < $1')

export function createLoginGuard(parts: {
  readonly database: Database
  readonly keys: Pick<Keys, 'searchHash'>
  readonly world: { now(): Instant }
  readonly rateLimits: RateLimits
}): LoginGuard {
  const { database, keys, world } = parts
  const limit = failedLoginLimit(parts.rateLimits)
  const limiter = createRateLimiter()
  // Addresses of people are not to be read in a copy of the database.
  const keyOf = (source: string, id: string | undefined) =>
    keys.searchHash('failed-login', id === undefined ? source : `${source} ${id}`)

  function waits(key: string): LimitState | undefined {
    if (!limit) return undefined
    const state = limiter.look(key, limit, world.now())
    return state.allowed ? undefined : state
  }

  return {
    waits: (source, id) => (limit ? waits(keyOf(source, id)) : undefined),
    async recall(source, id) {
      if (!limit) return undefined
      const key = keyOf(source, id)
      const [row] = await database.system((connection) => connection.query<{ fullAt: Instant }>(load, [key]))
      if (row) limiter.learn(key, row.fullAt)
      return waits(key)
    },
    async failed(source, id) {
      if (!limit) return undefined
      const now = world.now()
      const ofSource = limiter.take(keyOf(source, undefined), limit, now)
      const key = keyOf(source, id)
      // Whoever is told to wait already costs nobody a statement.
      if (id !== undefined ? !waits(key) : ofSource.allowed) {
        const unitMs = Math.ceil(1000 / limit.perSecond)
        const [row] = await database.system((connection) =>
          connection.query<{ fullAt: Instant }>(count, [key, toTimestamp(now), toTimestamp(now + unitMs)]),
        )
        if (row) limiter.learn(key, row.fullAt)
      }
      return ofSource
    },
  }
}

/** Removes counts that say nothing any more. */
export async function forgetOldFailures(database: Database, now: Instant): Promise<void> {
  await database.system((connection) => connection.query(forgetFull, [toTimestamp(now)]))
}
