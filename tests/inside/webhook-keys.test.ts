import { generateKeyPairSync } from 'node:crypto'
import { sealedInstallationKeys } from '@corridor/engine/mechanisms/keys/installation-keys.ts'
import { loadKeys } from '@corridor/engine/mechanisms/keys/keys.ts'
import type { ProvisionedPlatform } from '@corridor/engine/platform/platforms/index.ts'
import {
  operatorKey,
  recordWebhooks,
  startTestServer,
  type TestServer,
  testKeyService,
  verifyReceived,
} from '@corridor/testkit/index.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const receiver = recordWebhooks()
let server: TestServer
beforeEach(async () => {
  server = await startTestServer({ network: receiver.network })
  platform = await server.platform()
})
afterEach(() => server.close())

const minute = 60_000
const day = 24 * 60 * minute

let platform: ProvisionedPlatform

async function rotate(platformId: string, environment = 'SANDBOX') {
  const response = await server.fetch('http://corridor.test/operator/webhook-keys', {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ platformId, environment }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function published(of: ProvisionedPlatform = platform) {
  const page = await server.fetch(
    `http://corridor.test/.well-known/webhook-public-key?platform=${of.clientId}`,
  )
  const text = await page.text()
  const keys = text.split(/(?<=-----END PUBLIC KEY-----\n)/)
  return { keyId: page.headers.get('x-webhook-key-id'), text, keys }
}

/** Sends a test webhook; says which key signed it and whether the published ones verify it. */
async function send(of: ProvisionedPlatform = platform) {
  const inbox = receiver.inbox()
  const sent = await server.client(of).POST('/sandbox/webhooks/test', { body: { url: inbox.url } })
  expect(sent.response.status).toBe(200)
  const [webhook] = inbox.received
  const { text, keys } = await published(of)
  expect(await verifyReceived(webhook!, text)).not.toBeNull()
  return {
    webhook: webhook!,
    keyId: webhook!.headers['x-webhook-key-id'],
    verifiedBy: await Promise.all(keys.map(async (key) => (await verifyReceived(webhook!, key)) !== null)),
  }
}

const keyIdOf = (number: number, { platformId, environment }: ProvisionedPlatform = platform) =>
  `webhook-${environment.toLowerCase()}-${platformId.slice(-12)}-${number}`

describe('the webhook key of a platform (webhooks 3.1)', () => {
  it('is its own: what is signed for one platform is no true signature for another', async () => {
    const other = await server.platform()
    const { webhook, keyId } = await send()
    expect(keyId).toBe(keyIdOf(1))
    expect(await verifyReceived(webhook, (await published(other)).text)).toBeNull()
    expect((await published(other)).keyId).toBe(keyIdOf(1, other))
    expect(platform.webhookPublicKey).toBe((await published()).text)
  })

  it('is shown to the caller, and to anybody who names the platform by a token or its id', async () => {
    const { keyId, text } = await published()
    const { data } = await server.client(platform).GET('/webhooks/public-key')
    expect(data).toEqual({ keyId, publicKey: text })
    const read = async (query: string) => {
      const page = await server.fetch(`http://corridor.test/.well-known/webhook-public-key${query}`)
      return { status: page.status, text: await page.text() }
    }
    const { platformId } = platform
    for (const name of [platform.clientId, platformId, `PlatformConfig:${platformId}`]) {
      expect(await read(`?platform=${encodeURIComponent(name)}`), name).toEqual({ status: 200, text })
    }
    const nowhere = ['', '?platform=', '?platform=nobody', `?platform=${'x'.repeat(300)}`]
    const another = server.world.uuid()
    for (const query of [...nowhere, `?platform=${another}`, `?platform=${platformId}&environment=moon`]) {
      const { status, text: refusal } = await read(query)
      expect([query, status]).toEqual([query, 400])
      expect(JSON.parse(refusal)).toMatchObject({ code: 'INVALID_INPUT' })
    }
    expect(await read(`?platform=${platformId}&environment=production`)).toMatchObject({ status: 400 })
    expect((await server.fetch(`${server.baseUrl}/webhooks/public-key`)).status).toBe(401)
  })

  it('of before was shared: it signs for another week, and the own one is published meanwhile', async () => {
    const { database } = server.engine
    const shared = server.engine.keys.newWebhookKey({ ...platform, platformId: 'installation' })
    const sealed = server.engine.keys.seal(
      { platformId: 'installation', environment: 'SANDBOX' },
      sealedInstallationKeys,
      'webhook-sandbox-1',
      createPrivateKeyText(),
    )
    await database.system(async (connection) => {
      const run = (name: string, text: string, parameters: unknown[] = []) =>
        connection.query({ name, text }, parameters)
      await run('test.forget', 'delete from webhook_keys')
      await run(
        'test.shared',
        `insert into installation_keys (id, purpose, environment, public_part, sealed_part, created_at)
         values ('webhook-sandbox-1', 'webhook', 'SANDBOX', $1, $2, now())`,
        [shared.publicKey, sealed],
      )
    })
    await loadKeys(database, server.world, testKeyService)
    await server.engine.keys.refreshWebhookKeys()
    expect(await published()).toMatchObject({ keyId: 'webhook-sandbox-1', keys: { length: 2 } })
    await server.pass(7 * day)
    expect(await published()).toMatchObject({ keyId: keyIdOf(2), keys: { length: 2 } })
    expect(await send()).toMatchObject({ keyId: keyIdOf(2), verifiedBy: [true, false] })
    await server.pass(30 * day)
    expect((await published()).keys).toHaveLength(1)
  })
})

/** Any private key. */
function createPrivateKeyText(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

describe('a new webhook key (webhooks 3.1)', () => {
  it('is published before it signs, and the old one for thirty days after it', async () => {
    const other = await server.platform()
    const before = await published()
    const others = await published(other)
    expect(before.keys).toHaveLength(1)
    const made = await rotate(platform.platformId)
    expect(made).toEqual({
      status: 201,
      body: {
        keyId: keyIdOf(2),
        publicKey: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n/),
        signsFrom: new Date(server.world.now() + 10 * minute).toISOString(),
      },
    })
    const { publicKey } = made.body
    expect(await published()).toMatchObject({ keyId: before.keyId, keys: [before.text, publicKey] })
    await server.pass(10 * minute - 1)
    expect(await send()).toMatchObject({ keyId: before.keyId, verifiedBy: [true, false] })

    await server.pass(1)
    expect(await send()).toMatchObject({ keyId: keyIdOf(2), verifiedBy: [true, false] })
    expect(await published()).toMatchObject({ keyId: keyIdOf(2), keys: [publicKey, before.text] })
    await server.pass(30 * day - 1)
    expect((await published()).keys).toHaveLength(2)
    await server.pass(1)
    expect((await published()).keys).toEqual([publicKey])
    expect(await published(other)).toEqual(others)
  })

  it('is made once at a time, and no other while it waits', async () => {
    const { platformId } = platform
    const both = await Promise.all([rotate(platformId), rotate(platformId)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect((await rotate(platformId)).body).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'ROTATION_UNDER_WAY' },
    })
    expect((await rotate((await server.platform()).platformId)).status).toBe(201)
    await server.pass(10 * minute)
    expect((await rotate(platformId)).body).toMatchObject({ keyId: keyIdOf(3) })
    expect((await published()).keys).toHaveLength(3)
  })

  it('is heard of by other processes, and found again after a restart', async () => {
    const { database } = server.engine
    const load = () => loadKeys(database, server.world, testKeyService)
    const other = await load()
    expect(await other.webhookPublicKeys(platform)).toHaveLength(1)
    await rotate(platform.platformId)
    expect(await other.webhookPublicKeys(platform)).toHaveLength(1)
    await other.refreshWebhookKeys()
    const restarted = await load()
    await server.pass(10 * minute)
    for (const keys of [server.engine.keys, other, restarted]) {
      expect((await keys.webhookSigner(platform)).keyId).toBe(keyIdOf(2))
    }
  })

  it('is made by the operator alone, for a platform and an environment that exist', async () => {
    const basic = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
    const refused = await server.fetch('http://corridor.test/operator/webhook-keys', {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify({ platformId: platform.platformId, environment: 'SANDBOX' }),
    })
    expect(refused.status).toBe(401)
    const { platformId } = platform
    expect((await rotate(platformId, 'MOON')).body).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expect((await rotate(platformId, 'PRODUCTION')).status).toBe(404)
    expect((await rotate(server.world.uuid())).body).toMatchObject({ code: 'REFERENCE_NOT_FOUND' })
    expect((await published()).keys).toHaveLength(1)
  })
})
