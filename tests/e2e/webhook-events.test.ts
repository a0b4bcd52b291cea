import { createCustomer, openTestServer, recordWebhooks } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { operate } from './onboarding.ts'
import { namesOf, second, webhookEndpoints } from './webhook-endpoints.ts'

const receiver = recordWebhooks()
const server = await openTestServer({ network: receiver.network })

const { platformWithInbox, setEndpoint, emit, deliveriesOf } = webhookEndpoints(() => server, receiver)

/** A platform with an endpoint, and what it asks of its events. */
async function start() {
  const { platform, inbox } = await platformWithInbox()
  const api = server.client(platform)
  return {
    platform,
    inbox,
    api,
    list: async (query: object = {}) =>
      (await api.GET('/webhook-events', { params: { query: query as never } })).data!,
    read: (eventId: string) => api.GET('/webhook-events/{eventId}', { params: { path: { eventId } } }),
    resend: (eventId: string) =>
      api.POST('/webhook-events/{eventId}/resend', { params: { path: { eventId } } }),
    replay: (body: object) => api.POST('/webhook-events/replay', { body: body as never }),
    now: async () => new Date(await server.now(platform)).toISOString(),
  }
}

describe('a platform reads its events', () => {
  it('with how each was delivered, by type, status and time, and the one with what was sent', async () => {
    const { platform, inbox, list, read, now } = await start()
    inbox.answer(({ event }) => (event.data.name === 'bad' ? 500 : 200))
    await emit(platform, { data: { name: 'good' } })
    await server.pass(10)
    const between = await now()
    await server.pass(10)
    await emit(platform, { data: { name: 'bad' }, maxAttempts: 1, type: 'BULK_UPLOAD.FAILED' })
    await server.settle()
    expect(await list()).toMatchObject({
      totalCount: 2,
      data: [
        { type: 'BULK_UPLOAD.FAILED', status: 'FAILED', attempts: 1, lastStatus: 500, lastError: 'HTTP_500' },
        { type: 'TEST', status: 'DELIVERED', attempts: 1, lastStatus: 200, lastError: null },
      ],
    })
    expect((await list({ status: 'FAILED' })).data).toHaveLength(1)
    expect((await list({ type: 'TEST' })).data).toHaveLength(1)
    expect((await list({ createdAfter: between })).data).toMatchObject([{ status: 'FAILED' }])
    expect((await list({ createdBefore: between })).data).toMatchObject([{ status: 'DELIVERED' }])
    const { id } = (await list({ status: 'FAILED' })).data[0]!
    expect((await read(id)).data).toMatchObject({
      id,
      payload: { id, type: 'BULK_UPLOAD.FAILED', data: { name: 'bad' } },
      attemptLog: [{ via: 'endpoint', attempt: 1, status: 500, error: 'HTTP_500', milliseconds: 0 }],
      lastMilliseconds: 0,
      nextAttemptAt: null,
      // What a resend would be signed with: that of the attempts is not kept once it is given up.
      signature: { keyId: expect.any(String), isVerified: true, isOfAttempts: false },
    })
    expect((await list({ resourceId: 'Thing:none' })).data).toEqual([])
    const { resourceId } = (await list()).data[0]!
    expect(
      (await list({ resourceId: ['Thing:none', resourceId] })).data.map((each) => each.resourceId),
    ).toContain(resourceId)

    const other = server.client(await server.platform())
    const foreign = await other.GET('/webhook-events/{eventId}', { params: { path: { eventId: id } } })
    expect(foreign.response.status).toBe(404)
    expect((await other.GET('/webhook-events', {})).data!.data).toEqual([])
  })
})

