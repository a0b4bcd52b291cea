import { openTestServer, recordWebhooks } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { day, webhookEndpoints } from './webhook-endpoints.ts'

const receiver = recordWebhooks()
const server = await openTestServer({ network: receiver.network })

const { platformWithInbox, setEndpoint } = webhookEndpoints(() => server, receiver)

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
    await server.advance(platform, day)
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
