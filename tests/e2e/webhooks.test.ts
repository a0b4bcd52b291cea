import type { NewEvent } from '@corridor/engine/db/decision.ts'
import { statement } from '@corridor/engine/db/driver.ts'
import type { Book } from '@corridor/engine/http/scope.ts'
import { createRelay } from '@corridor/engine/outbox/relay.ts'
import { claimEvents } from '@corridor/engine/outbox/store.ts'
import {
  type Inbox,
  operatorKey,
  recordWebhooks,
  startTestServer,
  type TestServer,
  verifyReceived,
} from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const receiver = recordWebhooks()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ network: receiver.network })
})
afterAll(() => server.close())

const second = 1_000
const day = 24 * 60 * 60 * second

async function platformWithInbox(options: { environment?: 'PRODUCTION' } = {}) {
  const platform = await server.platform(options)
  const inbox = receiver.inbox()
  await setEndpoint(platform, inbox.url)
  return { platform, inbox }
}

/** As PATCH /config does it, without the TEST event. */
async function setEndpoint(book: Book, url: string | null): Promise<void> {
  const scope = await server.engine.clock.scope(book, { id: 'test', permissions: [] })
  const outcome = await server.engine.applier.apply(scope, {
    updates: [
      { table: 'platform_configs', id: `PlatformConfig:${book.platformId}`, set: { webhook_endpoint: url } },
    ],
    result: () => null,
  })
  expect(outcome.ok).toBe(true)
}

/** Commits a decision whose only effect is these events, in this order. */
async function emit(book: Book, ...events: Partial<NewEvent>[]): Promise<void> {
  expect(events).not.toEqual([])
  const scope = await server.engine.clock.scope(book, { id: 'test', permissions: [] })
  const outcome = await server.engine.applier.apply(scope, {
    events: events.map((event) => ({ type: 'TEST', resourceId: 'Thing:1', data: {}, ...event })),
    result: () => null,
  })
  expect(outcome.ok).toBe(true)
}

const listEvents = statement(
  'test.listEvents',
  `select id, status, attempts, last_status as "lastStatus", last_error as "lastError",
     last_response as "lastResponse"
   from events where platform_id = $1 and environment = $2 order by seq`,
)

function eventsOf(book: Book) {
  type Row = { id: string; status: string; attempts: number; lastError: string | null }
  return server.engine.database.read<Row>(book, listEvents, [book.platformId, book.environment])
}

function namesOf(inbox: Inbox) {
  return inbox.received.map(({ event }) => event.data.name)
}

/** An answer that the test gives when it wants to. */
function pendingAnswer() {
  let give: (status: number) => void = () => {}
  const answer = new Promise<number>((resolve) => {
    give = resolve
  })
  return { answer, give }
}