describe('an event that is tried again', () => {
  it('says in lists how each of its latest ten attempts went, the oldest first', async () => {
    const { platform, inbox, list, read } = await start()
    inbox.answer((_, index) => (index < 2 ? 503 : 200))
    await emit(platform, { data: { name: 'a' } })
    for (const seconds of [0, 10, 20]) {
      await server.advance(platform, seconds * second)
      await server.settle()
    }
    const [event] = (await list()).data
    const at = expect.any(String)
    expect(event).toMatchObject({
      attempts: 3,
      latestAttempts: [
        { at, status: 503, error: 'HTTP_503' },
        { at, status: 503, error: 'HTTP_503' },
        { at, status: 200, error: null },
      ],
    })
    const { attemptLog } = (await read(event!.id)).data!
    expect(event!.latestAttempts.map((each) => each.at)).toEqual(attemptLog.map((each) => each.at))

    const log = Array.from({ length: 20 }, (_, index) => ({
      ...{ attempt: index + 1, at: attemptLog[0]!.at, status: 500 + index, error: `HTTP_${500 + index}` },
      signed: { keyId: 'k', signature: 'of nobody' },
    }))
    await server.commit(platform, {
      updates: [{ table: 'events', id: event!.id, set: { attempt_log: log, attempts: 20 } }],
    })
    const { latestAttempts } = (await list()).data[0]!
    expect(latestAttempts.map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, (_, index) => 510 + index),
    )
    // Nothing else of them: what they were signed with is nobody's.
    expect(Object.keys(latestAttempts[0]!).sort()).toEqual(['at', 'error', 'status'])
  })

  it('shows what was answered, and whether its signature verifies', async () => {
    const { platform, inbox, list, read, now } = await start()
    inbox.answer(() => 500)
    await emit(platform, { data: { name: 'a' } })
    await server.settle()
    const { id } = (await list()).data[0]!
    const { data } = await read(id)
    expect(data).toMatchObject({ status: 'RETRYING', signature: { isVerified: true, isOfAttempts: true } })
    // The very bytes and headers that were sent, and when they are sent again.
    const [sent] = inbox.received
    expect(data!.body).toBe(sent!.body)
    for (const [name, value] of Object.entries(data!.attemptLog[0]!.headers)) {
      const [shown, whole] = [value.replace(/…$/, ''), sent!.headers[name.toLowerCase()]!]
      expect(whole.startsWith(shown) && (shown === whole) === (shown === value), name).toBe(true)
    }
    expect(data!.attemptLog[0]!.headers).toMatchObject({
      'X-Webhook-Attempt': '1',
      'X-Webhook-Key-Id': data!.signature!.keyId,
      // Its beginning: who may only look cannot send it in the name of the service.
      'X-Grid-Signature': expect.stringMatching(/^.{16}…$/),
    })
    expect(Date.parse(data!.nextAttemptAt!)).toBeGreaterThan(Date.parse(await now()))
    expect((await list()).data[0]!.nextAttemptAt).toBe(data!.nextAttemptAt)
    expect(data!.lastAnswer).toEqual(expect.any(String))
    expect(data!.signature!.keyId).toMatch(/^webhook-sandbox-/)

    const [row] = await server.rows<{ log: { signed: { signature: string } }[] }>(
      'select attempt_log as log from events where platform_id = $1 and environment = $2 and id = $3',
      [platform.platformId, platform.environment, id],
    )
    const log = row!.log.map((attempt) => ({
      ...attempt,
      signed: { ...attempt.signed, signature: 'MEUCIQ==' },
    }))
    await server.commit(platform, { updates: [{ table: 'events', id, set: { attempt_log: log } }] })
    expect((await read(id)).data!.signature).toMatchObject({ isVerified: false })
  })
})

describe('the attempts of an event', () => {
  it('each have what was answered and how long their parts took', async () => {
    const { platform, inbox, list, read } = await start()
    inbox.answer((_event, index) => new Response('kept to itself', { status: index === 0 ? 500 : 200 }))
    await emit(platform, { data: { name: 'a' } })
    await server.settle()
    await server.advance(platform, 20_000)
    await server.settle()
    const { id } = (await list()).data[0]!
    const times = { dns: 0, connect: 0, tls: 0, wait: 0, isReused: false }
    expect((await read(id)).data!.attemptLog).toMatchObject([
      { attempt: 1, status: 500, answer: 'kept to itself', times },
      { attempt: 2, status: 200, answer: 'kept to itself', times },
    ])
    // Not as it came: an answer may repeat what the event tells.
    const stored = await server.rows<{ body: string }>(
      'select body from webhook_answers where platform_id = $1 and event_id = $2',
      [platform.platformId, id],
    )
    expect(stored.map(({ body }) => body.startsWith('2.'))).toEqual([true, true])
    expect(JSON.stringify(stored)).not.toContain('kept')
  })

  it('have the answers of the latest twenty', async () => {
    const { platform, inbox, list, read, resend } = await start()
    inbox.answer(() => new Response('no', { status: 500 }))
    await emit(platform, { data: { name: 'a' }, maxAttempts: 1 })
    await server.settle()
    const { id } = (await list()).data[0]!
    for (let times = 1; times <= 21; times++) {
      await resend(id)
      await server.settle()
    }
    const log = (await read(id)).data!.attemptLog
    expect(log.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 20 }, (_, index) => index + 3))
    expect(log.every(({ answer }) => answer !== null)).toBe(true)
    const kept = async () => {
      const rows = await server.rows<{ count: bigint }>(
        'select count(*) as count from webhook_answers where platform_id = $1 and event_id = $2',
        [platform.platformId, id],
      )
      return Number(rows[0]!.count)
    }
    expect(await kept()).toBe(20)
  })
})

