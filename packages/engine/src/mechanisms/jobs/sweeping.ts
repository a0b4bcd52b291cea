import type { Instant } from '@corridor/kernel'

/**
 * Rows that a sweep has been at lately. One that comes back at once was not changed, or its run failed: it is
 * left alone for longer each time, so that it neither spins nor stands in the way of those behind it.
 */
export interface Swept {
  /** Whether this row may be tried now; if so, it counts as tried. */
  tries(key: string, now: Instant): boolean
  /** How many are left alone now, and would only take the places of others in a list. */
  heldBack(now: Instant): number
}

const firstPauseMs = 5_000
const longestPauseMs = 10 * 60_000
/** How long after its pause a row that did not come back is remembered. */
const memoryMs = 60_000

export function createSwept(): Swept {
  const rows = new Map<string, { tries: number; until: Instant }>()

  function forgetPast(now: Instant): void {
    for (const [key, { until }] of rows) if (until + memoryMs < now) rows.delete(key)
  }

  return {
    tries(key, now) {
      const known = rows.get(key)
      if (known && now < known.until) return false
      const tries = (known?.tries ?? 0) + 1
      rows.set(key, { tries, until: now + Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1)) })
      return true
    },
    heldBack(now) {
      forgetPast(now)
      return rows.size
    },
  }
}
