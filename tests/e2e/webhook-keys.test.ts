import { loadKeys } from '@corridor/engine/keys/keys.ts'
import {
  operatorKey,
  recordWebhooks,
  startTestServer,
  type TestServer,
  verifyReceived,
} from '@corridor/testkit/index.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const receiver = recordWebhooks()
let server: TestServer
beforeEach(async () => {
  server = await startTestServer({ network: receiver.network })
})
afterEach(() => server.close())

const minute = 60_000
const day = 24 * 60 * minute

async function rotate(environment: string) {
  const response = await server.fetch('http://corridor.test/operator/webhook-keys', {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ environment }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function published(environment = 'sandbox') {
  const page = await server.fetch(
    `http://corridor.test/.well-known/webhook-public-key?environment=${environment}`,
  )
  const text = await page.text()
  const keys = text.split(/(?<=-----END PUBLIC KEY-----\n)/)
  return { keyId: page.headers.get('x-webhook-key-id'), text, keys }
}

/** Sends a test webhook; says which key signed it and whether the published ones verify it. */
async function send() {
  const inbox = receiver.inbox()
  const api = server.client(await server.platform())
  const sent = await api.POST('/sandbox/webhooks/test', { body: { url: inbox.url } })
  expect(sent.response.status).toBe(200)
  const [webhook] = inbox.received
  const { text, keys } = await published()
  expect(verifyReceived(webhook!, text)).not.toBeNull()
  return {
    keyId: webhook!.headers['x-webhook-key-id'],
    verifiedBy: keys.map((key) => verifyReceived(webhook!, key) !== null),
  }
}

describe('a new webhook key (webhooks 3.1)', () => {
  it('is published before it signs, and the old one for thirty days after it', async () => {
    const before = await published()
    const production = await published('production')
    expect(before.keys).toHaveLength(1)
    const made = await rotate('SANDBOX')
    expect(made).toEqual({
      status: 201,
      body: {
        keyId: 'webhook-sandbox-2',
        publicKey: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n/),
        signsFrom: new Date(server.world.now() + 10 * minute).toISOString(),
      },
    })
    const { publicKey } = made.body
    expect(await published()).toMatchObject({ keyId: before.keyId, keys: [before.text, publicKey] })
    await server.pass(10 * minute - 1)
    expect(await send()).toEqual({ keyId: before.keyId, verifiedBy: [true, false] })

    await server.pass(1)
    expect(await send()).toEqual({ keyId: 'webhook-sandbox-2', verifiedBy: [true, false] })
    expect(await published()).toMatchObject({ keyId: 'webhook-sandbox-2', keys: [publicKey, before.text] })
    await server.pass(30 * day - 1)
    expect((await published()).keys).toHaveLength(2)
    await server.pass(1)
    expect((await published()).keys).toEqual([publicKey])
    expect(await published('production')).toEqual(production)
  })

  it('is made once at a time, and no other while it waits', async () => {
    const both = await Promise.all([rotate('SANDBOX'), rotate('SANDBOX')])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect((await rotate('SANDBOX')).body).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'ROTATION_UNDER_WAY' },
    })
    expect((await rotate('PRODUCTION')).status).toBe(201)
    await server.pass(10 * minute)
    expect((await rotate('SANDBOX')).body).toMatchObject({ keyId: 'webhook-sandbox-3' })
    expect((await published()).keys).toHaveLength(3)
  })

  it('is heard of by other processes, and found again after a restart', async () => {
    const { database } = server.engine
    const load = () => loadKeys(database, server.world, new Uint8Array(32).fill(7))
    const other = await load()
    await rotate('SANDBOX')
    expect(other.webhookPublicKeys('SANDBOX')).toHaveLength(1)
    await other.refreshWebhookKeys()
    const restarted = await load()
    await server.pass(10 * minute)
    const { keyId } = server.engine.keys.webhookSigner('SANDBOX')
    expect(keyId).toBe('webhook-sandbox-2')
    for (const keys of [other, restarted]) expect(keys.webhookSigner('SANDBOX').keyId).toBe(keyId)
  })

  it('is made by the operator alone, for an environment that exists', async () => {
    const platform = await server.platform()
    const basic = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
    const refused = await server.fetch('http://corridor.test/operator/webhook-keys', {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: '{"environment":"SANDBOX"}',
    })
    expect(refused.status).toBe(401)
    expect((await rotate('MOON')).body).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expect((await published()).keys).toHaveLength(1)
  })
})