describe('a webhook', () => {
  it('is signed over its raw bytes with the published key of its environment', async () => {
    for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
      const platform = await server.platform({ environment })
      const inbox = receiver.inbox()
      await setEndpoint(platform, inbox.url)
      await emit(platform, { data: { name: 'Zoë', amount: 1 } })
      await server.settle()

      const [webhook] = inbox.received
      const name = environment.toLowerCase()
      const page = await server.fetch(
        `http://corridor.test/.well-known/webhook-public-key?environment=${name}`,
      )
      expect(page.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      const publicKey = await page.text()
      expect(verifyReceived(webhook!, publicKey)).toEqual({
        id: expect.stringMatching(/^Webhook:/),
        type: 'TEST',
        timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        data: { name: 'Zoë', amount: 1 },
      })
      expect(Object.keys(webhook!.event)).toEqual(['id', 'type', 'timestamp', 'data'])
      expect(verifyReceived({ ...webhook!, body: webhook!.body.replace('1', '2') }, publicKey)).toBeNull()

      const { headers } = webhook!
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': expect.stringMatching(/^Corridor\//),
        'x-webhook-id': webhook!.event.id,
        'x-webhook-attempt': '1',
        'x-webhook-key-id': page.headers.get('x-webhook-key-id'),
      })
      expect(headers['x-grid-signature']).toBe(headers['x-service-signature'])
    }
  })

  it('has another key in each environment, and no key for an environment that does not exist', async () => {
    const read = (query: string) =>
      server.fetch(`http://corridor.test/.well-known/webhook-public-key${query}`)
    const [sandbox, production, byDefault, unknown] = await Promise.all([
      read('?environment=sandbox'),
      read('?environment=production'),
      read(''),
      read('?environment=moon'),
    ])
    const sandboxKey = await sandbox.text()
    expect(sandboxKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n/)
    expect(await production.text()).not.toBe(sandboxKey)
    expect(await byDefault.text()).toBe(sandboxKey)
    expect(await unknown.json()).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
  })

  it('is repeated with the same bytes and id until the endpoint takes it', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer((_webhook, index) => (index < 3 ? 503 : 204))
    await emit(platform, { data: { name: 'persistent' } })
    await server.settle()
    await server.engine.jobs.advance(server.engine, platform, 60 * second)

    expect(inbox.received).toHaveLength(4)
    expect(new Set(inbox.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(inbox.received.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1)
    expect(inbox.received.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3', '4'])
    expect(await eventsOf(platform)).toMatchObject([{ status: 'DELIVERED', attempts: 4, lastError: null }])
  })

  it('waits thirty seconds for an answer, and ten while a caller waits for it', async () => {
    const { platform } = await platformWithInbox()
    const send = vi.spyOn(server.engine.adapters.SANDBOX.webhooks, 'send')
    await emit(platform, {})
    await server.settle()
    await server.client(platform).POST('/sandbox/webhooks/test')
    expect(send.mock.calls.map(([{ timeoutMs }]) => timeoutMs)).toEqual([30_000, 10_000])
    send.mockRestore()
  })

  it('is retried on the real clock in production', async () => {
    const { platform, inbox } = await platformWithInbox({ environment: 'PRODUCTION' })
    inbox.answer((_webhook, index) => (index === 0 ? 500 : 200))
    await emit(platform, {})
    await server.settle()
    await server.pass(3_999)
    expect(inbox.received).toHaveLength(1)
    await server.pass(2_001)
    expect(inbox.received).toHaveLength(2)
  })

  it('is given up after a week of retries, seen in a moment on the sandbox clock', async () => {
    const { platform, inbox } = await platformWithInbox()
    const attemptedAt: number[] = []
    inbox.answer(async () => {
      attemptedAt.push(await server.engine.clock.now(platform))
      return 500
    })
    const startedAt = await server.engine.clock.now(platform)
    await emit(platform, {})
    const api = server.client(platform)
    const advanced = await api.POST('/sandbox/clock/advance', { body: { seconds: (8 * day) / second } })
    expect(advanced.data).toEqual({
      now: new Date(startedAt + 8 * day).toISOString(),
      offsetSeconds: (8 * day) / second,
    })
    expect((await api.GET('/sandbox/clock')).data).toEqual(advanced.data)

    const pauses = attemptedAt.slice(1).map((at, index) => (at - attemptedAt[index]!) / second)
    for (const [index, expected] of [5, 10, 20, 40, 80, 160, 320, 640, 1280].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(expected * 0.8)
      expect(pauses[index]).toBeLessThanOrEqual(expected * 1.2)
    }
    for (const pause of pauses.slice(9)) {
      expect(pause).toBeGreaterThanOrEqual(1_800 * 0.8)
      expect(pause).toBeLessThanOrEqual(1_800)
    }
    const lastAt = attemptedAt.at(-1)! - startedAt
    expect(lastAt).toBeLessThanOrEqual(7 * day)
    expect(lastAt).toBeGreaterThan(7 * day - 1_800 * second)
    expect(await eventsOf(platform)).toMatchObject([{ status: 'FAILED', attempts: attemptedAt.length }])
  })

  it('counts as delivered when the endpoint says it has processed it before', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer(() => 409)
    await emit(platform, {})
    await server.settle()
    await server.engine.jobs.advance(server.engine, platform, day)
    expect(inbox.received).toHaveLength(1)
    expect(await eventsOf(platform)).toMatchObject([{ status: 'DELIVERED' }])
  })

  it('is not taken to where the endpoint redirects', async () => {
    const { platform, inbox } = await platformWithInbox()
    const elsewhere = receiver.inbox()
    inbox.answer(() => new Response(null, { status: 307, headers: { location: elsewhere.url } }))
    await emit(platform, {})
    await server.settle()
    expect(elsewhere.received).toEqual([])
    expect(await eventsOf(platform)).toMatchObject([{ status: 'RETRYING', lastError: 'HTTP_307' }])
  })

  it('of an event that is sent once is not repeated', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer(() => 500)
    await emit(platform, { maxAttempts: 1 })
    await server.settle()
    await server.engine.jobs.advance(server.engine, platform, day)
    expect(inbox.received).toHaveLength(1)
    expect(await eventsOf(platform)).toMatchObject([{ status: 'FAILED', attempts: 1 }])
  })

  it('goes to the new address from the next attempt after a change, and waits out a removal', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer(() => 500)
    await emit(platform, {})
    await server.settle()
    await setEndpoint(platform, null)
    await server.engine.jobs.advance(server.engine, platform, 6 * second)
    expect(await eventsOf(platform)).toMatchObject([
      { status: 'RETRYING', attempts: 2, lastError: 'NO_ENDPOINT' },
    ])
    const next = receiver.inbox()
    await setEndpoint(platform, next.url)
    await server.engine.jobs.advance(server.engine, platform, 12 * second)
    expect(inbox.received).toHaveLength(1)
    expect(next.received.map(({ body }) => body)).toEqual(inbox.received.map(({ body }) => body))
  })

  it('of type TEST follows a change of the endpoint, once, and its failure does not undo the change', async () => {
    const platform = await server.platform()
    const inbox = receiver.inbox()
    inbox.answer(() => 500)
    const api = server.client(platform)
    const changed = await api.PATCH('/config', { body: { webhookEndpoint: inbox.url } })
    expect(changed.data).toMatchObject({ webhookEndpoint: inbox.url })
    await server.settle()
    await api.POST('/sandbox/clock/advance', { body: { seconds: day / second } })
    expect(inbox.received.map(({ event }) => [event.type, event.data])).toEqual([['TEST', {}]])
    expect(await eventsOf(platform)).toMatchObject([{ status: 'FAILED', attempts: 1 }])
  })

  it('is never sent for what happened while no endpoint was configured', async () => {
    const platform = await server.platform()
    await emit(platform, { data: { name: 'before' } })
    const inbox = receiver.inbox()
    await setEndpoint(platform, inbox.url)
    await emit(platform, { data: { name: 'after' } })
    await server.settle()
    await server.engine.jobs.advance(server.engine, platform, day)
    expect(namesOf(inbox)).toEqual(['after'])
    expect((await eventsOf(platform)).map(({ status }) => status)).toEqual(['STORED', 'DELIVERED'])
  })
})

