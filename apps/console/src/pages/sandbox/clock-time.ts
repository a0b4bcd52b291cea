/** Whole seconds, so that it is due by then; the clock moves on between two readings, and never goes back. */
export function secondsUntil(now: string, dueAt: string): number {
  return Math.max(0, Math.ceil((Date.parse(dueAt) - Date.parse(now)) / 1_000))
}
