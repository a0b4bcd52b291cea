import type { Instant } from '@corridor/kernel'

/** A token bucket's size: what may come at once, and what comes back each second. 0 burst = no limit. */
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
}

const maxBuckets = 50_000

export function createRateLimiter(): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: Instant }>()
  return {
    take(key, limit, now) {
      const known = buckets.get(key)
      const elapsedSeconds = known ? Math.max(0, now - known.at) / 1000 : 0
      const tokens = Math.min(
        limit.burst,
        known ? known.tokens + elapsedSeconds * limit.perSecond : limit.burst,
      )
      const allowed = tokens >= 1
      const left = allowed ? tokens - 1 : tokens
      if (!known && buckets.size >= maxBuckets) buckets.clear()
      buckets.set(key, { tokens: left, at: now })
      const missing = allowed ? limit.burst - left : 1 - left
      return {
        allowed,
        limit: limit.burst,
        remaining: Math.floor(left),
        resetSeconds: Math.max(1, Math.ceil(missing / limit.perSecond)),
      }
    },
  }
}

/** Defaults of conventions 8; the sandbox has ten times as much. */
export const productionLimits = {
  platform: { perSecond: 50, burst: 200 },
  customerWrites: { perSecond: 10, burst: 20 },
  failedAuthentication: { perSecond: 20 / 60, burst: 20 },
} as const satisfies Record<string, Limit>

export function timesTen(limit: Limit): Limit {
  return { perSecond: limit.perSecond * 10, burst: limit.burst * 10 }
}