describe('the order of webhooks', () => {
  it('is that of the commits for one resource, each after the answer to the one before', async () => {
    const { platform, inbox } = await platformWithInbox()
    const first = pendingAnswer()
    inbox.answer((_webhook, index) => (index === 0 ? first.answer : 200))
    await emit(platform, { data: { name: 'a' } }, { data: { name: 'b' } })
    await emit(platform, { data: { name: 'c' } }, { resourceId: 'Thing:2', data: { name: 'other' } })
    const running = server.engine.relay.runDue(server.engine)
    await inbox.arrived(2)
    expect(namesOf(inbox)).toEqual(['a', 'other'])
    first.give(200)
    await running
    expect(namesOf(inbox)).toEqual(['a', 'other', 'b', 'c'])
  })

  it('lets later events of a resource pass one that failed', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer(({ event }) => (event.data.name === 'bad' ? 500 : 200))
    await emit(platform, { data: { name: 'bad' } }, { data: { name: 'good' } })
    await server.settle()
    expect(namesOf(inbox)).toEqual(['bad', 'good'])
    expect((await eventsOf(platform)).map(({ status }) => status)).toEqual(['RETRYING', 'DELIVERED'])
  })

  it('holds when several processes deliver, at most sixteen at a time, each event once', async () => {
    const { platform, inbox } = await platformWithInbox()
    let open = 0
    let mostOpen = 0
    inbox.answer(async () => {
      open++
      mostOpen = Math.max(mostOpen, open)
      await new Promise((resolve) => setImmediate(resolve))
      open--
      return 200
    })
    const resources = Array.from({ length: 40 }, (_, index) => `Thing:${index}`)
    for (const turn of [1, 2, 3]) {
      await emit(
        platform,
        ...resources.map((resourceId) => ({ resourceId, data: { name: resourceId, turn } })),
      )
    }
    const { engine } = server
    const relays = [engine.relay, createRelay(engine), createRelay(engine)]
    await Promise.all(relays.map((relay) => relay.runDue(engine)))
    await server.settle()

    expect(inbox.received).toHaveLength(120)
    for (const resourceId of resources) {
      const turns = inbox.received.filter(({ event }) => event.data.name === resourceId)
      expect(turns.map(({ event }) => event.data.turn)).toEqual([1, 2, 3])
    }
    expect(mostOpen).toBeLessThanOrEqual(16)
    expect(mostOpen).toBeGreaterThan(1)
  })
})

