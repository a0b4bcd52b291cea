import type { CorridorClient } from '@corridor/sdk/path-client.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { p256 } from '@noble/curves/p256'
import { sha256 } from '@noble/hashes/sha2'
import { describe, expect, it } from 'vitest'

const server = await openTestServer()

const literal = 'sandbox-valid-signature'
const unknownRequest = 'Request:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
const clientPublicKey = Buffer.from(p256.getPublicKey(new Uint8Array(32).fill(9), false)).toString('hex')

/** A well-formed signature by a key that no session has. */
function foreignStamp(payload: string): string {
  const secret = new Uint8Array(32).fill(5)
  const hash = sha256(new TextEncoder().encode(payload))
  const publicKey = Buffer.from(p256.getPublicKey(secret, true)).toString('hex')
  const signature = p256.sign(hash, secret).toDERHex()
  return Buffer.from(
    JSON.stringify({ publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }),
  ).toString('base64url')
}

async function start() {
  const platform = await server.platform()
  const api = server.client(platform)
  const customer = await createCustomer(api)
  const wallet = await internalAccountOf(api, customer.id, 'USDB')
  return { platform, api, customer, wallet, setPrivacy: privacyOf(api, wallet.id) }
}

type Headers = Record<string, string>

function privacyOf(api: CorridorClient, id: string) {
  return (body: object, headers: Headers = {}) =>
    api.PATCH('/internal-accounts/{id}', { params: { path: { id } }, body, headers })
}

function signed(requestId: string, signature: string = literal): Headers {
  return { 'Request-Id': requestId, 'Service-Wallet-Signature': signature }
}

async function challengeOf(answer: ReturnType<ReturnType<typeof privacyOf>>) {
  const { data, error, response } = await answer
  expect(error).toBeUndefined()
  expect(response.status).toBe(202)
  return data as unknown as { payloadToSign: string; requestId: string; expiresAt: string }
}

