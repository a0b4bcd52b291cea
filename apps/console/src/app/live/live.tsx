import { focusManager, type Query, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { words } from '../../words.ts'
import { placeNameOf, type Session } from '../session.tsx'
import { type FeedState, openFeed, type Told } from './feed.ts'
import { refresh } from './refresh.ts'

interface Live {
  readonly state: FeedState
  readonly isPaused: boolean
  /** Events that wait because updates are paused. */
  readonly waiting: number
  setPaused(isPaused: boolean): void
}

const off: Live = { state: { kind: 'OFF' }, isPaused: false, waiting: 0, setPaused() {} }
const LiveContext = createContext<Live>(off)

/** Whether pages are told what happens. Where they are not they look by themselves. */
export function useLive(): Live {
  return useContext(LiveContext)
}

/** How often a page looks by itself: as it says, or seldom while it is told what happens. */
export function useEveryMs(): (ms: number) => number {
  const { state } = useLive()
  return (ms) => (state.kind === 'LIVE' ? Math.max(ms, 10_000) : ms)
}

/** Between two times that pages are brought up to date, however much happens. */
const spacingMs = 150
const announcedEveryMs = 5_000
/** Of those that wait while it is paused or busy, the latest. */
const mostWaiting = 1_000

export function LiveProvider({
  session,
  children,
}: {
  readonly session: Session
  readonly children: ReactNode
}) {
  const queries = useQueryClient()
  const [state, setState] = useState<FeedState>({ kind: 'STARTING' })
  const [isPaused, setPaused] = useState(false)
  const [waiting, setWaiting] = useState(0)
  const [announced, setAnnounced] = useState('')
  const paused = useRef(isPaused)
  const go = useRef<() => void>(() => {})
  paused.current = isPaused

  useEffect(() => {
    let pending: Told[] = []
    let isBusy = false
    let isOver = false
    let count = 0
    const flush = async () => {
      if (isBusy || isOver || paused.current || pending.length === 0) return
      isBusy = true
      const events = pending
      pending = []
      setWaiting(0)
      count += events.length
      await refresh(queries, session, events).catch(() => {})
      setTimeout(() => {
        isBusy = false
        void flush()
      }, spacingMs)
    }
    const announcing = setInterval(() => {
      if (count > 0) setAnnounced(words.live.updates(count))
      count = 0
    }, announcedEveryMs)
    go.current = () => void flush()
    let isDown = false
    const close = openFeed(placeNameOf(session), session.openStream, {
      onTold(events) {
        pending = [...pending, ...events].slice(-mostWaiting)
        if (paused.current) setWaiting(pending.length)
        void flush()
      },
      onResync: () => void queries.invalidateQueries(),
      onClock: () => void queries.invalidateQueries({ queryKey: ['clock'] }),
      onState(next) {
        // What was asked while nobody answered is on no page yet, so no event says that it changed.
        if (isDown && next.kind === 'LIVE')
          void queries.refetchQueries({ type: 'active', predicate: hasFailed })
        isDown = next.kind === 'DOWN'
        setState(next)
      },
    })
    return () => {
      isOver = true
      clearInterval(announcing)
      close()
    }
  }, [session, queries])
  useEffect(() => {
    if (!isPaused) return go.current()
    // A page that is paused looks as seldom as one that nobody looks at, and once it goes on as one that is looked at again.
    focusManager.setFocused(false)
    const reading = { predicate: isReadAgain }
    void queries.cancelQueries(reading)
    void queries.invalidateQueries({ ...reading, refetchType: 'none' })
    return () => focusManager.setFocused(undefined)
  }, [isPaused, queries])

  const live = useMemo(() => ({ state, isPaused, waiting, setPaused }), [state, isPaused, waiting])
  return (
    <LiveContext.Provider value={live}>
      {children}
      <p className="hidden" aria-live="polite">
        {announced}
      </p>
    </LiveContext.Provider>
  )
}

const hasFailed = ({ state }: Query) => state.status === 'error'

/** What stands on a page already, and is on its way anew. */
function isReadAgain({ state }: Query): boolean {
  return state.data !== undefined && state.fetchStatus === 'fetching'
}

/** In the header: that pages are told what happens, and what stops that. */
export function LiveButton() {
  const { state, isPaused, waiting, setPaused } = useLive()
  if (state.kind !== 'LIVE') return null
  return (
    <button type="button" className="quiet" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
      {isPaused ? words.live.paused(waiting) : words.live.on}
    </button>
  )
}

/** Over the page, while nothing is told. */
export function LiveBar() {
  const { state } = useLive()
  if (state.kind !== 'DOWN') return null
  return (
    <p className="stale" role="status">
      {words.live.stopped(new Date(state.since).toLocaleTimeString('en-GB'))}
    </p>
  )
}