describe('a slow endpoint', () => {
  it('delays neither another platform nor the jobs of its own', async () => {
    const slow = await platformWithInbox()
    const quick = await platformWithInbox()
    const never = pendingAnswer()
    slow.inbox.answer(() => never.answer)
    const many = Array.from({ length: 30 }, (_, index) => ({ resourceId: `Thing:${index}` }))
    await emit(slow.platform, ...many)
    await emit(quick.platform, { data: { name: 'quick' } })

    const running = server.engine.relay.runDue(server.engine)
    await quick.inbox.arrived(1)
    await slow.inbox.arrived(16)
    await emit(quick.platform, { data: { name: 'again' } })
    await server.engine.relay.poll(server.engine)
    await quick.inbox.arrived(2)
    await server.engine.jobs.runDue(server.engine)
    expect(slow.inbox.received).toHaveLength(16)

    never.give(200)
    await running
    await server.settle()
    expect(slow.inbox.received).toHaveLength(30)
  })

  it('leaves room for new events beside its retries', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer(() => 500)
    const many = Array.from({ length: 30 }, (_, index) => ({ resourceId: `Thing:${index}` }))
    await emit(platform, ...many)
    await server.settle()
    expect(inbox.received).toHaveLength(30)

    const hanging = pendingAnswer()
    inbox.answer(({ event }) => (event.data.name === 'new' ? 200 : hanging.answer))
    const { engine } = server
    await engine.clock.moveTo(platform, (await engine.clock.now(platform)) + 6 * second)
    await engine.jobs.runDue(engine)
    const running = engine.relay.runDue(engine)
    await inbox.arrived(38)
    await emit(platform, { resourceId: 'Thing:new', data: { name: 'new' } })
    await engine.relay.poll(engine)
    await inbox.arrived(39)
    expect(namesOf(inbox).filter((name) => name === 'new')).toHaveLength(1)
    hanging.give(200)
    await running
    await server.settle()
    expect(inbox.received).toHaveLength(61)
    expect(await eventsOf(platform)).toHaveLength(31)
  })
})

describe('a process that stops', () => {
  it('gives back what it was just claiming, and sends none of it', async () => {
    const { platform, inbox } = await platformWithInbox()
    await emit(platform, {})
    const { database, clock, applier } = server.engine
    const claimed = pendingAnswer()
    const handedOver = pendingAnswer()
    const slowDatabase = {
      ...database,
      transact: (async (...work: Parameters<typeof database.transact>) => {
        const result = await database.transact(...work)
        claimed.give(1)
        await handedOver.answer
        return result
      }) as typeof database.transact,
    }
    const relay = createRelay({ database: slowDatabase, clock, applier })
    const running = relay.runBook(server.engine, platform)
    await claimed.answer
    const stopping = relay.stop()
    handedOver.give(1)
    await Promise.all([running, stopping])
    expect(inbox.received).toEqual([])
    await server.settle()
    expect(inbox.received).toHaveLength(1)
  })
})

