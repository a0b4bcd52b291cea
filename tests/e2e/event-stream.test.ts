import { openTestServer, startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { basic } from './raw-calls.ts'

/** Events as they happen, over a real connection. */

const server = await openTestServer()
let address: string
beforeAll(async () => {
  address = await server.listen()
})

type Platform = Awaited<ReturnType<TestServer['platform']>>
interface Frame {
  readonly event: string
  readonly id?: string
  readonly data: Record<string, string>
}

const opened: AbortController[] = []
afterAll(() => {
  for (const each of opened) each.abort()
})

/** What a browser makes of the stream. */
async function look(headers: Record<string, string>, { at = address, path = '/2025-10-13/stream' } = {}) {
  const stop = new AbortController()
  opened.push(stop)
  const response = await fetch(at + path, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: stop.signal,
  })
  const frames: Frame[] = []
  let text = ''
  let isOver = false
  const reading = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream() as never)) {
      text += chunk
      const parts = text.split('\n\n')
      text = parts.pop()!
      for (const part of parts) {
        const { event, id, data } = Object.fromEntries(
          part.split('\n').map((line) => line.split(/: (.*)/s)),
        ) as Record<string, string>
        if (event) frames.push({ event, ...(id ? { id } : {}), data: JSON.parse(data!) })
      }
    }
    isOver = true
  })().catch(() => {})
  return { response, frames, stop, reading, isOver: () => isOver }
}

/** Time passes until something is so. */
function until(isSo: () => boolean, at = server): Promise<void> {
  return vi.waitFor(
    () => {
      at.world.passMs(25)
      if (!isSo()) throw new Error('it is not so yet')
    },
    { timeout: 60_000, interval: 2 },
  )
}

const happen = (platform: Platform, ...resources: string[]) =>
  server.commit(platform, {
    events: resources.map((resource) => ({
      type: 'TEST',
      resourceId: `Thing:${resource}`,
      subjectId: null,
      data: { resource },
    })),
  })

async function ready(headers: Record<string, string>, options: Parameters<typeof look>[1] = {}) {
  const stream = await look(headers, options)
  expect(stream.response.status).toBe(200)
  await until(() => stream.frames.length > 0)
  return stream
}

const toldOf = (frames: readonly Frame[]) =>
  frames.filter(({ event }) => event === 'event').map(({ data }) => data.resourceId)

