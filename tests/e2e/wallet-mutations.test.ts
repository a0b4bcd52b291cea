import { softwarePasskey, startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { p256 } from '@noble/curves/p256'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Answer,
  keyPair,
  nonceOf,
  noPending,
  oidcToken,
  origin,
  refused,
  rpId,
  stamp,
  walletClient,
} from './wallet-client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const flip = (text: string, at: number) =>
  text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1)
const positions = (text: string) => Array.from({ length: text.length }, (_, index) => index)

/** A wallet with a session, and a change that waits for its signature. */
async function start() {
  const client = await walletClient(server)
  const { key } = await client.otpSession()
  const path = `/internal-accounts/${client.wallet.id}`
  const body = { privateEnabled: true }
  const ask = () => client.call('PATCH', path, body)
  const send = (requestId: string, signature: string, given: unknown = body): Promise<Answer> =>
    client.call('PATCH', path, given, { 'Request-Id': requestId, 'Service-Wallet-Signature': signature })
  /** Ten failed tries end a challenge, so every few of them ask for another. */
  async function each<T>(items: readonly T[], attempt: (item: T, challenge: Answer) => Promise<void>) {
    let challenge = await ask()
    for (const [index, item] of items.entries()) {
      if (index % 9 === 8) challenge = await ask()
      await attempt(item, challenge)
    }
  }
  return { client, key, path, body, ask, send, each }
}

describe('a signed retry', () => {
  it('is refused for any other byte of its signature', async () => {
    const { key, send, each } = await start()
    // A DER signature has 72 bytes at most; the last ones are not in every signature.
    await each(positions('.'.repeat(72)), async (at, challenge) => {
      const parsed = JSON.parse(
        Buffer.from(await stamp(key, challenge.body.payloadToSign), 'base64url').toString(),
      )
      const bytes = Buffer.from(parsed.signature, 'hex')
      if (at >= bytes.length) return
      bytes[at]! ^= 1
      const changed = { ...parsed, signature: bytes.toString('hex') }
      const { status, body } = await send(
        challenge.body.requestId,
        Buffer.from(JSON.stringify(changed)).toString('base64url'),
      )
      expect([status, body.code], `byte ${at}`).toEqual([
        401,
        expect.stringMatching(/^WALLET_SIGNATURE_(INVALID|MALFORMED)$/),
      ])
    })
  })

  it('is refused for a signature over any other byte of the payload', async () => {
    const { key, send, each, ask } = await start()
    const { payloadToSign } = (await ask()).body
    await each(positions(payloadToSign), async (at, challenge) => {
      const signature = await stamp(key, flip(challenge.body.payloadToSign, at))
      expect(await send(challenge.body.requestId, signature), `byte ${at}`).toMatchObject(
        refused(401, 'WALLET_SIGNATURE_INVALID'),
      )
    })
  })

  it('is refused for any other byte of its body', async () => {
    const { client, key } = await start()
    const path = `/internal-accounts/${client.wallet.id}/export`
    const text = JSON.stringify({ clientPublicKey: keyPair().uncompressed })
    const codes = new Set<string>()
    let challenge = await client.call('POST', path, text)
    for (const at of positions(text)) {
      if (at % 9 === 8) challenge = await client.call('POST', path, text)
      const { requestId, payloadToSign } = challenge.body
      const headers = { 'Request-Id': requestId, 'Service-Wallet-Signature': await stamp(key, payloadToSign) }
      const other = flip(text, at)
      const { status, body } = await client.call('POST', path, other, headers)
      expect([400, 401], other).toContain(status)
      codes.add(body.code)
    }
    // No such key lies on the curve, so no signature is looked at; what is another body that could be, stands below.
    expect([...codes].sort()).toEqual(['INVALID_INPUT', 'INVALID_REQUEST_FORMAT'])
  })

  it('is refused for any other character of its Request-Id, and of another wallet, operation or platform', async () => {
    const { client, key, ask, send } = await start()
    const challenge = await ask()
    const { requestId, payloadToSign } = challenge.body
    const signature = await stamp(key, payloadToSign)
    for (const at of positions(requestId)) {
      expect(await send(flip(requestId, at), signature)).toMatchObject(noPending)
    }
    const headers = { 'Request-Id': requestId, 'Service-Wallet-Signature': signature }
    const twin = await walletClient(server, { platform: client.platform, email: 'twin@larch.example' })
    const stranger = await walletClient(server)
    for (const other of [twin, stranger]) {
      expect(
        await other.call('PATCH', `/internal-accounts/${other.wallet.id}`, { privateEnabled: true }, headers),
      ).toMatchObject(noPending)
    }
    const device = { clientPublicKey: keyPair().uncompressed }
    expect(
      await client.call('POST', `/internal-accounts/${client.wallet.id}/export`, device, headers),
    ).toMatchObject(noPending)
    expect(await send(requestId, signature)).toMatchObject({ status: 200 })
    expect(await send(requestId, signature)).toMatchObject(noPending)
  })

  it('is refused for another body, and takes the same one in another order', async () => {
    const { client, key, ask, send, path } = await start()
    const { requestId, payloadToSign } = (await ask()).body
    const signature = await stamp(key, payloadToSign)
    const mismatch = refused(401, 'WALLET_SIGNATURE_BODY_MISMATCH')
    expect(await send(requestId, signature, { privateEnabled: false })).toMatchObject(mismatch)
    expect(await send(requestId, signature, { privateEnabled: true, more: 1 })).toMatchObject(mismatch)
    expect(await send(requestId, signature, '{ "privateEnabled" : true }')).toMatchObject({ status: 200 })

    const otp = await client.credentialOf('EMAIL_OTP')
    const tek = keyPair()
    const sealed = await client.sealOtp(
      (await client.challenge(otp)).body.otpEncryptionTargetBundle,
      '000000',
      tek,
    )
    const first = await client.verifyOtp(otp, 'EMAIL_OTP', sealed)
    const headers = {
      'Request-Id': first.body.requestId,
      'Service-Wallet-Signature': await stamp(tek, first.body.payloadToSign),
    }
    const other = flip(sealed, sealed.length - 3)
    const answer = await client.verifyOtp(otp, 'EMAIL_OTP', other, headers)
    expect([answer.status, answer.body.code]).toEqual([
      expect.any(Number),
      expect.stringMatching(/^(WALLET_SIGNATURE_BODY_MISMATCH|INVALID_INPUT)$/),
    ])
    expect(path).toContain(client.wallet.id)
  })

  it('takes a low and a high S', async () => {
    const { key, ask, send } = await start()
    for (const isHigh of [false, true]) {
      const { requestId, payloadToSign } = (await ask()).body
      const parsed = JSON.parse(Buffer.from(await stamp(key, payloadToSign), 'base64url').toString())
      const { r, s } = p256.Signature.fromDER(parsed.signature)
      const high = s > p256.CURVE.n / 2n ? s : p256.CURVE.n - s
      const signature = new p256.Signature(r, isHigh ? high : p256.CURVE.n - high).toDERHex()
      const header = Buffer.from(JSON.stringify({ ...parsed, signature })).toString('base64url')
      expect(await send(requestId, header)).toMatchObject({ status: 200 })
    }
  })

  it('counts once however often it is sent at the same time', async () => {
    const { key, ask, send } = await start()
    const { requestId, payloadToSign } = (await ask()).body
    const signature = await stamp(key, payloadToSign)
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(requestId, signature)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(noPending)
  })
})