describe('a process that dies', () => {
  it('between claiming an event and sending it leaves it to others once its lease is over', async () => {
    const { platform, inbox } = await platformWithInbox()
    await emit(platform, {})
    const now = server.world.now()
    const claim = { now, leaseUntil: now + 60 * second, room: 16, cursor: '' }
    expect(await claimEvents(server.engine.database, platform, claim)).toHaveLength(1)
    await server.settle()
    expect(inbox.received).toEqual([])
    await server.pass(60 * second)
    expect(inbox.received).toHaveLength(1)
  })

  it('between sending an event and recording it makes it arrive twice, with the same bytes', async () => {
    const { platform, inbox } = await platformWithInbox()
    await emit(platform, { data: { name: 'twice' } })
    const { database, clock } = server.engine
    const applier = {
      apply: () => Promise.reject(new Error('killed')),
    }
    await createRelay({ database, clock, applier }).runBook(server.engine, platform)
    await server.settle()
    expect(inbox.received).toHaveLength(1)
    await server.pass(60 * second)
    expect(inbox.received).toHaveLength(2)
    const [first, again] = inbox.received
    expect(again!.body).toBe(first!.body)
    // It is the first attempt again: the one before left no trace.
    expect(again!.headers['x-webhook-attempt']).toBe('1')
    expect(await eventsOf(platform)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }])
  })

  it('slowly cannot undo the outcome that another recorded after its lease', async () => {
    const { platform, inbox } = await platformWithInbox()
    const late = pendingAnswer()
    inbox.answer((_webhook, index) => (index === 0 ? late.answer : 200))
    await emit(platform, {})
    const slowRelay = createRelay(server.engine).runBook(server.engine, platform)
    await inbox.arrived(1)
    await server.pass(60 * second)
    expect(await eventsOf(platform)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }])
    late.give(500)
    await slowRelay
    expect(await eventsOf(platform)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }])
  })
})

describe('a test webhook', () => {
  it('goes once to the given address and reports any answer', async () => {
    const { platform, inbox } = await platformWithInbox()
    const other = receiver.inbox()
    other.answer(() => new Response('teapot', { status: 418 }))
    const api = server.client(platform)
    const sent = await api.POST('/sandbox/webhooks/test', { body: { url: other.url } })
    expect(sent.response.status).toBe(200)
    expect(sent.data).toEqual({ url: other.url, response_status: 418, response_body: 'teapot' })
    expect(other.received[0]!.event).toMatchObject({ type: 'TEST', data: {} })

    const configured = await api.POST('/sandbox/webhooks/test')
    expect(configured.data).toMatchObject({ url: inbox.url, response_status: 200 })
    await server.engine.jobs.advance(server.engine, platform, day)
    expect([other.received.length, inbox.received.length]).toEqual([1, 1])
  })

  it('is refused without an address, and without an answer', async () => {
    const api = server.client(await server.platform())
    expect((await api.POST('/sandbox/webhooks/test')).error).toMatchObject({
      status: 400,
      code: 'WEBHOOK_ENDPOINT_NOT_SET',
    })
    const nobody = await api.POST('/sandbox/webhooks/test', { body: { url: 'http://nobody.test/' } })
    expect(nobody.error).toMatchObject({ status: 400, code: 'WEBHOOK_DELIVERY_ERROR' })
  })

  it('works in production at the older path, for the configured address alone', async () => {
    const { platform, inbox } = await platformWithInbox({ environment: 'PRODUCTION' })
    const api = server.client(platform)
    expect((await api.POST('/webhooks/test')).data).toMatchObject({ url: inbox.url, response_status: 200 })
    const refused = await api.POST('/sandbox/webhooks/test', { body: { url: inbox.url } })
    expect(refused.error).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(inbox.received).toHaveLength(1)
  })

  it.each([
    ['http://receiver.example/', 'NOT_HTTPS'],
    ['https://127.0.0.1/', 'PRIVATE_ADDRESS'],
    ['https://2130706433/', 'PRIVATE_ADDRESS'],
    ['https://[::ffff:10.0.0.1]/', 'PRIVATE_ADDRESS'],
  ])('in production does not go to %s', async (url, reason) => {
    const platform = await server.platform({ environment: 'PRODUCTION' })
    await setEndpoint(platform, url)
    const answer = await server.client(platform).POST('/webhooks/test')
    expect(answer.error).toMatchObject({ code: 'WEBHOOK_DELIVERY_ERROR', details: { reason } })
  })
})

