import { createCustomer, openTestServer, recordWebhooks } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { operate } from './onboarding.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

const receiver = recordWebhooks()
const server = await openTestServer({ network: receiver.network })

const { platformWithInbox, setEndpoint, emit, deliveriesOf } = webhookEndpoints(() => server, receiver)

describe('the operator', () => {
  it('sees the events that were given up and sends one again, with the same bytes', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer(() => new Response('secret of the endpoint', { status: 500 }))
    await emit(platform, { maxAttempts: 1 })
    await server.settle()
    const { platformId, environment } = platform
    const listed = await operate(server, 'GET', `/events?platformId=${platformId}&environment=${environment}`)
    const { id } = inbox.received[0]!.event
    expect(listed.body).toMatchObject({
      data: [{ id, type: 'TEST', resourceId: 'Thing:1', attempts: 1, lastStatus: 500 }],
      totalCount: 1,
    })
    expect(JSON.stringify(listed.body)).not.toContain('secret')

    inbox.answer(() => 200)
    const sent = await operate(server, 'POST', `/events/${id}/resend`, { platformId, environment })
    expect(sent).toEqual({ status: 202, body: { id } })
    await server.settle()
    expect(inbox.received).toHaveLength(2)
    expect(inbox.received[1]!.body).toBe(inbox.received[0]!.body)
    expect(await deliveriesOf(platform)).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
  })

  it('sees that an endpoint is down while its events are still tried, since when, and which', async () => {
    const { platform, inbox } = await platformWithInbox()
    const { platformId, environment } = platform
    const mine = async () => {
      const { body } = await operate(server, 'GET', '/endpoints')
      return body.data.find((row: { platformId: string }) => row.platformId === platformId)
    }
    await emit(platform, {})
    await server.settle()
    expect(await mine()).toBeUndefined()
    inbox.answer(() => new Response('secret of the endpoint', { status: 503 }))
    await emit(platform, { resourceId: 'Thing:a' }, { resourceId: 'Thing:b' })
    await server.settle()
    // One answer in vain is a hiccup, and what waits is told all the same.
    expect(await mine()).toMatchObject({ isFailing: false, waiting: 2, givenUp: 0, lastStatus: 503 })
    await server.advance(platform, 2 * 60 * 60_000)
    expect(await mine()).toEqual({
      ...{ platformId, environment, isFailing: true, waiting: 2, givenUp: 0 },
      ...{ oldestAt: expect.any(String), oldestSeconds: 7_200, lastStatus: 503, lastError: 'HTTP_503' },
    })
    const of = `/events?platformId=${platformId}&environment=${environment}`
    expect((await operate(server, 'GET', of)).body.data).toEqual([])
    const waiting = await operate(server, 'GET', `${of}&status=RETRYING&limit=1`)
    expect(waiting.body).toMatchObject({
      data: [{ status: 'RETRYING', lastStatus: 503, lastError: 'HTTP_503' }],
      totalCount: 2,
      hasMore: true,
    })
    expect(JSON.stringify(waiting.body)).not.toContain('secret')
    const next = encodeURIComponent(waiting.body.nextCursor)
    const rest = await operate(server, 'GET', `${of}&status=RETRYING&limit=1&cursor=${next}`)
    expect(rest.body.data.map(({ resourceId }: { resourceId: string }) => resourceId)).toEqual(['Thing:a'])
    // A cursor of the one is none of the other.
    expect((await operate(server, 'GET', `${of}&status=FAILED&cursor=${next}`)).status).toBe(400)
    inbox.answer(() => 200)
    await server.advance(platform, 40 * 60_000)
    expect(await mine()).toBeUndefined()
  })

  it('sees what was given up beside what waits, and another platform not at all', async () => {
    const { platform, inbox } = await platformWithInbox()
    const other = await platformWithInbox()
    inbox.answer(() => 500)
    await emit(platform, { maxAttempts: 1 })
    await emit(other.platform, {})
    await server.settle()
    const { body } = await operate(server, 'GET', '/endpoints')
    const of = ({ platformId }: { platformId: string }) =>
      body.data.filter((row: { platformId: string }) => row.platformId === platformId)
    expect(of(platform)).toEqual([
      {
        ...{ platformId: platform.platformId, environment: 'SANDBOX', isFailing: true, waiting: 0 },
        ...{ lastStatus: null, lastError: null, givenUp: 1, lastGivenUpAt: expect.any(String) },
      },
    ])
    expect(of(other.platform)).toEqual([])
  })

  it('reads how the delivery of an event went, attempt by attempt, without what was said', async () => {
    const { platform, inbox } = await platformWithInbox()
    inbox.answer((_webhook, index) => {
      if (index === 0) return new Response('secret of the endpoint', { status: 503 })
      if (index === 1) throw new TypeError('connection refused')
      return 204
    })
    await emit(platform, {})
    await server.settle()
    await server.advance(platform, 60_000)
    const { id } = inbox.received[0]!.event
    const { platformId, environment } = platform
    const read = (book: string) =>
      operate(server, 'GET', `/events/${id}?environment=${environment}&platformId=${book}`)
    const { body } = await read(platformId)
    expect(body).toMatchObject({
      id,
      status: 'DELIVERED',
      attempts: 3,
      attemptLog: [
        { attempt: 1, status: 503, error: 'HTTP_503' },
        { attempt: 2, status: null, error: 'failed' },
        { attempt: 3, status: 204, error: null },
      ],
    })
    expect(JSON.stringify(body)).not.toContain('secret')
    const { platformId: other } = await server.platform()
    expect((await read(other)).body).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
  })

  it('cannot send again what was delivered, what was never to be sent, or what is not there', async () => {
    const { platform, inbox } = await platformWithInbox()
    await emit(platform, {})
    await server.settle()
    await setEndpoint(platform, null)
    await emit(platform, {})
    const { platformId, environment } = platform
    const [delivered, stored] = await deliveriesOf(platform)
    const resend = (id: string, book: object = { platformId, environment }) =>
      operate(server, 'POST', `/events/${id}/resend`, book)
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

  it('sends nothing of a customer that was erased meanwhile', async () => {
    const { platform, inbox } = await platformWithInbox()
    const api = server.client(platform)
    const customer = await createCustomer(api)
    inbox.answer(() => 500)
    await emit(platform, { resourceId: customer.id, data: { fullName: 'Ana Lopez' } })
    await server.settle()
    await api.DELETE('/customers/{customerId}', { params: { path: { customerId: customer.id } } })
    const erased = await operate(server, 'POST', `/customers/${encodeURIComponent(customer.id)}/erase`)
    expect(erased.status).toBe(204)
    const before = inbox.received.length
    const { id } = inbox.received.find(({ event }) => event.data.fullName)!.event
    const { platformId, environment } = platform
    const resent = await operate(server, 'POST', `/events/${id}/resend`, { platformId, environment })
    expect(resent.body).toMatchObject({ code: 'CONFLICT', details: { reason: 'ERASED' } })
    await server.settle()
    expect(inbox.received).toHaveLength(before)
  })

  it('sends nothing that a process wrote before it heard of the erasure', async () => {
    const { platform, inbox } = await platformWithInbox()
    const api = server.client(platform)
    const customer = await createCustomer(api)
    await server.settle()
    const before = inbox.received.length
    await emit(platform, { resourceId: customer.id, subjectId: customer.id, data: { id: customer.id } })
    // The erasure took the key along, and did not see this event yet.
    await server.commit(platform, { deletes: [{ table: 'data_keys', row: { owner_id: customer.id } }] })
    await server.settle()
    expect(inbox.received.slice(before)).toEqual([])
    const { data } = (await api.GET('/webhook-events', { params: { query: { status: 'FAILED' } } })).data!
    expect(data[0]).toMatchObject({ resourceId: customer.id, status: 'FAILED', lastError: 'ERASED' })
  })

  it('is nobody without the key', async () => {
    const response = await server.fetch('http://corridor.test/operator/events')
    expect(response.status).toBe(401)
  })
})