describe('a platform sends an event again', () => {
  it('that was delivered or given up, with the same id and bytes', async () => {
    const { platform, inbox, list, resend } = await start()
    inbox.answer((_event, index) => (index === 1 ? 500 : 200))
    await emit(platform, { data: { name: 'a' } }, { data: { name: 'b' }, maxAttempts: 1 })
    await server.settle()
    const { data } = await list()
    expect(data.map(({ status }) => status).sort()).toEqual(['DELIVERED', 'FAILED'])
    for (const { id } of data) expect((await resend(id)).response.status).toBe(202)
    await server.settle()
    expect(namesOf(inbox).slice(2).sort()).toEqual(['a', 'b'])
    expect(new Set(inbox.received.map(({ body }) => body)).size).toBe(2)
    expect(await deliveriesOf(platform)).toMatchObject([
      { status: 'DELIVERED', attempts: 2 },
      { status: 'DELIVERED', attempts: 2 },
    ])
  })

  it('not while it is being sent, where nobody would get it, where it asks something, or where there is none', async () => {
    const { platform, inbox, list, resend } = await start()
    inbox.answer(() => 500)
    await emit(platform, { data: { name: 'retried' } })
    await server.settle()
    const retried = (await list()).data[0]!
    expect((await resend(retried.id)).error).toMatchObject({
      code: 'CONFLICT',
      details: { status: 'RETRYING' },
    })
    await setEndpoint(platform, null)
    await emit(platform, { data: { name: 'stored' } })
    const stored = (await list({ status: 'STORED' })).data[0]!
    expect((await resend(stored.id)).error).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'NO_RECEIVER' },
    })
    const none = await resend('Webhook:0199dccc-4a80-7000-8000-000000000001')
    expect(none.error).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    await server.rows(
      `update events set status = 'DELIVERED', question = '{"kind":"x","payload":{}}' where platform_id = $1 and id = $2`,
      [platform.platformId, stored.id],
    )
    expect((await resend(stored.id)).error).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'ASKED_ONCE' },
    })
  })
})