describe('the privacy of an embedded wallet', () => {
  it('changes once its holder has signed', async () => {
    const { wallet, setPrivacy } = await start()
    expect(wallet).toMatchObject({ type: 'EMBEDDED_WALLET', privateEnabled: false })
    const challenge = await challengeOf(setPrivacy({ privateEnabled: true }))
    expect(Object.keys(challenge).sort()).toEqual(['expiresAt', 'payloadToSign', 'requestId'])
    expect(Date.parse(challenge.expiresAt)).toBe(server.world.now() + 300_000)
    const payload = JSON.parse(challenge.payloadToSign)
    expect(payload).toMatchObject({
      type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      organizationId: expect.stringMatching(/^org_[1-9A-HJ-NP-Za-km-z]{16}$/),
      timestampMs: String(server.world.now()),
      parameters: {
        payload: Buffer.from(sha256(`${wallet.id}|{"privateEnabled":true}`)).toString('hex'),
        signWith: expect.stringMatching(/^wallet_/),
      },
    })
    expect(JSON.stringify(payload)).toBe(challenge.payloadToSign)

    const retry = () => setPrivacy({ privateEnabled: true }, signed(challenge.requestId))
    const { data, response } = await retry()
    expect(response.status).toBe(200)
    expect(data).toMatchObject({ id: wallet.id, privateEnabled: true })
    expect((data as { updatedAt: string }).updatedAt > wallet.updatedAt).toBe(true)
    const again = await retry()
    const reason = 'Request-Id does not match an unexpired pending request'
    expect(again.error).toMatchObject({ status: 401, code: 'UNAUTHORIZED', reason, details: { reason } })
  })

  it('is refused in the order of the checks', async () => {
    const { api, customer, wallet, setPrivacy } = await start()
    const body = { privateEnabled: true }
    const refusal = async (headers: Headers, changed: object = body) =>
      (await setPrivacy(changed, headers)).error
    const { requestId } = await challengeOf(setPrivacy(body))
    expect(await refusal({}, {})).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expect(await refusal({}, { unknown: 1 })).toMatchObject({ details: { field: 'privateEnabled' } })
    expect(await refusal({ 'Service-Wallet-Signature': literal })).toMatchObject({
      status: 401,
      code: 'REQUEST_ID_MISSING',
      reason: 'Request-Id header is required',
    })
    expect(await refusal({ 'Request-Id': requestId })).toMatchObject({ code: 'WALLET_SIGNATURE_MISSING' })
    expect(await refusal(signed(unknownRequest, 'not a stamp!'))).toMatchObject({
      code: 'WALLET_SIGNATURE_MALFORMED',
    })
    expect(await refusal({ ...signed(requestId), 'Grid-Wallet-Signature': 'another' })).toMatchObject({
      code: 'WALLET_SIGNATURE_MALFORMED',
    })
    expect(await refusal(signed(unknownRequest), { privateEnabled: false })).toMatchObject({
      code: 'UNAUTHORIZED',
    })
    expect(await refusal(signed(requestId), { privateEnabled: false })).toMatchObject({
      code: 'WALLET_SIGNATURE_BODY_MISMATCH',
    })
    expect(await refusal(signed(requestId, foreignStamp('x')))).toMatchObject({
      code: 'WALLET_SIGNATURE_INVALID',
    })
    expect((await internalAccountOf(api, customer.id, 'USDB')).privateEnabled).toBe(false)
    // None of those used the challenge up, and the older name of the header does as well.
    const alias = { 'Request-Id': requestId, 'Grid-Wallet-Signature': literal }
    expect((await setPrivacy(body, alias)).data).toMatchObject({ id: wallet.id, privateEnabled: true })
  })

  it('is for the wallet, operation and platform that were challenged, for five minutes', async () => {
    const { api, customer, setPrivacy } = await start()
    const other = await start()
    const body = { privateEnabled: true }
    const stale = await challengeOf(setPrivacy(body))
    await server.pass(299_999)
    const { requestId } = await challengeOf(setPrivacy(body))
    const gone = { status: 401, code: 'UNAUTHORIZED' }
    expect((await other.setPrivacy(body, signed(requestId))).error).toMatchObject(gone)
    const second = await createCustomer(api)
    const neighbour = await internalAccountOf(api, second.id, 'USDB')
    expect((await privacyOf(api, neighbour.id)(body, signed(requestId))).error).toMatchObject(gone)
    await server.pass(1)
    expect((await setPrivacy(body, signed(stale.requestId))).error).toMatchObject(gone)
    expect((await setPrivacy(body, signed(requestId))).response.status).toBe(200)
    const usd = await internalAccountOf(api, customer.id, 'USD')
    expect((await privacyOf(api, usd.id)(body)).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    const unknown = 'InternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    for (const id of [unknown, 'nonsense']) {
      const { error } = await privacyOf(api, id)(body)
      expect(error).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    }
    expect((await privacyOf(other.api, usd.id)(body)).error).toMatchObject({ status: 404 })
  })

  it('gives a challenge ten tries', async () => {
    const { setPrivacy } = await start()
    const body = { privateEnabled: true }
    const { requestId } = await challengeOf(setPrivacy(body))
    for (let failed = 0; failed < 10; failed++) {
      const { error } = await setPrivacy(body, signed(requestId, foreignStamp('x')))
      expect(error).toMatchObject({ code: 'WALLET_SIGNATURE_INVALID' })
    }
    expect((await setPrivacy(body, signed(requestId))).error).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('has one key for both legs, which remembers no failed signature', async () => {
    const { setPrivacy } = await start()
    const body = { privateEnabled: true }
    const key = { 'Idempotency-Key': 'k-1' }
    const first = await challengeOf(setPrivacy(body, key))
    expect(await challengeOf(setPrivacy(body, key))).toEqual(first)
    const wrong = { ...key, ...signed(first.requestId, foreignStamp('x')) }
    expect((await setPrivacy(body, wrong)).error).toMatchObject({ code: 'WALLET_SIGNATURE_INVALID' })
    const right = { ...key, ...signed(first.requestId) }
    const done = await setPrivacy(body, right)
    expect(done.response.status).toBe(200)
    const replay = await setPrivacy(body, right)
    expect(replay.data).toEqual(done.data)
    expect(replay.response.headers.get('idempotent-replayed')).toBe('true')
  })

  it('of production knows no literal', async () => {
    const api = server.client(await server.platform({ environment: 'PRODUCTION' }))
    const customer = await createCustomer(api)
    const wallet = await internalAccountOf(api, customer.id, 'USDB')
    const setPrivacy = privacyOf(api, wallet.id)
    const { requestId } = await challengeOf(setPrivacy({ privateEnabled: true }))
    const { error } = await setPrivacy({ privateEnabled: true }, signed(requestId))
    expect(error).toMatchObject({ status: 401, code: 'WALLET_SIGNATURE_MALFORMED' })
  })
})

describe('the export of an embedded wallet', () => {
  it('names the wallet and the key it goes to, and refuses another key', async () => {
    const { api, customer, wallet } = await start()
    const ask = (key: string, headers: Headers = {}, id: string = wallet.id) =>
      api.POST('/internal-accounts/{id}/export', {
        params: { path: { id } },
        body: { clientPublicKey: key },
        headers,
      })
    const challenge = await challengeOf(ask(clientPublicKey) as never)
    expect(JSON.parse(challenge.payloadToSign)).toMatchObject({
      type: 'ACTIVITY_TYPE_EXPORT_WALLET',
      parameters: { targetPublicKey: clientPublicKey, walletId: expect.stringMatching(/^wallet_/) },
    })
    const another = Buffer.from(p256.getPublicKey(new Uint8Array(32).fill(8), false)).toString('hex')
    expect((await ask(another, signed(challenge.requestId))).error).toMatchObject({
      code: 'WALLET_SIGNATURE_BODY_MISMATCH',
    })
    const compressed = Buffer.from(p256.getPublicKey(new Uint8Array(32).fill(8), true)).toString('hex')
    for (const key of [compressed, '', `04${'f'.repeat(128)}`]) {
      expect((await ask(key)).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    }
    const usd = await internalAccountOf(api, customer.id, 'USD')
    expect((await ask(clientPublicKey, {}, usd.id)).error).toMatchObject({ code: 'INVALID_INPUT' })
    // A challenge of the export is none of the change of privacy.
    const privacy = await privacyOf(api, wallet.id)({ privateEnabled: true }, signed(challenge.requestId))
    expect(privacy.error).toMatchObject({ code: 'UNAUTHORIZED' })
    const done = await ask(clientPublicKey, signed(challenge.requestId))
    expect(done.data).toMatchObject({ id: wallet.id, encryptedWalletCredentials: expect.any(String) })
    expect((await ask(clientPublicKey, signed(challenge.requestId))).error).toMatchObject({
      code: 'UNAUTHORIZED',
    })
  })
})

describe('a quote out of an embedded wallet', () => {
  async function startQuote() {
    const started = await start()
    const { api, customer, wallet } = started
    await fund(api, wallet.id, 1_000_000_000)
    const payee = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(wallet, payee, 10_000_000))
    return { ...started, payee, made, quoteOf: (id: string) => readQuote(api, id) }
  }
  const readQuote = (api: CorridorClient, quoteId: string) =>
    must(api.GET('/quotes/{quoteId}', { params: { path: { quoteId } } }))
  const payloadOf = (quote: { paymentInstructions?: unknown }) => {
    const [only, ...more] = quote.paymentInstructions as {
      accountOrWalletInfo: { accountType: string; payloadToSign: string }
    }[]
    expect(more).toEqual([])
    expect(only!.accountOrWalletInfo.accountType).toBe('EMBEDDED_WALLET')
    return only!.accountOrWalletInfo.payloadToSign
  }

  it('says what to sign, the same as long as it can be signed', async () => {
    const { api, wallet, payee, made, quoteOf } = await startQuote()
    const payload = payloadOf(made)
    expect(Object.keys(JSON.parse(payload))).toEqual([
      'type',
      'timestampMs',
      'organizationId',
      'parameters',
      'generateAppProofs',
    ])
    expect(payloadOf(await quoteOf(made.id))).toBe(payload)
    expect(payloadOf(await createQuote(api, quoteBody(wallet, payee, 10_000_000)))).not.toBe(payload)
    const done = await execute(api, made.id, { 'Service-Wallet-Signature': literal })
    expect(done.data).toMatchObject({ status: 'PROCESSING' })
    expect(done.data).not.toHaveProperty('paymentInstructions')
    await server.settle()
    const completed = await quoteOf(made.id)
    expect(completed.status).toBe('COMPLETED')
    expect(completed).not.toHaveProperty('paymentInstructions')
    await server.expectSoundLedger()
  })

  it('is released by a signature alone and stays open without one', async () => {
    const { api, customer, wallet, payee, made, quoteOf } = await startQuote()
    const refusal = async (headers: Headers) => (await execute(api, made.id, headers)).error
    expect(await refusal({})).toMatchObject({
      status: 401,
      code: 'WALLET_SIGNATURE_MISSING',
      reason: 'Wallet signature header is required',
    })
    expect(await refusal({ 'Request-Id': unknownRequest })).toMatchObject({
      code: 'WALLET_SIGNATURE_MISSING',
    })
    expect(await refusal({ 'Service-Wallet-Signature': 'not a stamp!' })).toMatchObject({
      code: 'WALLET_SIGNATURE_MALFORMED',
    })
    expect(await refusal({ 'Service-Wallet-Signature': foreignStamp(payloadOf(made)) })).toMatchObject({
      code: 'WALLET_SIGNATURE_INVALID',
    })
    expect(await quoteOf(made.id)).toMatchObject({ status: 'PENDING' })
    expect((await internalAccountOf(api, customer.id, 'USDB')).balance.amount).toBe(1_000_000_000)
    const { error } = await api.POST('/quotes', {
      body: quoteBody(wallet, payee, 10_000_000, { immediatelyExecute: true }),
    })
    expect(error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    await server.pass(300_000)
    // The state of the quote comes before the signature.
    expect(await refusal({})).toMatchObject({ status: 409, code: 'QUOTE_EXPIRED' })
    expect(await quoteOf(made.id)).not.toHaveProperty('paymentInstructions')
  })

  it('asks for a signature before it looks at the balance, and other sources for none at all', async () => {
    const { api, customer, wallet, payee } = await startQuote()
    const large = await createQuote(api, quoteBody(wallet, payee, 2_000_000_000))
    expect((await execute(api, large.id)).error).toMatchObject({ code: 'WALLET_SIGNATURE_MISSING' })
    const signedExecute = await execute(api, large.id, { 'Service-Wallet-Signature': literal })
    expect(signedExecute.error).toMatchObject({ status: 400, code: 'INSUFFICIENT_BALANCE' })
    const usd = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, usd.id, 10_000)
    const plain = await createQuote(api, quoteBody(usd, payee, 10_000))
    expect(plain).not.toHaveProperty('paymentInstructions')
    const done = await execute(api, plain.id, { 'Service-Wallet-Signature': 'not a stamp!' })
    expect(done.data).toMatchObject({ status: 'PROCESSING' })
  })
})
