import { platformRuntime } from '@corridor/sdk/runtime.ts'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { dayOf, longOf, relativeOf, shortOf, type TimeMode } from '../parts/times.ts'
import { words } from '../words.ts'
import { useEveryMs } from './live/live.tsx'
import { Go } from './places.tsx'
import type { Session } from './session.tsx'
import { useTimeMode } from './time-mode.ts'

/** How moments are written, by the address; and the clock by which they happen, which is the platform's own in the sandbox. */
export interface Time {
  readonly mode: TimeMode
  /** As in the sandbox, where it can be moved. */
  readonly hasOwnClock: boolean
  /** How far the clock of the platform is before that of this browser. */
  readonly aheadMs: number
  /** The platform's clock, as of the last look. */
  readonly nowMs: number
}

/** Of this browser. */
const { now } = platformRuntime

const outside: Time = { mode: 'local', hasOwnClock: false, aheadMs: 0, nowMs: now() }
const TimeContext = createContext<Time>(outside)

/** What was last read of the clock of a sandbox, and when that was by this browser's. */
interface ReadClock {
  readonly nowMs: number
  readonly isFrozen: boolean
  readonly readAtMs: number
}

const ReadClockContext = createContext<ReadClock | undefined>(undefined)

/** Exactly, for what counts down; undefined until it is known, and in production. */
export const useReadClock = () => useContext(ReadClockContext)

export const useTime = () => useContext(TimeContext)

/** Around what is by another clock than the page it stands on. */
export const TimeOf = TimeContext.Provider

const clockEveryMs = 15_000
const relativeEveryMs = 10_000

/** Around the pages of a platform, or of operators, whose moments are those of the world. */
export function TimeProvider({
  session,
  children,
}: {
  readonly session?: Session
  readonly children: ReactNode
}) {
  const mode = useTimeMode()
  const hasOwnClock = session?.environment === 'sandbox'
  const clock = useClock(session)
  const aheadMs = clock.data ? Date.parse(clock.data.now) - clock.dataUpdatedAt : 0
  const [wallMs, setWallMs] = useState(now)
  useEffect(() => {
    if (mode !== 'relative') return
    setWallMs(now())
    const ticking = setInterval(() => setWallMs(now()), relativeEveryMs)
    return () => clearInterval(ticking)
  }, [mode])
  // To the second: what the answer took on its way changes nothing that is shown.
  const ahead = Math.round(aheadMs / 1_000) * 1_000
  const time = useMemo(
    () => ({ mode, hasOwnClock, aheadMs: ahead, nowMs: wallMs + ahead }),
    [mode, hasOwnClock, ahead, wallMs],
  )
  const { data, dataUpdatedAt: readAtMs } = clock
  const read = useMemo(
    () => data && { nowMs: Date.parse(data.now), isFrozen: data.isFrozen, readAtMs },
    [data, readAtMs],
  )
  return (
    <TimeContext.Provider value={time}>
      <ReadClockContext.Provider value={read}>{children}</ReadClockContext.Provider>
    </TimeContext.Provider>
  )
}

function useClock(session: Session | undefined) {
  const every = useEveryMs()
  return useQuery({
    queryKey: ['clock'],
    queryFn: () => session!.corridor.sandbox.clock.get(),
    enabled: session?.environment === 'sandbox',
    refetchInterval: every(clockEveryMs),
  })
}

/** In the header of a sandbox: what time it is there. Nothing where the credential may not see it. */
export function ClockOf({ session }: { readonly session: Session }) {
  const { mode } = useTime()
  const clock = useClock(session)
  // Whoever may not see it has no link without a name either.
  if (!clock.data) return null
  // A phone has room for the hour alone.
  const { isFrozen } = clock.data
  const [day, hour] = dayOf(new Date(clock.data.now), mode, isFrozen).split(', ')
  return (
    <Go className="clock" to="sandbox">
      <Icon name="expired" />
      <time dateTime={clock.data.now} title={words.time.clock(clock.data.offsetSeconds)}>
        <span className="wide">{day}, </span>
        {hour}
      </time>
      {isFrozen && <strong> {words.time.frozen}</strong>}
    </Go>
  )
}

/** A moment as the reader wants it, and what stands under the pointer: exactly, and outside the sandbox. */
export function momentOf(
  at: string,
  { mode, nowMs, hasOwnClock, aheadMs }: Time,
  length: 'short' | 'long' | 'exact',
) {
  const date = new Date(at)
  const text =
    mode === 'relative'
      ? relativeOf(date.getTime() - nowMs)
      : length === 'short'
        ? shortOf(date, mode, nowMs)
        : longOf(date, mode, length === 'exact')
  const exact = `${longOf(date, 'local')} · ${at}`
  if (!hasOwnClock) return { text, title: exact }
  const outside = longOf(new Date(date.getTime() - aheadMs), 'local')
  return { text, title: `${words.time.there(exact)}\n${words.time.outside(outside)}` }
}
