import { readFrames } from './frames.ts'

/** An event of the platform, as the stream names it. */
export interface Told {
  readonly id: string
  readonly type: string
  readonly resourceId: string
}

export type FeedState =
  | { readonly kind: 'STARTING' }
  | { readonly kind: 'LIVE' }
  /** Since when nothing is told, in milliseconds of the clock. */
  | { readonly kind: 'DOWN'; readonly since: number }
  /** Whoever is signed in may not see it. */
  | { readonly kind: 'OFF' }

export interface FeedListener {
  onTold(events: readonly Told[]): void
  /** What was missed is too much, so everything is to be read anew. */
  onResync(): void
  /** The clock of the sandbox was moved. */
  onClock(): void
  onState(state: FeedState): void
}

/** What tabs tell each other. */
type Message =
  | { readonly kind: 'HELLO' }
  | { readonly kind: 'STATE'; readonly state: FeedState }
  | { readonly kind: 'TOLD'; readonly events: readonly Told[]; readonly last: string }
  | { readonly kind: 'CLOCK' }
  | { readonly kind: 'RESYNC'; readonly last: string | undefined }

type OpenStream = (after: string | undefined, signal: AbortSignal) => Promise<Response>

/** The stream says something every ten seconds; after more than two of them it is taken for lost. */
const silentMs = 25_000
const firstPauseMs = 1_000
const longestPauseMs = 15_000
/** Whoever may not see it is asked for again seldom: a permission may have been given. */
const refusedPauseMs = 60_000

/**
 * What happens in a platform, told to all tabs over one connection: browsers allow six to a host. The tab that holds the
 * lock reads the stream and passes on what it hears; when it is closed the next one takes over after the event that was
 * told last. Returns what closes it.
 */
export function openFeed(name: string, open: OpenStream, listener: FeedListener): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const channel = new BroadcastChannel(`corridor ${name}`)
  let last: string | undefined
  let isLeading = false
  let state: FeedState = { kind: 'STARTING' }
  /** Between the word that the sandbox was restored and the next stream: nothing that is shown may still be so. */
  let isRestored = false

  function hear(message: Message): void {
    if (message.kind === 'HELLO') {
      if (isLeading) channel.postMessage({ kind: 'STATE', state } satisfies Message)
      return
    }
    if (message.kind === 'STATE') {
      state = message.state
      listener.onState(state)
      return
    }
    if (message.kind === 'CLOCK') {
      listener.onClock()
      return
    }
    last = message.last
    if (message.kind === 'TOLD') listener.onTold(message.events)
    else listener.onResync()
  }
  /** To the other tabs and to this one. */
  function say(message: Message): void {
    if (signal.aborted) return
    channel.postMessage(message)
    hear(message)
  }

  function resync(id: string | undefined): void {
    isRestored = false
    say({ kind: 'RESYNC', last: id })
  }

  /** Until the stream ends. */
  async function listen(onReady: () => void): Promise<'REFUSED' | 'RESTORED' | 'LOST'> {
    const cut = new AbortController()
    const stop = () => cut.abort()
    signal.addEventListener('abort', stop)
    let silence = setTimeout(stop, silentMs)
    try {
      const response = await open(last, cut.signal)
      if (response.status === 401 || response.status === 403) {
        // Whoever has signed in since then has not: pages that ask find out.
        if (isRestored) resync(undefined)
        return 'REFUSED'
      }
      // The fork is gone, and what pages ask next says so.
      if (response.status === 404) resync(undefined)
      if (!response.ok || !response.body) return 'LOST'
      for await (const frames of readFrames(response.body)) {
        clearTimeout(silence)
        silence = setTimeout(stop, silentMs)
        const events: Told[] = []
        for (const { event, id, data } of frames) {
          if (event === 'event') events.push(JSON.parse(data) as Told)
          else if (event === 'clock') say({ kind: 'CLOCK' })
          else if (event === 'end') return 'REFUSED'
          else if (event === 'world.restored') {
            isRestored = true
            last = undefined
            return 'RESTORED'
          } else if (event === 'ready' || event === 'resync') {
            if (event === 'resync' || isRestored) resync(id)
            last = id ?? last
            onReady()
          }
        }
        const newest = events.at(-1)
        if (newest) say({ kind: 'TOLD', events, last: newest.id })
      }
      return 'LOST'
    } catch {
      // Cut, or nobody there: what follows is the same.
      return 'LOST'
    } finally {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
      cut.abort()
    }
  }

  async function lead(): Promise<void> {
    isLeading = true
    let pauseMs = firstPauseMs
    while (!signal.aborted) {
      const ended = await listen(() => {
        pauseMs = firstPauseMs
        say({ kind: 'STATE', state: { kind: 'LIVE' } })
      })
      if (signal.aborted) return
      const isRefused = ended === 'REFUSED'
      if (ended === 'RESTORED') continue
      if (isRefused) say({ kind: 'STATE', state: { kind: 'OFF' } })
      else if (state.kind !== 'DOWN')
        say({ kind: 'STATE', state: { kind: 'DOWN', since: performance.timeOrigin + performance.now() } })
      // Not all browsers at the same moment.
      await pause(isRefused ? refusedPauseMs : pauseMs * (0.75 + (performance.now() % 1) / 2), signal)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data)
  channel.postMessage({ kind: 'HELLO' } satisfies Message)
  // Locks are for secure addresses alone; elsewhere each tab reads for itself.
  if (navigator.locks) void navigator.locks.request(`corridor ${name}`, { signal }, lead).catch(() => {})
  else void lead()
  return () => {
    ending.abort()
    channel.close()
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