describe('the operator', () => {
  async function asOperator(method: 'GET' | 'POST', path: string, body?: object) {
    const response = await server.fetch(`http://corridor.test/operator${path}`, {
      method,
      headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: await response.json() }
  }

  it('sees the events that were given up and sends one again, with the same bytes', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer(() => new Response('secret of the endpoint', { status: 500 }))
    await emit(platform, { maxAttempts: 1 })
    await server.settle()
    const { platformId, environment } = platform
    const listed = await asOperator('GET', `/events?platformId=${platformId}&environment=${environment}`)
    const { id } = inbox.received[0]!.event
    expect(listed.body).toMatchObject({
      data: [{ id, type: 'TEST', resourceId: 'Thing:1', attempts: 1, lastStatus: 500 }],
      totalCount: 1,
    })
    expect(JSON.stringify(listed.body)).not.toContain('secret')

    inbox.answer(() => 200)
    const sent = await asOperator('POST', `/events/${id}/resend`, { platformId, environment })
    expect(sent).toEqual({ status: 202, body: { id } })
    await server.settle()
    expect(inbox.received).toHaveLength(2)
    expect(inbox.received[1]!.body).toBe(inbox.received[0]!.body)
    expect(await eventsOf(platform)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
  })

  it('cannot send again what was delivered, what was never to be sent, or what is not there', async () => {
    const { platform, inbox } = await platformWithInbox()
    await emit(platform, {})
    await server.settle()
    await setEndpoint(platform, null)
    await emit(platform, {})
    const { platformId, environment } = platform
    const [delivered, stored] = await eventsOf(platform)
    const resend = (id: string, book: object = { platformId, environment }) =>
      asOperator('POST', `/events/${id}/resend`, book)
    expect((await resend(delivered!.id)).body).toMatchObject({
      code: 'CONFLICT',
      details: { status: 'DELIVERED' },
    })
    expect((await resend(stored!.id)).body).toMatchObject({ code: 'CONFLICT', details: { status: 'STORED' } })
    const other = await server.platform()
    const foreign = await resend(delivered!.id, { platformId: other.platformId, environment })
    expect(foreign.body).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    const nonsense = await resend(delivered!.id, { platformId: "'; drop table events", environment })
    expect(nonsense.body).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'platformId' } })
    expect(inbox.received).toHaveLength(1)
  })

  it('is nobody without the key', async () => {
    const response = await server.fetch('http://corridor.test/operator/events')
    expect(response.status).toBe(401)
  })
})

describe('the sandbox clock', () => {
  it('belongs to one platform, only moves forward, and is not there in production', async () => {
    const [mine, theirs] = [await server.platform(), await server.platform()]
    const start = (await server.client(mine).GET('/sandbox/clock')).data!
    expect(start.offsetSeconds).toBe(0)
    await server.client(mine).POST('/sandbox/clock/advance', { body: { seconds: 90 } })
    const twice = await server.client(mine).POST('/sandbox/clock/advance', { body: { seconds: 0 } })
    expect(twice.data).toEqual({
      now: new Date(Date.parse(start.now) + 90 * second).toISOString(),
      offsetSeconds: 90,
    })
    expect((await server.client(theirs).GET('/sandbox/clock')).data).toEqual(start)
    const both = await Promise.all(
      [30, 40].map((seconds) => server.client(mine).POST('/sandbox/clock/advance', { body: { seconds } })),
    )
    expect(both.map(({ data }) => data!.offsetSeconds)).toContain(160)
    const back = await server.client(mine).POST('/sandbox/clock/advance', { body: { seconds: -1 } })
    expect(back.error).toMatchObject({ code: 'INVALID_INPUT' })

    const production = server.client(await server.platform({ environment: 'PRODUCTION' }))
    expect((await production.GET('/sandbox/clock')).error).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  })
})
