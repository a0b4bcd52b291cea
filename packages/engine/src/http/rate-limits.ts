import type { Instant } from '@corridor/kernel'

/** A token bucket's size: what may come at once, and what comes back each second. */
export interface Limit {
  readonly perSecond: number
  readonly burst: number
}

export interface LimitState {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until one more is allowed (when refused) or the bucket is full. */
  readonly resetSeconds: number
}

/** Token buckets by key, in the memory of one process. Old buckets are full again, so they are dropped. */
export interface RateLimiter {
  take(key: string, limit: Limit, now: Instant): LimitState
  /** The same without taking anything. */
  look(key: string, limit: Limit, now: Instant): LimitState
}

const maxBuckets = 50_000

export function createRateLimiter(): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: Instant }>()

  function tokensOf(key: string, limit: Limit, now: Instant): number {
    const known = buckets.get(key)
    if (!known) return limit.burst
    const elapsedSeconds = Math.max(0, now - known.at) / 1000
    return Math.min(limit.burst, known.tokens + elapsedSeconds * limit.perSecond)
  }

  return {
    take(key, limit, now) {
      const tokens = tokensOf(key, limit, now)
      const allowed = tokens >= 1
      const left = allowed ? tokens - 1 : tokens
      if (!buckets.has(key) && buckets.size >= maxBuckets) buckets.clear()
      buckets.set(key, { tokens: left, at: now })
      return toState(left, limit, allowed)
    },
    look(key, limit, now) {
      const tokens = tokensOf(key, limit, now)
      return toState(tokens, limit, tokens >= 1)
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

/** What the operator lets through (conventions 8): whole numbers, 0 for no limit. */
export interface RateLimits {
  /** All requests of a platform. Four seconds' worth may come at once. */
  readonly platformPerSecond: number
  readonly customerWritesPerSecond: number
  /** From one address, in both environments: nobody knows yet which one is meant. */
  readonly failedLoginsPerMinute: number
}

export const defaultLimits: RateLimits = {
  platformPerSecond: 50,
  customerWritesPerSecond: 10,
  failedLoginsPerMinute: 20,
}

export const noLimits: RateLimits = {
  platformPerSecond: 0,
  customerWritesPerSecond: 0,
  failedLoginsPerMinute: 0,
}

/** The buckets of an environment, which may have a multiple; undefined where there is no limit. */
export function limitsOf(limits: RateLimits, factor: number) {
  const platform = limits.platformPerSecond * factor
  const writes = limits.customerWritesPerSecond * factor
  return {
    platform: platform > 0 ? { perSecond: platform, burst: 4 * platform } : undefined,
    customerWrites: writes > 0 ? { perSecond: writes, burst: writes } : undefined,
  }
}

export function failedLoginLimit({ failedLoginsPerMinute }: RateLimits): Limit | undefined {
  return failedLoginsPerMinute > 0
    ? { perSecond: failedLoginsPerMinute / 60, burst: failedLoginsPerMinute }
    : undefined
}