describe('two processes on one database', () => {
  it('let a challenge, a code and a session count in both and a signature in one of them', async () => {
    const second = await startTestServer({ beside: server, seed: 2 })
    try {
      const { client, key, ask, path, body } = await start()
      // Whoever asked first, either may be answered.
      const elsewhere = { ...server, fetch: second.fetch }
      const basic = Buffer.from(`${client.platform.clientId}:${client.platform.clientSecret}`).toString(
        'base64',
      )
      const send = (to: typeof elsewhere, requestId: string, signature: string) =>
        to.fetch(`${server.baseUrl}${path}`, {
          method: 'PATCH',
          headers: {
            authorization: `Basic ${basic}`,
            'content-type': 'application/json',
            'Request-Id': requestId,
            'Service-Wallet-Signature': signature,
          },
          body: JSON.stringify(body),
        })
      for (let round = 0; round < 5; round++) {
        const { requestId, payloadToSign } = (await ask()).body
        const signature = await stamp(key, payloadToSign)
        const answers = await Promise.all(
          [server, second, server, second].map((to) => send(to, requestId, signature)),
        )
        const statuses = answers.map(({ status }) => status)
        expect(statuses.sort()).toEqual([200, 401, 401, 401])
        expect((await send(second, requestId, signature)).status).toBe(401)
      }
    } finally {
      await second.close({ audited: false })
    }
  })
})