describe('a stream of events', () => {
  it('tells what is committed in its book, in order, and of no other', async () => {
    const [platform, other] = [await server.platform(), await server.platform()]
    const { frames, response, stop } = await ready({ authorization: basic(platform) })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(frames[0]!.event).toBe('ready')
    await happen(other, 'foreign')
    await happen(platform, 'a', 'b')
    await happen(platform, 'c')
    await until(() => toldOf(frames).length >= 3)
    expect(toldOf(frames)).toEqual(['Thing:a', 'Thing:b', 'Thing:c'])
    const { data } = await server.client(platform).GET('/webhook-events', { params: { query: { limit: 1 } } })
    const newest = data!.data[0]!
    const { id, type, resourceId, createdAt } = newest
    expect(frames.at(-1)).toEqual({ event: 'event', id, data: { id, type, resourceId, createdAt } })
    const position = await fetch(`${address}/2025-10-13/stream`, {
      headers: { authorization: basic(platform) },
    })
    expect(await position.json()).toEqual({ lastEventId: id })
    stop.abort()
  })

  it('tells that the clock of the sandbox was moved', async () => {
    const platform = await server.platform()
    const { frames, stop } = await ready({ authorization: basic(platform) })
    await server.advance(platform, 3_600_000)
    await until(() => frames.some(({ event }) => event === 'clock'))
    const { data } = await server.client(platform).GET('/sandbox/clock')
    const told = frames.filter(({ event }) => event === 'clock')
    expect(told).toHaveLength(1)
    expect(told[0]!.data).toMatchObject({ offsetSeconds: data!.offsetSeconds })
    expect(told[0]!.data.now).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect(told[0]!.id).toBeUndefined()
    stop.abort()
  })

  it('goes on in another process where it stopped, with nothing missing and nothing double', async () => {
    const platform = await server.platform()
    const authorization = basic(platform)
    const first = await ready({ authorization })
    await happen(platform, '1', '2')
    await until(() => toldOf(first.frames).length === 2)
    const later = await startTestServer({ beside: server, seed: 2 })
    try {
      first.stop.abort()
      await happen(platform, '3', '4')
      const at = await later.listen()
      const again = await look({ authorization, 'last-event-id': first.frames.at(-1)!.id! }, { at })
      await until(() => toldOf(again.frames).length === 2, later)
      await happen(platform, '5')
      await until(() => toldOf(again.frames).length === 3, later)
      expect(toldOf(again.frames)).toEqual(['Thing:3', 'Thing:4', 'Thing:5'])
      const lost = await look({ authorization, 'last-event-id': 'Webhook:nobody' }, { at })
      await until(() => lost.frames.length > 0, later)
      expect(lost.frames[0]!.event).toBe('resync')
      const elsewhere = await look({ authorization, 'last-event-id': '\'"%00' }, { at })
      await until(() => elsewhere.frames.length > 0, later)
      expect(elsewhere.frames[0]!.event).toBe('resync')
    } finally {
      // A stop ends streams that somebody still reads.
      await later.close({ audited: false })
    }
  })

  it('ends with the token, which sees nothing more', async () => {
    const platform = await server.platform()
    const { data: token } = await server.client(platform).POST('/tokens', {
      body: { name: 'of a page', permissions: ['VIEW'] },
    })
    const stream = await ready({ authorization: basic(token as never) })
    await server.client(platform).DELETE('/tokens/{tokenId}', { params: { path: { tokenId: token!.id } } })
    await until(() => stream.isOver())
    expect(stream.frames.at(-1)).toEqual({ event: 'end', data: { code: 'UNAUTHORIZED' } })
  })

  it('tells nothing of what happens a second after its token was revoked', async () => {
    const platform = await server.platform()
    const { data: token } = await server.client(platform).POST('/tokens', {
      body: { name: 'of a page', permissions: ['VIEW'] },
    })
    const [stream, own] = [
      await ready({ authorization: basic(token as never) }),
      await ready({ authorization: basic(platform) }),
    ]
    await server.client(platform).DELETE('/tokens/{tokenId}', { params: { path: { tokenId: token!.id } } })
    server.world.passMs(1_000)
    await happen(platform, 'later')
    await until(() => toldOf(own.frames).includes('Thing:later'))
    await until(() => stream.isOver())
    expect(toldOf(stream.frames)).toEqual([])
    expect(stream.frames.at(-1)).toEqual({ event: 'end', data: { code: 'UNAUTHORIZED' } })
  })

  it('ends within two seconds of the revocation, also while its address fails to sign in too often', async () => {
    const limited = await startTestServer({ rateLimits: true })
    try {
      const at = await limited.listen()
      const platform = await limited.platform()
      const { data: token } = await limited.client(platform).POST('/tokens', {
        body: { name: 'of a page', permissions: ['VIEW'] },
      })
      const stream = await look({ authorization: basic(token as never) }, { at })
      await until(() => stream.frames.length > 0, limited)
      const wrong = () =>
        fetch(`${at}/2025-10-13/tokens`, {
          headers: { authorization: basic({ clientId: 'x', clientSecret: 'x' }) },
        })
      for (let count = 0; count < 21; count++) await (await wrong()).text()
      expect((await wrong()).status).toBe(429)
      await limited.client(platform).DELETE('/tokens/{tokenId}', { params: { path: { tokenId: token!.id } } })
      const revokedAt = limited.world.now()
      await until(() => stream.isOver(), limited)
      expect(limited.world.now() - revokedAt).toBeLessThanOrEqual(2_000)
      expect(stream.frames.at(-1)).toEqual({ event: 'end', data: { code: 'UNAUTHORIZED' } })
    } finally {
      await limited.close({ audited: false })
    }
  })

  it('is for whoever may see events, twenty at a time', async () => {
    const platform = await server.platform()
    const { data: token } = await server.client(platform).POST('/tokens', {
      body: { name: 'payments', permissions: ['VIEW'], areas: ['PAYMENTS'] } as never,
    })
    const held = await look({ authorization: basic(token as never) })
    expect(held.response.status).toBe(403)
    expect((await look({})).response.status).toBe(401)
    const authorization = basic(platform)
    const streams = await Promise.all(Array.from({ length: 20 }, () => look({ authorization })))
    expect(streams.map(({ response }) => response.status)).toEqual(Array(20).fill(200))
    const refused = await look({ authorization })
    expect(refused.response.status).toBe(429)
    expect(refused.response.headers.get('retry-after')).toBe('10')
    streams[0]!.stop.abort()
    await vi.waitFor(async () => expect((await look({ authorization })).response.status).toBe(200), {
      timeout: 60_000,
    })
  })

  it('is told to a page of the console by its cookie, and keeps no session alive', async () => {
    const platform = await server.platform({ environment: 'PRODUCTION' })
    const signedIn = await fetch(`${address}/console/session`, {
      method: 'POST',
      headers: { authorization: basic(platform), 'x-corridor-console': '1' },
    })
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
    const path = `/console/api/${platform.platformId}/production/2025-10-13/stream`
    const stream = await ready({ cookie }, { path })
    await happen(platform, 'seen')
    await until(() => toldOf(stream.frames).length === 1)
    expect((await look({ cookie })).response.status).toBe(401)
    const background = { cookie, 'x-corridor-console': 'background' }
    for (let minutes = 0; minutes < 29; minutes += 7) {
      server.world.passMs(7 * 60_000)
      const session = await fetch(`${address}/console/session`, { headers: background })
      await session.arrayBuffer()
      expect(session.status).toBe(minutes < 28 ? 200 : 401)
    }
    await until(() => stream.isOver())
    expect(stream.frames.at(-1)).toEqual({ event: 'end', data: { code: 'UNAUTHORIZED' } })
  })
})