describe('a replay', () => {
  it('does not say that it has sent what nobody gets', async () => {
    const { platform, replay, now } = await start()
    const before = await now()
    await setEndpoint(platform, null)
    await emit(platform, {})
    const nothing = { matching: 1, replayed: 0, skipped: 1 }
    expect((await replay({ createdAfter: before, dryRun: true })).data).toEqual(nothing)
    expect((await replay({ createdAfter: before })).data).toEqual(nothing)
    const others = await replay({ createdAfter: before, statuses: ['FAILED'], dryRun: true })
    expect(others.data).toEqual({ matching: 0, replayed: 0, skipped: 0 })
  })

  it('counts in a dry run, and sends the events of a period again, so many a second', async () => {
    const { platform, inbox, replay, now } = await start()
    const before = await now()
    await emit(
      platform,
      ...[1, 2, 3, 4].map((number) => ({ resourceId: `Thing:${number}`, data: { name: number } })),
    )
    await server.settle()
    expect(inbox.received).toHaveLength(4)
    await server.pass(second)
    const after = await now()
    await server.pass(second)
    await emit(platform, { data: { name: 'later' } })
    await server.settle()

    const period = { createdAfter: before, createdBefore: after }
    const dry = await replay({ ...period, dryRun: true })
    expect(dry.data).toEqual({ matching: 4, replayed: 0, skipped: 0 })
    const two = await replay({ ...period, resourceIds: ['Thing:1', 'Thing:3'], dryRun: true })
    expect(two.data).toEqual({ matching: 2, replayed: 0, skipped: 0 })
    const done = await replay({ ...period, ratePerSecond: 2 })
    expect(done.data).toMatchObject({ matching: 4, replayed: 4, skipped: 0, until: expect.any(String) })
    await server.settle()
    expect(inbox.received).toHaveLength(5 + 1)
    await server.advance(platform, 600)
    expect(inbox.received).toHaveLength(5 + 2)
    await server.advance(platform, 2 * second)
    expect(inbox.received).toHaveLength(5 + 4)
    expect(new Set(inbox.received.slice(5).map(({ body }) => body)).size).toBe(4)
  })

  it('tries at once what waits for another attempt, where that is asked for', async () => {
    const { platform, inbox, list, replay, now } = await start()
    const before = await now()
    inbox.answer(() => 500)
    const names = ['a', 'b', 'c']
    await emit(platform, ...names.map((name) => ({ resourceId: `Thing:${name}`, data: { name } })))
    await server.settle()
    await server.advance(platform, 60 * 60 * second)
    inbox.answer(() => 200)
    const period = { createdAfter: before }
    const waiting = { ...period, statuses: ['RETRYING'], resourceIds: ['Thing:a', 'Thing:b'] }
    // What waits is sent in any case, so nobody who names no status asks for it.
    expect((await replay({ ...period, dryRun: true })).data).toEqual({ matching: 0, replayed: 0, skipped: 0 })
    expect((await replay({ ...waiting, dryRun: true })).data).toEqual({
      matching: 2,
      replayed: 0,
      skipped: 0,
    })
    const received = inbox.received.length
    expect((await replay(waiting)).data).toMatchObject({ matching: 2, replayed: 2 })
    await server.advance(platform, second)
    expect(namesOf(inbox).slice(received).sort()).toEqual(['a', 'b'])
    expect((await list({ status: 'RETRYING' })).data.map(({ resourceId }) => resourceId)).toEqual(['Thing:c'])
    // Each once: the timer that would have rung later is the same one.
    await server.advance(platform, 60 * 60 * second)
    expect(namesOf(inbox).slice(received).sort()).toEqual(['a', 'b', 'c'])
  })

  it('leaves what is being sent at this moment to that', async () => {
    const { platform, inbox, replay, now } = await start()
    const before = await now()
    inbox.answer(() => 500)
    await emit(platform, { data: { name: 'a' } })
    await server.settle()
    await server.rows(
      `update events set due_at = now() + interval '1 hour' where platform_id = $1 and status = 'RETRYING'`,
      [platform.platformId],
    )
    const asked = await replay({ createdAfter: before, statuses: ['RETRYING'] })
    expect(asked.data).toEqual({ matching: 0, replayed: 0, skipped: 0 })
  })

  it('names a period that is no period, and takes one that holds nothing', async () => {
    const { replay, now } = await start()
    const time = await now()
    const wrong = await replay({ createdAfter: time, createdBefore: '2020-01-01T00:00:00.000Z' })
    expect(wrong.error).toMatchObject({
      status: 400,
      details: { errors: [{ field: 'createdAfter', message: 'is later than createdBefore' }] },
    })
    expect((await replay({ createdAfter: time })).data).toEqual({ matching: 0, replayed: 0, skipped: 0 })
    expect((await replay({})).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
  })

  it('of more than 1,000 is for the operator, and for two of them where there are two', async () => {
    const { platform, replay, now } = await start()
    const before = await now()
    await setEndpoint(platform, null)
    for (let part = 0; part < 3; part++) {
      await emit(
        platform,
        ...Array.from({ length: 334 }, (_, index) => ({ resourceId: `Thing:${part}-${index}` })),
      )
    }
    await server.rows(`update events set status = 'DELIVERED' where platform_id = $1`, [platform.platformId])
    await setEndpoint(platform, 'http://127.0.0.1:9/hooks')
    const refused = await replay({ createdAfter: before })
    expect(refused.error).toMatchObject({
      status: 400,
      details: {
        errors: [{ field: 'createdAfter', message: expect.stringContaining('matches 1002 events') }],
      },
    })
    const { platformId, environment } = platform
    const body = { platformId, environment, createdAfter: before }
    const dry = await operate(server, 'POST', '/events/replay', { ...body, dryRun: true })
    expect(dry).toEqual({ status: 200, body: { matching: 1_002, replayed: 0, skipped: 0 } })
    // The only one there is does it alone (access/operators).
    expect(await operate(server, 'POST', '/events/replay', body)).toMatchObject({
      status: 200,
      body: { matching: 1_002, replayed: 1_002 },
    })
    const hired = await operate(server, 'POST', '/operators', { name: 'Ann', role: 'ADMINISTRATOR' })
    await server.fetch('http://corridor.test/operator/join', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ joinCode: hired.body.joinCode }),
    })
    await server.rows(`update events set status = 'DELIVERED' where platform_id = $1`, [platform.platformId])
    expect(await operate(server, 'POST', '/events/replay', body)).toMatchObject({
      status: 202,
      body: { status: 'OPEN' },
    })
    const small = { ...body, types: ['BULK_UPLOAD.FAILED'] }
    expect(await operate(server, 'POST', '/events/replay', small)).toMatchObject({ status: 200 })
  })
})

