import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifyWebhook } from './webhooks.ts'

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
  it('is accepted with a good signature, as text and as bytes', () => {
    const signature = current.signatureOf(body)
    const event = JSON.parse(body)
    expect(verifyWebhook({ body, signature, publicKey: current.pem })).toEqual(event)
    expect(verifyWebhook({ body: Buffer.from(body), signature, publicKey: current.pem })).toEqual(event)
  })

  it('is accepted with any key of a page that lists several', () => {
    const publicKey = current.pem + former.pem
    for (const key of [current, former]) {
      expect(verifyWebhook({ body, signature: key.signatureOf(body), publicKey })).not.toBeNull()
      expect(verifyWebhook({ body, signature: key.signatureOf(body), publicKey: [publicKey] })).not.toBeNull()
    }
  })

  it.each([
    ['changed', { body: body.replace('TEST', 'TOAST') }],
    ['unsigned', { signature: undefined }],
    ['signed with another key', { signature: former.signatureOf(body) }],
    ['signed with nonsense', { signature: 'nonsense' }],
    ['checked without a key', { publicKey: '' }],
  ])('is refused when it is %s', (_what, change) => {
    const good = { body, signature: current.signatureOf(body), publicKey: current.pem }
    expect(verifyWebhook({ ...good, ...change })).toBeNull()
  })
})
