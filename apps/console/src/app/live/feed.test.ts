import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FeedState, openFeed, type Told } from './feed.ts'

/** One connection to the stream: what it was asked to go on after, and what the server says on it. */
interface Connection {
  readonly after: string | undefined
  say(frame: string): void
  lose(): void
}

describe('what a tab is told', () => {
  let connections: Connection[]
  let heard: string[]
  let close: () => void

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    // As at an address that is not secure, where each tab reads for itself.
    vi.stubGlobal('navigator', {})
    connections = []
    heard = []
    close = openFeed('acme sandbox', open, {
      onTold: (events: readonly Told[]) => heard.push(...events.map(({ id }) => id)),
      onResync: () => heard.push('anew'),
      onClock: () => heard.push('clock'),
      onState: ({ kind }: FeedState) => heard.push(kind),
    })
  })
  afterEach(() => {
    close()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  async function open(after: string | undefined, signal: AbortSignal): Promise<Response> {
    let controller!: ReadableStreamDefaultController<Uint8Array>
    const body = new ReadableStream<Uint8Array>({
      start(started) {
        controller = started
      },
    })
    signal.addEventListener('abort', () => controller.error(signal.reason))
    connections.push({
      after,
      say: (frame) => controller.enqueue(new TextEncoder().encode(`${frame}\n\n`)),
      lose: () => controller.close(),
    })
    return new Response(body)
  }
  const event = (id: string) => `event: event\nid: ${id}\ndata: ${JSON.stringify({ id, type: 'A.B' })}`

  it('goes on after the last event once the connection is lost', async () => {
    connections[0]!.say('event: ready\nid: 4')
    connections[0]!.say(event('5'))
    await expect.poll(() => heard).toEqual(['LIVE', '5'])
    connections[0]!.lose()
    await expect.poll(() => heard.at(-1)).toBe('DOWN')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(connections.map(({ after }) => after)).toEqual([undefined, '5'])
    connections[1]!.say('event: ready\nid: 5')
    connections[1]!.say(event('6'))
    await expect.poll(() => heard).toEqual(['LIVE', '5', 'DOWN', 'LIVE', '6'])
  })

  it('has everything read anew where more was missed than the server remembers', async () => {
    connections[0]!.say('event: resync\nid: 900')
    await expect.poll(() => heard).toEqual(['anew', 'LIVE'])
    connections[0]!.lose()
    await expect.poll(() => heard.at(-1)).toBe('DOWN')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(connections[1]!.after).toBe('900')
  })

  it('takes a connection on which nothing comes for lost, though nobody ended it', async () => {
    connections[0]!.say('event: ready\nid: 1')
    await expect.poll(() => heard).toEqual(['LIVE'])
    await vi.advanceTimersByTimeAsync(25_000)
    await expect.poll(() => heard).toEqual(['LIVE', 'DOWN'])
  })
})
