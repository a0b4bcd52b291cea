import { openTestServer, recordWebhooks, verifyReceived } from '@corridor/testkit/index.ts'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { day, namesOf, second, webhookEndpoints } from './webhook-endpoints.ts'

const receiver = recordWebhooks()
const server = await openTestServer({ network: receiver.network })

const { platformWithInbox, setEndpoint, emit, deliveriesOf } = webhookEndpoints(() => server, receiver)

describe('a webhook', () => {
  it('is signed over its raw bytes with the published key of its platform and environment', async () => {
    for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
      const platform = await server.platform({ environment })
      const inbox = receiver.inbox()
      await setEndpoint(platform, inbox.url)
      await emit(platform, { data: { name: 'Zoë', amount: 1 } })
      await server.settle()

      const [webhook] = inbox.received
      const page = await server.fetch(
        `http://corridor.test/.well-known/webhook-public-key?platform=${platform.clientId}`,
      )
      expect(page.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      const publicKey = await page.text()
      expect(await verifyReceived(webhook!, publicKey)).toEqual({
        id: expect.stringMatching(/^Webhook:/),
        type: 'TEST',
        timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        data: { name: 'Zoë', amount: 1 },
      })
      expect(Object.keys(webhook!.event)).toEqual(['id', 'type', 'timestamp', 'data'])
      expect(
        await verifyReceived({ ...webhook!, body: webhook!.body.replace('1', '2') }, publicKey),
      ).toBeNull()

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

  it('is signed whatever characters it carries: emoji, line separators, joined and combining marks', async () => {
    const { platform, inbox } = await platformWithInbox()
    const character = fc.constantFrom(
      ...['😀', '👩‍👩‍👧', '🇩🇪', '\u2028', '\u2029', '\ufeff', 'e\u0301', '"', '\\', '</a>'],
    )
    const publicKey = await (
      await server.fetch(`http://corridor.test/.well-known/webhook-public-key?platform=${platform.clientId}`)
    ).text()
    const names = fc.sample(fc.array(character, { minLength: 1, maxLength: 8 }), { numRuns: 20, seed: 44 })
    for (const [index, characters] of names.entries()) {
      const name = characters.join('')
      await emit(platform, { data: { name } })
      await server.settle()
      expect(await verifyReceived(inbox.received[index]!, publicKey)).toMatchObject({ data: { name } })
    }
  })

  it('is repeated with the same bytes and id until the endpoint takes it', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer((_webhook, index) => (index < 3 ? 503 : 204))
    await emit(platform, { data: { name: 'persistent' } })
    await server.settle()
    await server.advance(platform, 60 * second)

    expect(inbox.received).toHaveLength(4)
    expect(new Set(inbox.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(inbox.received.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1)
    expect(inbox.received.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3', '4'])
    expect(await deliveriesOf(platform)).toMatchObject([
      { status: 'DELIVERED', attempts: 4, lastError: null },
    ])
  })

  it('is retried after about 5, 10 and 20 seconds with the same signature, and not at all once it is known (W9)', async () => {
    const { platform, inbox } = await platformWithInbox({ environment: 'PRODUCTION' })
    const attemptedAt: number[] = []
    inbox.answer((_webhook, index) => {
      attemptedAt.push(server.world.now())
      return index < 3 ? 500 : 200
    })
    await emit(platform, { data: { name: 'retried' } })
    await server.settle()
    for (let passed = 0; passed < 45; passed++) await server.pass(second)

    expect(inbox.received).toHaveLength(4)
    expect(new Set(inbox.received.map(({ body }) => body)).size).toBe(1)
    for (const name of ['x-webhook-id', 'x-grid-signature', 'x-service-signature', 'x-webhook-key-id']) {
      expect(new Set(inbox.received.map(({ headers }) => headers[name])).size, name).toBe(1)
    }
    const pauses = attemptedAt.slice(1).map((at, index) => at - attemptedAt[index]!)
    for (const [index, expected] of [5, 10, 20].entries()) {
      // A fifth of jitter, and the second in which time passes here.
      expect(pauses[index]).toBeGreaterThanOrEqual(expected * 0.8 * second)
      expect(pauses[index]).toBeLessThanOrEqual((expected * 1.2 + 1) * second)
    }
    const page = await server.fetch(
      `http://corridor.test/.well-known/webhook-public-key?platform=${platform.clientId}`,
    )
    const publicKey = await page.text()
    for (const webhook of inbox.received) {
      expect(await verifyReceived(webhook, publicKey)).not.toBeNull()
      const flipped = `${webhook.body.slice(0, -1)} `
      expect(await verifyReceived({ ...webhook, body: flipped }, publicKey)).toBeNull()
    }

    inbox.answer(() => 409)
    await emit(platform, { data: { name: 'known' } })
    await server.settle()
    for (let passed = 0; passed < 10; passed++) await server.pass(second)
    expect(inbox.received).toHaveLength(5)
  })

  it('waits thirty seconds for an answer, and ten while a caller waits for it', async () => {
    const { platform } = await platformWithInbox()
    const send = vi.spyOn(server.thirdParties.SANDBOX.webhooks, 'send')
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
      attemptedAt.push(await server.now(platform))
      return 500
    })
    const startedAt = await server.now(platform)
    await emit(platform, {})
    const api = server.client(platform)
    const advanced = await api.POST('/sandbox/clock/advance', { body: { seconds: (8 * day) / second } })
    const clock = { now: new Date(startedAt + 8 * day).toISOString(), offsetSeconds: (8 * day) / second }
    expect(advanced.data).toMatchObject({ ...clock, isThere: true })
    expect((await api.GET('/sandbox/clock')).data).toEqual({ ...clock, isFrozen: false })

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
    expect(await deliveriesOf(platform)).toMatchObject([{ status: 'FAILED', attempts: attemptedAt.length }])
  })

  it('counts as delivered when the endpoint says it has processed it before', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer(() => 409)
    await emit(platform, {})
    await server.settle()
    await server.advance(platform, day)
    expect(inbox.received).toHaveLength(1)
    expect(await deliveriesOf(platform)).toMatchObject([{ status: 'DELIVERED' }])
  })

  it('is not taken to where the endpoint redirects', async () => {
    const { platform, inbox } = await platformWithInbox()
    const elsewhere = receiver.inbox()
    inbox.answer(() => new Response(null, { status: 307, headers: { location: elsewhere.url } }))
    await emit(platform, {})
    await server.settle()
    expect(elsewhere.received).toEqual([])
    expect(await deliveriesOf(platform)).toMatchObject([{ status: 'RETRYING', lastError: 'HTTP_307' }])
  })

  it('of an event that is sent once is not repeated', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer(() => 500)
    await emit(platform, { maxAttempts: 1 })
    await server.settle()
    await server.advance(platform, day)
    expect(inbox.received).toHaveLength(1)
    expect(await deliveriesOf(platform)).toMatchObject([{ status: 'FAILED', attempts: 1 }])
  })

  it('goes to the new address from the next attempt after a change, and waits out a removal', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer(() => 500)
    await emit(platform, {})
    await server.settle()
    await setEndpoint(platform, null)
    await server.advance(platform, 6 * second)
    expect(await deliveriesOf(platform)).toMatchObject([
      { status: 'RETRYING', attempts: 2, lastError: 'NO_ENDPOINT' },
    ])
    const next = receiver.inbox()
    await setEndpoint(platform, next.url)
    await server.advance(platform, 12 * second)
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
    expect(await deliveriesOf(platform)).toMatchObject([{ status: 'FAILED', attempts: 1 }])
  })

  it('is never sent for what happened while no endpoint was configured', async () => {
    const platform = await server.platform()
    await emit(platform, { data: { name: 'before' } })
    const inbox = receiver.inbox()
    await setEndpoint(platform, inbox.url)
    await emit(platform, { data: { name: 'after' } })
    await server.settle()
    await server.advance(platform, day)
    expect(namesOf(inbox)).toEqual(['after'])
    expect((await deliveriesOf(platform)).map(({ status }) => status)).toEqual(['STORED', 'DELIVERED'])
  })
})