it('what an erased customer took along is sent by nothing again: no resend, no replay, no listener', async () => {
  const { platform, inbox, api, list, read, resend, replay, now } = await start()
  const createdAfter = await now()
  const open = async (name: string) => (await api.POST('/webhook-listeners', { body: { name } })).data!
  const taken = async ({ id, session }: { id: string; session: string }) =>
    (
      await api.GET('/webhook-listeners/{listenerId}/deliveries', {
        params: { path: { listenerId: id }, query: { session } },
      })
    ).data!.data.map((event) => event.id)
  const [early, late] = [await open('early'), await open('late')]
  const customer = await createCustomer(api)
  await emit(
    platform,
    { resourceId: customer.id, data: { fullName: 'Ana Lopez' } },
    { data: { name: 'stays' } },
  )
  await server.settle()
  const about = new Map((await list()).data.map(({ id, resourceId }) => [resourceId, id]))
  const gone = about.get(customer.id)!
  const missed = [{ id: gone, attempt: 1, status: 500, milliseconds: 1, body: 'no Ana Lopez here' }]
  expect(await taken(early)).toContain(gone)
  await api.POST('/webhook-listeners/{listenerId}/results', {
    params: { path: { listenerId: early.id } },
    body: { session: early.session, results: missed },
  })
  const answersKept = async () => {
    const rows = await server.rows<{ count: bigint }>(
      'select count(*) as count from webhook_answers where platform_id = $1 and event_id = $2',
      [platform.platformId, gone],
    )
    return Number(rows[0]!.count)
  }
  expect(await answersKept()).toBe(1)

  await api.DELETE('/customers/{customerId}', { params: { path: { customerId: customer.id } } })
  const erased = await operate(server, 'POST', `/customers/${encodeURIComponent(customer.id)}/erase`)
  expect(erased.status).toBe(204)
  await server.pass(60)
  expect((await read(gone)).data).toMatchObject({ id: gone, payload: { data: {} } })
  expect(await answersKept()).toBe(0)
  for (const listener of [early, late]) {
    const ids = await taken(listener)
    expect(ids).not.toContain(gone)
    expect(ids).toContain(about.get('Thing:1'))
  }
  const refused = await resend(gone)
  expect([refused.response.status, refused.error]).toMatchObject([409, { details: { reason: 'ERASED' } }])
  const before = inbox.received.filter(({ event }) => event.id === gone).length
  await replay({ createdAfter })
  await server.settle()
  expect(inbox.received.filter(({ event }) => event.id === gone)).toHaveLength(before)
  expect(namesOf(inbox).filter((name) => name === 'stays')).toHaveLength(2)
})

it('a token of another area reads none of what they tell', async () => {
  const { platform, api, list } = await start()
  await emit(platform, { data: { fullName: 'Ana Lopez' } })
  const [event] = (await list()).data
  const statusOf = async (area: 'CONFIGURATION' | 'EVENTS') => {
    const { data } = await api.POST('/tokens', {
      body: { name: area, permissions: ['VIEW'], areas: [area] } as never,
    })
    const as = { clientId: data!.clientId, clientSecret: data!.clientSecret! }
    const held = server.client({ ...platform, ...as })
    return (await held.GET('/webhook-events/{eventId}', { params: { path: { eventId: event!.id } } }))
      .response.status
  }
  expect([await statusOf('CONFIGURATION'), await statusOf('EVENTS')]).toEqual([403, 200])
})
