import { openTestServer, startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { runCli } from '../../apps/cli/src/cli.ts'
import type { Terminal } from '../../apps/cli/src/terminal.ts'
import { verifyWebhook } from '../../packages/sdk/src/index.ts'
import { paymentApi } from './payment-api.ts'

const first = await openTestServer()
/** What answers after a restart: nothing in memory is left, and the database is. */
const later = await startTestServer({ beside: first, seed: 2 })
afterAll(() => later.close())

type Platform = Awaited<ReturnType<TestServer['platform']>>

interface Arrival {
  readonly id: string
  readonly attempt: number
  readonly resource: string
  readonly number: number
  readonly status: number
}

/** A program with a webhook handler, beside `corridor listen`. */
function program(answer: (arrival: Omit<Arrival, 'status'>) => number = () => 200) {
  const arrivals: Arrival[] = []
  const headers: Headers[] = []
  const bodies: string[] = []
  const fetch = (async (_url: string, init: RequestInit) => {
    const body = init.body as string
    const { id, data } = JSON.parse(body)
    const sent = new Headers(init.headers)
    headers.push(sent)
    bodies.push(body)
    const arrival = {
      id,
      attempt: Number(sent.get('x-webhook-attempt')),
      resource: String(data.resource ?? ''),
      number: Number(data.number ?? 0),
    }
    const status = answer(arrival)
    arrivals.push({ ...arrival, status })
    return new Response('noted', { status })
  }) as typeof globalThis.fetch
  return { arrivals, headers, bodies, fetch }
}

interface Listening {
  readonly words?: readonly string[]
  /** Where requests to the server go; the server itself when absent. */
  readonly wire?: typeof fetch
}

/** `corridor listen` as a process: `stop` is Ctrl-C, and `ended` its exit code. */
function listen(
  platform: Platform,
  name: string,
  { fetch: toProgram }: { fetch: typeof fetch },
  { words = [], wire = first.fetch }: Listening = {},
) {
  const stopping = new AbortController()
  const out: string[] = []
  const notes: string[] = []
  let asks = 0
  const idle = new Set<() => void>()
  const breathe = () => new Promise<void>((resolve) => setImmediate(resolve))
  const terminal: Terminal = {
    out: (text) => out.push(text),
    note: (text) => notes.push(text),
    isPerson: false,
    hasColour: false,
    canAsk: false,
    ask: async () => '',
    read: async () => '',
    now: () => first.world.now(),
    async sleep() {
      asks++
      for (const wake of [...idle]) wake()
      await breathe()
    },
    uuid: () => first.world.uuid(),
    fetch: toProgram,
    untilStopped: () => stopping.signal,
    environment: {
      HOME: '/nowhere',
      CORRIDOR_BASE_URL: first.baseUrl,
      CORRIDOR_CLIENT_ID: platform.clientId,
      CORRIDOR_CLIENT_SECRET: platform.clientSecret,
    },
    directory: '/nowhere',
    home: '/nowhere',
  }
  const runtime = {
    now: () => first.world.now(),
    sleep: (ms: number, signal?: AbortSignal) =>
      ms >= 60_000
        ? new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
        : breathe(),
  }
  const given = ['listen', '--forward-to', 'localhost:3000/hooks', '--name', name, ...words]
  const ended = runCli(given, terminal, { fetch: wire, runtime })
  return {
    out,
    notes,
    /** Until it has asked in vain, after everything that there is now. */
    async untilIdle() {
      const before = asks
      while (asks < before + 3) {
        const asked = new Promise<'asked'>((resolve) => idle.add(() => resolve('asked')))
        if ((await Promise.race([asked, ended])) !== 'asked')
          throw new Error(`it has ended: ${notes.join('; ')}`)
      }
    },
    async stop() {
      stopping.abort()
      return ended
    },
  }
}

/** Events of several resources, numbered in the order in which they happen to each. */
function emitter(platform: Platform) {
  const numbers = new Map<string, number>()
  return (...resources: string[]) =>
    first.commit(platform, {
      events: resources.map((resource) => {
        const number = (numbers.get(resource) ?? 0) + 1
        numbers.set(resource, number)
        return { type: 'TEST', resourceId: `Thing:${resource}`, subjectId: null, data: { resource, number } }
      }),
    })
}

function expectOrderPerResource(arrivals: readonly Arrival[]): void {
  const seen = new Map<string, number>()
  for (const { resource, number, attempt } of arrivals) {
    if (attempt > 1) continue
    expect(number, resource).toBe((seen.get(resource) ?? 0) + 1)
    seen.set(resource, number)
  }
}

/** The same events twice, or one that was not tried again, would show here. */
const attemptsOf = (arrivals: readonly Arrival[]) =>
  new Set(arrivals.map(({ id, attempt }) => `${id} ${attempt}`)).size

describe('corridor listen', () => {
  it('hands over what happens, with bytes and headers that verify, and continues where it stopped', async () => {
    const platform = await first.platform()
    const app = program()
    const emit = emitter(platform)
    await emit('before')
    await first.pass(1)
    const listener = listen(platform, 'lap-1', app)
    await listener.untilIdle()
    expect(app.arrivals).toEqual([])
    await emit('a', 'b', 'a')
    await listener.untilIdle()
    expect(app.arrivals).toHaveLength(3)
    expect(await listener.stop()).toBe(0)

    const api = first.client(platform)
    const { data: key } = await api.GET('/webhooks/public-key')
    const signature = app.headers[0]!.get('x-grid-signature')!
    const verified = await verifyWebhook({ body: app.bodies[0]!, signature, publicKey: key!.publicKey })
    expect(verified).toMatchObject({ id: app.arrivals[0]!.id, type: 'TEST' })

    await emit('a', 'c')
    const listed = async () => (await api.GET('/webhook-listeners')).data!.data
    expect(await listed()).toMatchObject([
      { name: 'lap-1', types: null, onlyHere: false, isConnected: true, waiting: 2 },
    ])
    await first.pass(31_000)
    const [away, ...others] = await listed()
    expect(away).toMatchObject({ isConnected: false, waiting: 2 })
    expect(Date.parse(away!.position)).toBeLessThanOrEqual(await first.now(platform))
    expect(others).toEqual([])
    expect(away).not.toHaveProperty('session')
    const other = first.client(await first.platform())
    expect((await other.GET('/webhook-listeners')).data).toEqual({ data: [] })
    const again = listen(platform, 'lap-1', app)
    await again.untilIdle()
    expect(again.notes[0]).toContain('continues where it stopped (2 events waiting)')
    expect(app.arrivals).toHaveLength(5)
    expectOrderPerResource(app.arrivals)
    expect(attemptsOf(app.arrivals)).toBe(5)
    expect(await again.stop()).toBe(0)
  })

  it('tries again what was not taken, when the sandbox clock comes to it, and says so', async () => {
    const platform = await first.platform()
    let isBroken = true
    const app = program(() => (isBroken ? 500 : 200))
    const listener = listen(platform, 'lap-1', app)
    await listener.untilIdle()
    await emitter(platform)('a', 'b')
    await listener.untilIdle()
    expect(app.arrivals.map(({ attempt }) => attempt)).toEqual([1, 1])
    expect(listener.out.join('\n')).toContain('next at')
    isBroken = false
    await first.advance(platform, 10_000)
    await listener.untilIdle()
    expect(app.arrivals.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 500],
      [1, 500],
      [2, 200],
      [2, 200],
    ])
    await first.advance(platform, 3_600_000)
    await listener.untilIdle()
    expect(app.arrivals).toHaveLength(4)
    await listener.stop()

    const { data } = await first.client(platform).GET('/webhook-events', { params: { query: {} } })
    const { id } = data!.data[0]!
    const one = await first
      .client(platform)
      .GET('/webhook-events/{eventId}', { params: { path: { eventId: id } } })
    expect(one.data).toMatchObject({
      status: 'STORED',
      // Each with what the program answered; how long parts took a listener does not say.
      attemptLog: [
        { via: 'listen:lap-1', attempt: 1, status: 500, error: 'HTTP_500', answer: 'noted', times: null },
        { via: 'listen:lap-1', attempt: 2, status: 200, error: null, answer: 'noted', times: null },
      ],
    })
  })

  it('loses none of 1,000 events and delivers none twice, to each of two listeners, over restarts of both sides and lost answers', async () => {
    const platform = await first.platform()
    let seed = 41
    const chance = (of: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return (seed >>> 8) % of === 0
    }
    let server = first
    const counts = { restarts: 0, lostRequests: 0, lostAnswers: 0, stops: 0 }
    /** The server goes away before a request, or with the response to one that it has carried out. */
    const unreliable = () => {
      // A client tries three times to open a listener, and then ends as it does where there is no server.
      let openingsToLose = 2
      const isLost = (isOpening: boolean) => chance(15) && (!isOpening || openingsToLose-- > 0)
      return (async (...request: Parameters<typeof fetch>) => {
        const isOpening = new URL((request[0] as Request).url).pathname.endsWith('/webhook-listeners')
        if (chance(40)) {
          server = server === first ? later : first
          counts.restarts++
        }
        if (isLost(isOpening)) {
          counts.lostRequests++
          throw new TypeError('fetch failed')
        }
        const answer = await server.fetch(...request)
        if (isLost(isOpening)) {
          counts.lostAnswers++
          throw new TypeError('terminated')
        }
        return answer
      }) as typeof fetch
    }

    const apps = [program(() => (chance(25) ? 500 : 200)), program(() => (chance(25) ? 500 : 200))]
    const names = ['lap-1', 'lap-2']
    const start = (index: number) => listen(platform, names[index]!, apps[index]!, { wire: unreliable() })
    const running = [start(0), start(1)]
    await Promise.all(running.map((listener) => listener.untilIdle()))

    const emit = emitter(platform)
    for (let round = 0; round < 50; round++) {
      await emit(...Array.from({ length: 20 }, (_, index) => `r${(round * 7 + index) % 30}`))
      await running[round % 2]!.untilIdle()
      await first.refreshStatistics()
      if (round % 5 === 0) {
        const index = (round / 5) % 2
        expect(await running[index]!.stop()).toBe(0)
        counts.stops++
        running[index] = start(index)
      }
    }
    for (let pause = 0; pause < 10; pause++) {
      await first.refreshStatistics()
      await Promise.all(running.map((listener) => listener.untilIdle()))
      await first.advance(platform, 3_600_000)
      // The other process looks at the clock of the sandbox every two seconds.
      await later.pass(3_000)
    }
    await Promise.all(running.map((listener) => listener.untilIdle()))
    for (const listener of running) expect(await listener.stop()).toBe(0)

    for (const { arrivals } of apps) {
      const taken = arrivals.filter(({ status }) => status === 200).map(({ id }) => id)
      expect(taken).toHaveLength(1_000)
      expect(new Set(taken).size).toBe(1_000)
      expect(attemptsOf(arrivals)).toBe(arrivals.length)
      expectOrderPerResource(arrivals)
    }
    // The disturbances did happen.
    for (const [name, count] of Object.entries(counts)) expect(count, name).toBeGreaterThan(5)
  }, 240_000)

  it('decides an incoming payment by what the program answers, where there is no endpoint', async () => {
    const payments = await paymentApi(first)
    const { platform, api, customer } = payments
    const receive = () =>
      api.POST('/sandbox/uma/receive', {
        body: {
          senderUmaAddress: '$success.usd@sandbox.uma.money',
          receiverUmaAddress: customer.umaAddress,
          receivingCurrencyCode: 'USD',
          receivingCurrencyAmount: 5_000,
        },
      })
    expect((await receive()).response.status).toBe(400)

    let status = 200
    const app = program(() => status)
    const listener = listen(platform, 'lap-1', app)
    await listener.untilIdle()
    const outcome = async () => {
      const { data, response } = await receive()
      expect(response.status).toBe(200)
      await first.poll()
      await listener.untilIdle()
      // What the relay would find out by itself: that nobody has answered. It may begin to wait a little later.
      let status = 'PENDING'
      for (let pass = 0; status === 'PENDING' && pass < 5; pass++) {
        await first.pass(6_000)
        await listener.untilIdle()
        status = (await payments.transaction(data!.id)).status
      }
      return status
    }
    expect(await outcome()).toBe('COMPLETED')
    status = 403
    expect(await outcome()).toBe('REJECTED')
    status = 500
    expect(await outcome()).toBe('FAILED')
    await listener.stop()
  })

  it('has an attempt on record once, however often it is reported, and says what that came to', async () => {
    const platform = await first.platform()
    const api = first.client(platform)
    await api.PATCH('/config', { body: { webhookEndpoint: 'http://127.0.0.1:9/hooks' } })
    const opened = await api.POST('/webhook-listeners', { body: { name: 'lap-1', onlyHere: true } })
    const { id: listenerId, session } = opened.data!
    await first.pass(1)
    await emitter(platform)('a')
    const params = { path: { listenerId } }
    const due = await api.GET('/webhook-listeners/{listenerId}/deliveries', {
      params: { path: { listenerId }, query: { session } },
    })
    const { id } = due.data!.data[0]!
    const report = (status: number) =>
      api.POST('/webhook-listeners/{listenerId}/results', {
        params,
        body: { session, results: [{ id, attempt: 1, status, body: `answered ${status}`, milliseconds: 5 }] },
      })
    const told = await Promise.all(Array.from({ length: 30 }, (_, index) => report(index === 0 ? 200 : 500)))
    const statuses = new Set(told.map(({ data }) => data!.data[0]!.status))
    const one = await api.GET('/webhook-events/{eventId}', { params: { path: { eventId: id } } })
    const { status, attempts, attemptLog } = one.data!
    expect(attempts).toBe(1)
    expect(attemptLog).toHaveLength(1)
    const [kept] = attemptLog
    expect(kept).toMatchObject({ via: 'listen:lap-1', answer: `answered ${kept!.status}` })
    expect([...statuses]).toEqual([status])
    // Neither does a later one.
    const late = await report(status === 'DELIVERED' ? 500 : 200)
    expect(late.data!.data).toMatchObject([{ status }])
  })

  it('with --only-here keeps the endpoint out while it is connected, and counts as its attempts', async () => {
    const platform = await first.platform()
    const api = first.client(platform)
    await api.PATCH('/config', { body: { webhookEndpoint: 'http://127.0.0.1:9/hooks' } })
    const app = program()
    const listener = listen(platform, 'lap-1', app, { words: ['--only-here', '--events', 'TE*'] })
    await listener.untilIdle()
    await first.pass(1)
    await emitter(platform)('a')
    await listener.untilIdle()
    await first.settle()
    const { data } = await api.GET('/webhook-events', { params: { query: { limit: 1 } } })
    expect(data!.data).toMatchObject([{ status: 'DELIVERED', attempts: 1, lastStatus: 200 }])
    const { id } = data!.data[0]!
    const one = await api.GET('/webhook-events/{eventId}', { params: { path: { eventId: id } } })
    // It is the attempt of the event as well, and stands there once.
    expect(one.data!.attemptLog).toMatchObject([{ via: 'listen:lap-1', attempt: 1, answer: 'noted' }])
    await listener.stop()
    await first.pass(31_000)
    await emitter(platform)('b')
    await first.settle()
    const after = await api.GET('/webhook-events', { params: { query: { limit: 1 } } })
    expect(after.data!.data).toMatchObject([{ status: 'RETRYING', lastStatus: null }])
  })

  it('is taken over by another of the same name, and ends then', async () => {
    const platform = await first.platform()
    const [one, other] = [program(), program()]
    const before = listen(platform, 'lap-1', one)
    await before.untilIdle()
    const after = listen(platform, 'lap-1', other)
    await after.untilIdle()
    await emitter(platform)('a')
    await after.untilIdle()
    expect(other.arrivals).toHaveLength(1)
    expect(one.arrivals).toEqual([])
    await after.stop()
    expect(await before.stop()).toBe(1)
    expect(before.notes.join('\n')).toContain('Another session has taken over the listener')
  })
})

it('a platform has fifty listeners at most, of which those that were away for seven days are forgotten', async () => {
  const platform = await first.platform()
  const api = first.client(platform)
  const open = async (name: string, at = api) => {
    const { response, error } = await at.POST('/webhook-listeners', { body: { name } })
    return [response.status, (error as { details?: unknown } | undefined)?.details]
  }
  for (let made = 0; made < 50; made++) expect(await open(`lap-${made}`)).toEqual([201, undefined])
  expect(await open('one-more')).toEqual([409, { reason: 'TOO_MANY_LISTENERS' }])
  expect(await open('lap-7')).toEqual([201, undefined])
  expect(await open('one-more', first.client(await first.platform()))).toEqual([201, undefined])
  await first.pass(8 * 24 * 60 * 60_000)
  expect(await open('one-more')).toEqual([201, undefined])
})
