import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SignatureError } from './errors.ts'
import { unwrapping, verifyWebhook } from './webhooks.ts'

function keyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const signatureOf = (text: string) => sign('sha256', Buffer.from(text), privateKey).toString('base64')
  return { pem, signatureOf }
}

const body = JSON.stringify({
  id: 'Webhook:1',
  type: 'TEST',
  timestamp: '2025-10-13T09:00:00.000Z',
  data: {},
})
const current = keyPair()
const former = keyPair()

describe('a webhook', () => {
  it('is accepted with a good signature, as text and as bytes', async () => {
    const signature = current.signatureOf(body)
    const event = JSON.parse(body)
    expect(await verifyWebhook({ body, signature, publicKey: current.pem })).toEqual(event)
    expect(await verifyWebhook({ body: Buffer.from(body), signature, publicKey: current.pem })).toEqual(event)
  })

  it('is accepted with any key of a page that lists several', async () => {
    const publicKey = current.pem + former.pem
    for (const key of [current, former]) {
      expect(await verifyWebhook({ body, signature: key.signatureOf(body), publicKey })).not.toBeNull()
      expect(
        await verifyWebhook({ body, signature: key.signatureOf(body), publicKey: [publicKey] }),
      ).not.toBeNull()
    }
  })

  it.each([
    ['changed', { body: body.replace('TEST', 'TOAST') }],
    ['unsigned', { signature: undefined }],
    ['signed with another key', { signature: former.signatureOf(body) }],
    ['signed with nonsense', { signature: 'nonsense' }],
    ['checked without a key', { publicKey: '' }],
  ])('is refused when it is %s', async (_what, change) => {
    const good = { body, signature: current.signatureOf(body), publicKey: current.pem }
    expect(await verifyWebhook({ ...good, ...change })).toBeNull()
  })

  it('is accepted whatever the length of the numbers in its signature', async () => {
    for (let index = 0; index < 300; index++) {
      const text = `{"index":${index}}`
      const verification = { body: text, signature: current.signatureOf(text), publicKey: current.pem }
      expect(await verifyWebhook(verification), String(index)).toEqual({ index })
    }
  })

  it.each([
    ['cut off', (der: Buffer) => der.subarray(0, -1)],
    ['longer than it says', (der: Buffer) => Buffer.concat([der, Buffer.from([0])])],
    ['of numbers that are too long', (der: Buffer) => Buffer.concat([Buffer.from([0x30, 70, 2, 66]), der])],
  ])('is refused when its signature is %s', async (_, change) => {
    const signature = change(Buffer.from(current.signatureOf(body), 'base64')).toString('base64')
    expect(await verifyWebhook({ body, signature, publicKey: current.pem })).toBeNull()
  })
})

describe('unwrap', () => {
  /** A server that publishes the keys of `published`, and a clock that the test moves. */
  function receiving() {
    const server = { published: { keyId: 'k-1', publicKey: former.pem }, asked: 0 }
    const time = { now: 1_000_000 }
    const { unwrap } = unwrapping({ now: () => time.now }, async () => {
      server.asked++
      return server.published
    })
    const signed = (key: typeof current, keyId: string) => ({
      'X-Service-Signature': key.signatureOf(body),
      'X-Webhook-Key-Id': keyId,
    })
    return { server, time, unwrap, signed }
  }

  it('asks for the key once, and takes headers as Node and as fetch have them', async () => {
    const { server, unwrap, signed } = receiving()
    const headers = signed(former, 'k-1')
    expect(await unwrap(body, headers)).toEqual(JSON.parse(body))
    expect(await unwrap(Buffer.from(body), new Headers(headers))).toEqual(JSON.parse(body))
    expect(await unwrap(body, { 'x-grid-signature': [headers['X-Service-Signature']] })).toEqual(
      JSON.parse(body),
    )
    expect(server.asked).toBe(1)
  })

  it('notices a new key by its name, and keeps the one before as long as it is published', async () => {
    const { server, time, unwrap, signed } = receiving()
    await unwrap(body, signed(former, 'k-1'))
    server.published = { keyId: 'k-2', publicKey: current.pem + former.pem }
    time.now += 60_000
    await unwrap(body, signed(current, 'k-2'))
    await unwrap(body, signed(former, 'k-1'))
    expect(server.asked).toBe(2)
  })

  it('refuses what was changed or signed by a stranger, who cannot make it ask again and again', async () => {
    const { server, time, unwrap, signed } = receiving()
    await unwrap(body, signed(former, 'k-1'))
    time.now += 60_000
    for (let index = 0; index < 20; index++) {
      await expect(unwrap(body, signed(current, `k-${index}`))).rejects.toBeInstanceOf(SignatureError)
    }
    await expect(unwrap(`${body} `, signed(former, 'k-1'))).rejects.toBeInstanceOf(SignatureError)
    expect(server.asked).toBe(2)
  })

  it('refuses what carries no signature, and what is no raw body', async () => {
    const { unwrap } = receiving()
    await expect(unwrap(body, {})).rejects.toBeInstanceOf(SignatureError)
    await expect(unwrap(JSON.parse(body), { 'x-service-signature': 'x' })).rejects.toBeInstanceOf(TypeError)
  })
})
