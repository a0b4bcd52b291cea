import type { Instant } from '@corridor/kernel'
import { LRUCache } from 'lru-cache'
import type { Keys } from '../keys/keys.ts'
import { createRateLimiter, failedLoginLimit, type LimitState, type RateLimits } from './rate-limits.ts'

/**
 * Limits failed sign-ins from an address (conventions 8). A valid key is never refused because of wrong ones: the keys
 * that are checked here have 128 bits of entropy or more, so waiting keeps nobody from guessing them, and a lock would
 * only keep out their owners, all of whom may share an address. Whoever is over the limit gets 429 in place of 401.
 */
export interface LoginGuard {
  /**
   * The state of a source that is over its limit and shows a credential again that failed a moment ago: it needs no look-up.
   * Undefined for everything else.
   */
  repeats(source: string, credential: string | undefined): LimitState | undefined
  /** Counts a failure, and says whether it was one too many. Undefined where there is no limit. */
  failed(source: string, credential: string | undefined): LimitState | undefined
}

const maxRemembered = 10_000
/** Short, because a restored sandbox may have a token again that it did not have before. */
const rememberedMs = 10_000

export function createLoginGuard(parts: {
  readonly keys: Pick<Keys, 'searchHash'>
  readonly world: { now(): Instant }
  readonly rateLimits: RateLimits
}): LoginGuard {
  const { keys, world } = parts
  const limit = failedLoginLimit(parts.rateLimits)
  const limiter = createRateLimiter()
  /** Until when each credential is known to be wrong. By a keyed hash, because most wrong credentials are nearly right. */
  const wrong = new LRUCache<string, Instant>({ max: maxRemembered })
  const hashOf = (credential: string) => keys.searchHash('failed-login', credential)

  return {
    repeats(source, credential) {
      if (!limit || credential === undefined) return undefined
      const state = limiter.look(source, limit, world.now())
      if (state.allowed) return undefined
      return (wrong.get(hashOf(credential)) ?? 0) > world.now() ? state : undefined
    },
    failed(source, credential) {
      if (!limit) return undefined
      const now = world.now()
      if (credential !== undefined) wrong.set(hashOf(credential), now + rememberedMs)
      return limiter.take(source, limit, now)
    },
  }
}