describe('an assertion of a passkey', () => {
  it('is refused for any other byte of it', async () => {
    const client = await walletClient(server)
    const { key } = await client.otpSession()
    const { id, passkey } = await client.addPasskey(key, softwarePasskey())
    const clientPublicKey = keyPair().compressed
    const fields = ['signature', 'authenticatorData', 'clientDataJson'] as const
    for (const field of fields) {
      let asked = await client.challenge(id, { clientPublicKey })
      const size = Buffer.from(
        passkey.assert({ challenge: asked.body.challenge, origin, rpId })[field],
        'base64url',
      ).length
      for (let at = 0, tries = 0; at < size; at += field === 'signature' ? 3 : 7, tries++) {
        if (tries % 4 === 3) asked = await client.challenge(id, { clientPublicKey })
        const assertion = passkey.assert({ challenge: asked.body.challenge, origin, rpId })
        const bytes = Buffer.from(assertion[field], 'base64url')
        if (at >= bytes.length) break
        bytes[at]! ^= 1
        const answer = await client.call(
          'POST',
          `/auth/credentials/${id}/verify`,
          { type: 'PASSKEY', assertion: { ...assertion, [field]: bytes.toString('base64url') } },
          { 'Request-Id': asked.body.requestId },
        )
        expect(answer, `${field} ${at}`).toMatchObject(refused(401, 'UNAUTHORIZED'))
      }
    }
    expect(await client.passkeySession({ id, passkey }, clientPublicKey)).toMatchObject({ status: 200 })
  })
})

describe('limits on signing in (wallets 5.4)', () => {
  it('count challenges and failures of each credential over a minute', async () => {
    const limited = await startTestServer({ rateLimits: true })
    try {
      const { walletLimitFactors } = limited.thirdParties.SANDBOX.rules
      expect(walletLimitFactors).toEqual({ challenges: 12, failures: 6 })
      const client = await walletClient(limited)
      const id = await client.credentialOf('EMAIL_OTP')
      for (let asked = 0; asked < 60; asked++) {
        expect((await client.challenge(id)).status, `${asked}`).toBe(200)
        if (asked % 20 === 19) await limited.pass(1_000)
      }
      const refusal = await client.challenge(id)
      expect(refusal).toMatchObject(refused(429, 'RATE_LIMITED'))
      expect(refusal.headers.get('retry-after')).toBe('57')
      await limited.pass(57_000)
      const bundle = (await client.challenge(id)).body.otpEncryptionTargetBundle
      const other = await client.sealOtp(bundle, '111111', keyPair())
      for (let failed = 0; failed < 60; failed++) {
        expect((await client.verifyOtp(id, 'EMAIL_OTP', other)).status).toBe(401)
      }
      expect(await client.verifyOtp(id, 'EMAIL_OTP', other)).toMatchObject(refused(429, 'RATE_LIMITED'))
      await limited.pass(60_000)
      await client.otpSession()
    } finally {
      await limited.close()
    }
  })

  it('judge no more failures of one credential that come at once', async () => {
    const limited = await startTestServer({ rateLimits: true })
    try {
      const client = await walletClient(limited)
      const seconds = Math.floor(limited.world.now() / 1000)
      const claims = {
        iss: 'https://accounts.google.com',
        aud: 'a',
        sub: '42',
        iat: seconds,
        exp: seconds + 3600,
      }
      const { key } = await client.otpSession()
      const add = { type: 'OAUTH', accountId: client.wallet.id, oidcToken: oidcToken(claims) }
      const { id: oauth } = (await client.twice(key, 'POST', '/auth/credentials', add)).body
      const clientPublicKey = keyPair().compressed
      const foreign = oidcToken({ ...claims, sub: '43', nonce: nonceOf(clientPublicKey) })

      const otp = await client.credentialOf('EMAIL_OTP')
      const bundle = (await client.challenge(otp)).body.otpEncryptionTargetBundle
      const sealed = await client.sealOtp(bundle, '111111', keyPair())

      const tries = {
        OAUTH: () =>
          client.call('POST', `/auth/credentials/${oauth}/verify`, {
            type: 'OAUTH',
            oidcToken: foreign,
            clientPublicKey,
          }),
        EMAIL_OTP: () => client.verifyOtp(otp, 'EMAIL_OTP', sealed),
      }
      for (const [kind, attempt] of Object.entries(tries)) {
        const statuses = (await Promise.all(Array.from({ length: 70 }, attempt))).map(({ status }) => status)
        const judged = statuses.filter((status) => status === 401).length
        expect(judged, kind).toBeLessThanOrEqual(60)
        expect(judged, kind).toBeGreaterThan(0)
      }
    } finally {
      await limited.close()
    }
  })
})
