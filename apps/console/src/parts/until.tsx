import { useSyncExternalStore } from 'react'
import { useReadClock, useTime } from '../app/time.tsx'
import { t } from '../language/t.ts'
import { wallMs } from './wall-clock.ts'

const secondMs = 1_000

const told = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

/** One timer for all that counts down, as a list may have that in each row; it goes off as a second begins. */
function everySecond(tell: () => void): () => void {
  told.add(tell)
  timer ??= setTimeout(tick, secondMs - (wallMs() % secondMs))
  return () => {
    told.delete(tell)
    if (told.size > 0) return
    clearTimeout(timer)
    timer = undefined
  }
}

function tick(): void {
  timer = setTimeout(tick, secondMs - (wallMs() % secondMs))
  for (const tell of told) tell()
}

/** When the second began that it is. */
const thisSecond = () => Math.floor(wallMs() / secondMs) * secondMs

/**
 * How long it is until a moment by the clock of the platform, in milliseconds, anew each second; negative once it is past.
 * Undefined until that clock is known, which in a sandbox may be any time, and may stand still, and where there is no such moment.
 */
export function useLeft(at: string | undefined): number | undefined {
  const { hasOwnClock } = useTime()
  const clock = useReadClock()
  const now = useSyncExternalStore(everySecond, thisSecond)
  if (at === undefined) return undefined
  const end = Date.parse(at)
  if (!hasOwnClock) return end - now
  if (!clock) return undefined
  const passed = clock.isFrozen ? 0 : Math.max(0, now - clock.readAtMs)
  return end - clock.nowMs - passed
}

/** `90000` → `1 min 30 s`; of days and hours the rest is left out where `parts` says so. */
export function spanOf(ms: number, parts = 4): string {
  const seconds = Math.floor(ms / secondMs)
  const all = [
    [Math.floor(seconds / 86_400), (count: number) => t('{count} d', { count })],
    [Math.floor(seconds / 3600) % 24, (count: number) => t('{count} h', { count })],
    [Math.floor(seconds / 60) % 60, (count: number) => t('{count} min', { count })],
    [seconds % 60, (count: number) => t('{count} s', { count })],
  ] as const
  return all
    .filter(([count]) => count > 0)
    .slice(0, parts)
    .map(([count, said]) => said(count))
    .join(' ')
}
