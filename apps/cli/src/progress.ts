import type { Corridor } from '@corridor/sdk'
import type { Terminal } from './terminal.ts'

/** How far the clock of a sandbox has come, shown while it is moved. */

const sayEveryMs = 5_000
const barWidth = 20

/**
 * Does `work`, which moves the clock by `seconds` where that is known. On a terminal a bar is drawn, and nothing is left of
 * it. How far it is is read from the stream, which is opened before: so nothing is asked meanwhile of a sandbox that
 * counts its requests. Elsewhere a line every five seconds says that it goes on.
 */
export async function shownMeanwhile<T>(
  { client, terminal }: { readonly client: Corridor; readonly terminal: Terminal },
  { subject, seconds }: { readonly subject: string; readonly seconds: number | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const { draw } = terminal
  const startedAt = terminal.now()
  if (!draw) {
    const say = () => terminal.note(`… ${subject}: ${durationOf(terminal.now() - startedAt)}`)
    const stop = terminal.every?.(sayEveryMs, say)
    return work().finally(stop)
  }
  const over = new AbortController()
  const show = (moved: number) => {
    const text = `${progressOf({ moved, seconds, took: terminal.now() - startedAt })}  ${subject}`
    draw(seconds ? `${barOf(moved / (seconds * 1_000))}  ${text}` : text)
  }
  show(0)
  const [{ now: from }, stream] = await Promise.all([
    client.sandbox.clock.get(),
    client.stream({ method: 'GET', path: '/stream' }, { signal: over.signal }).catch(() => undefined),
  ])
  const told = (now: number) => !over.signal.aborted && show(now - Date.parse(from))
  // A stream that ends is no reason for anything else to end.
  if (stream) void watch(stream, told).catch(() => {})
  try {
    return await work()
  } finally {
    over.abort()
    draw('')
  }
}

/** Calls for each time that the stream tells, until it ends. */
async function watch({ body }: Response, told: (now: number) => void): Promise<void> {
  if (!body) return
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true })
    const frames = text.split('\n\n')
    text = frames.pop()!
    for (const frame of frames) {
      const [, data] = /^event: clock\ndata: (.*)$/m.exec(frame) ?? []
      if (data !== undefined) told(Date.parse((JSON.parse(data) as { now: string }).now))
    }
  }
}

/** `4 d 22 h of 7 d  eta 0.2 s`; without an end the time alone. Times in milliseconds. */
export function progressOf({
  moved,
  seconds,
  took,
}: {
  readonly moved: number
  readonly seconds: number | undefined
  readonly took: number
}): string {
  if (!seconds) return durationOf(moved)
  const share = moved / (seconds * 1_000)
  const left = share > 0 && share < 1 ? `  eta ${((took * (1 - share)) / share / 1_000).toFixed(1)} s` : ''
  return `${durationOf(moved)} of ${durationOf(seconds * 1_000)}${left}`
}

/** Of a share from 0 to 1. */
export function barOf(share: number): string {
  const full = Math.min(barWidth, Math.max(0, Math.round(share * barWidth)))
  return '▓'.repeat(full) + '░'.repeat(barWidth - full)
}

/** The two largest units: `4 d 22 h`. */
function durationOf(ms: number): string {
  let left = Math.floor(ms / 1_000)
  const parts: string[] = []
  for (const [unit, seconds] of units) {
    const count = Math.floor(left / seconds)
    left -= count * seconds
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  return parts.slice(0, 2).join(' ') || '0 s'
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const
