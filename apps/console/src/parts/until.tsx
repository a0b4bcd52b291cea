import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSession } from '../app/session.tsx'
import { useTime } from '../app/time.tsx'
import { t } from '../language/t.ts'
import { wallMs } from './wall-clock.ts'

const secondMs = 1_000

/**
 * How long it is until a moment by the clock of the platform, in milliseconds, anew each second; negative once it is past.
 * Undefined until that clock is known, which in a sandbox may be any time, and may stand still.
 */
export function useLeft(at: string): number | undefined {
  const { corridor } = useSession()
  const { hasOwnClock } = useTime()
  // What stands around the page asks for it as well, again and again.
  const clock = useQuery({
    queryKey: ['clock'],
    queryFn: () => corridor.sandbox.clock.get(),
    enabled: hasOwnClock,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [now, setNow] = useState(wallMs)
  useEffect(() => {
    const timer = setInterval(() => setNow(wallMs()), secondMs)
    return () => clearInterval(timer)
  }, [])
  const end = Date.parse(at)
  if (!hasOwnClock) return end - now
  if (!clock.data) return undefined
  const passed = clock.data.isFrozen ? 0 : Math.max(0, now - clock.dataUpdatedAt)
  return end - Date.parse(clock.data.now) - passed
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
