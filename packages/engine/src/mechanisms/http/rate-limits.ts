import type { Instant } from '@corridor/kernel'
import { LRUCache } from 'lru-cache'

/** A token bucket: `burst` requests can come at once, and `perSecond` tokens return each second. */
export interface Limit {
  readonly perSecond: number
  readonly burst: number
}

export interface LimitState {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the next request is allowed, if this one was rejected. Otherwise, until the bucket is full. */
  readonly resetSeconds: number
}

/** Token buckets by key, in the memory of one process. */
export interface RateLimiter {
  take(key: string, limit: Limit, now: Instant): LimitState
  /** Returns the state without taking a token. */
  look(key: string, limit: Limit, now: Instant): LimitState
  /** Takes over the count of another process: the bucket is not full before `fullAt`. */
  learn(key: string, fullAt: Instant): void
}

/** Above this number, the least recently used bucket is dropped. */
const maxBuckets = 50_000

export function createRateLimiter(): RateLimiter {
  /** The time at which each bucket is full again, which is its whole state. `max` would allocate all entries in advance; `maxSize` does not. */
  const buckets = new LRUCache<string, Instant>({ maxSize: maxBuckets, sizeCalculation: () => 1 })

  function tokensOf(key: string, limit: Limit, now: Instant): number {
    const missingMs = Math.max(0, (buckets.get(key) ?? now) - now)
    // Without rounding, a bucket that refills by thirds would never be full.
    return Math.max(0, Math.round((limit.burst - (missingMs * limit.perSecond) / 1000) * 1e6) / 1e6)
  }

  return {
    take(key, limit, now) {
      const tokens = tokensOf(key, limit, now)
      if (tokens < 1) return toState(tokens, limit, false)
      buckets.set(key, Math.max(buckets.get(key) ?? now, now) + 1000 / limit.perSecond)
      return toState(tokens - 1, limit, true)
    },
    look(key, limit, now) {
      const tokens = tokensOf(key, limit, now)
      return toState(tokens, limit, tokens >= 1)
    },
    learn(key, fullAt) {
      if (fullAt > (buckets.get(key) ?? 0)) buckets.set(key, fullAt)
    },
  }
}

function toState(left: number, limit: Limit, allowed: boolean): LimitState {
  const missing = allowed ? limit.burst - left : 1 - left
  return {
    allowed,
    limit: limit.burst,
    remaining: Math.floor(left),
    resetSeconds: Math.max(1, Math.ceil(missing / limit.perSecond)),
  }
}

/** Limits that the operator sets (conventions 8): whole numbers, 0 for no limit. */
export interface RateLimits {
  /** All requests of a platform. Bursts can be four times as high. */
  readonly platformPerSecond: number
  readonly customerWritesPerSecond: number
  /** Failed logins from one address. They count for both environments together, because a failed login has no environment. */
  readonly failedLoginsPerMinute: number
  /** Codes and challenges of one credential of a wallet. */
  readonly walletChallengesPerMinute: number
  /** Failed verifications of one credential of a wallet. */
  readonly walletFailuresPerMinute: number
  /** Reveals of the number of one card (cards 1.4). */
  readonly cardRevealsPerMinute: number
  /** Device codes that one address tries to redeem (wallets 12.1). */
  readonly redemptionsPerMinute: number
  /** Requests from one address that need no credentials: unknown paths and pages. Bursts can be four times as high. */
  readonly anonymousPerSecond: number
}

export const defaultLimits: RateLimits = {
  platformPerSecond: 50,
  customerWritesPerSecond: 10,
  failedLoginsPerMinute: 20,
  walletChallengesPerMinute: 5,
  walletFailuresPerMinute: 10,
  cardRevealsPerMinute: 10,
  redemptionsPerMinute: 10,
  anonymousPerSecond: 20,
}

export const noLimits: RateLimits = {
  platformPerSecond: 0,
  customerWritesPerSecond: 0,
  failedLoginsPerMinute: 0,
  walletChallengesPerMinute: 0,
  walletFailuresPerMinute: 0,
  cardRevealsPerMinute: 0,
  redemptionsPerMinute: 0,
  anonymousPerSecond: 0,
}

/** Limits of an environment: those of the operator times `factor`. Undefined means no limit. */
export function limitsOf(limits: RateLimits, factor: number) {
  const platform = limits.platformPerSecond * factor
  const writes = limits.customerWritesPerSecond * factor
  return {
    platform: platform > 0 ? { perSecond: platform, burst: 4 * platform } : undefined,
    customerWrites: writes > 0 ? { perSecond: writes, burst: writes } : undefined,
  }
}

export function failedLoginLimit({ failedLoginsPerMinute }: RateLimits): Limit | undefined {
  return perMinute(failedLoginsPerMinute)
}

/** A limit of `times` a minute, which can all come at once. 0 means no limit. */
export function perMinute(times: number): Limit | undefined {
  return times > 0 ? { perSecond: times / 60, burst: times } : undefined
}

export function anonymousLimit({ anonymousPerSecond: perSecond }: RateLimits): Limit | undefined {
  return perSecond > 0 ? { perSecond, burst: 4 * perSecond } : undefined
}
