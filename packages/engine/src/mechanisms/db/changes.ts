import type { Instant } from '@corridor/kernel'

/** How far the time of a change may be ahead of the clock, in ms. */
const maxAheadMs = 1_000

/** The changes of one internal account in a batch, in the order of its decisions. */
export interface Changes {
  /** The time of each decision. */
  readonly decidedAt: Instant[]
  /** The time that each change carries, as far as somebody asked for it. */
  readonly carried: Instant[]
}

/** What stood in the row of the account before the batch. */
export interface LastChange {
  readonly version: bigint
  /** Undefined before the first change. */
  readonly changedAt: Instant | undefined
}

/** The latest time that a change may carry, by the clock of its book. */
export function latestChange(now: Instant): Instant {
  return now + maxAheadMs
}

/**
 * The time of a change, so many changes before the last one of the batch. Each change comes at least a millisecond after the
 * one before it. An account that changes more than a thousand times in a second gets ahead of the clock by that. At the
 * limit the changes of one commit carry the same time.
 */
export function timeOfChange(changes: Changes, ago: number, last: LastChange, latest: Instant): Instant {
  const { decidedAt, carried } = changes
  for (let index = carried.length; index < decidedAt.length - ago; index++) {
    const before = carried[index - 1] ?? last.changedAt
    const next = before === undefined ? decidedAt[index]! : Math.max(decidedAt[index]!, before + 1)
    carried.push(next > latest ? Math.max(before ?? next, latest) : next)
  }
  return carried[decidedAt.length - ago - 1] ?? last.changedAt ?? 0
}
