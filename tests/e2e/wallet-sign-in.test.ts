import { randomBytes } from 'node:crypto'
import {
  createPayee,
  createQuote,
  fund,
  openTestServer,
  quoteBody,
  softwarePasskey,
} from '@corridor/testkit/index.ts'
import { decryptCredentialBundle, verifyOtpVerificationToken } from '@turnkey/crypto'
import { describe, expect, it } from 'vitest'
import {
  keyPair,
  nonceOf,
  noPending,
  oidcToken,
  origin,
  refused,
  rpId,
  signed,
  stamp,
  walletClient,
} from './wallet-client.ts'

const server = await openTestServer()

const noOtp = refused(401, 'UNAUTHORIZED', 'No pending OTP for this credential')
const invalid = refused(401, 'WALLET_SIGNATURE_INVALID', 'Wallet signature verification failed')
const mismatch = refused(
  401,
  'WALLET_SIGNATURE_BODY_MISMATCH',
  'Request body differs from the challenged body',
)

describe('a first login and withdrawal (wallets 14, E1)', () => {
  it('opens a session with a code and releases a payment with its signature, once', async () => {
    const client = await walletClient(server)
    const { api, platform, customer, wallet, call } = client
    const [only, ...others] = await client.credentials()
    expect(others).toEqual([])
    expect(only).toEqual({
      id: expect.stringMatching(/^AuthMethod:/),
      accountId: wallet.id,
      type: 'EMAIL_OTP',
      nickname: 'jane@larch.example',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    await fund(api, wallet.id, 1_000_000_000)
    const payee = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
    const [quote, other] = [
      await createQuote(api, quoteBody(wallet, payee, 10_000_000)),
      await createQuote(api, quoteBody(wallet, payee, 10_000_000)),
    ]
    const payloadOf = ({ paymentInstructions }: typeof quote) =>
      (paymentInstructions![0]!.accountOrWalletInfo as { payloadToSign: string }).payloadToSign
    expect(quote.status).toBe('PENDING')

    const asked = await client.challenge(only!.id)
    expect(asked.status).toBe(200)
    expect(asked.headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(asked.body).sort()).toEqual([
      'accountId',
      'createdAt',
      'id',
      'nickname',
      'otpEncryptionTargetBundle',
      'type',
      'updatedAt',
    ])
    const tek = keyPair()
    const sealed = await client.sealOtp(asked.body.otpEncryptionTargetBundle, '000000', tek)
    const first = await client.verifyOtp(only!.id, 'EMAIL_OTP', sealed)
    expect(first.status).toBe(202)
    expect(Object.keys(first.body).sort()).toEqual(['expiresAt', 'payloadToSign', 'requestId', 'type'])
    expect(first.body.type).toBe('EMAIL_OTP')
    const quorum = JSON.parse(asked.body.otpEncryptionTargetBundle).enclaveQuorumPublic
    const token = first.body.payloadToSign
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ contact: 'jane@larch.example', public_key: tek.compressed })
    // The simulated time lies in the past of the machine; the signature is what is of interest.
    await expect(verifyOtpVerificationToken(token, quorum)).rejects.toThrow(/expired/i)
    const opened = await client.verifyOtp(only!.id, 'EMAIL_OTP', sealed, await signed(first, tek))
    expect(opened.status).toBe(200)
    expect(opened.body).not.toHaveProperty('encryptedSessionSigningKey')
    expect(Date.parse(opened.body.expiresAt) - Date.parse(opened.body.createdAt)).toBe(900_000)
    expect(await client.sessions()).toEqual([opened.body])

    const execute = (headers: Record<string, string>) =>
      call('POST', `/quotes/${quote.id}/execute`, undefined, headers)
    expect(await execute({})).toMatchObject(refused(401, 'WALLET_SIGNATURE_MISSING'))
    const foreign = { 'Service-Wallet-Signature': await stamp(tek, payloadOf(other)) }
    expect(await execute(foreign)).toMatchObject(invalid)
    expect((await call('GET', `/quotes/${quote.id}`)).body.status).toBe('PENDING')
    const right = {
      'Service-Wallet-Signature': await stamp(tek, payloadOf(quote)),
      'Idempotency-Key': 'once',
    }
    const done = await execute(right)
    expect(done).toMatchObject({ status: 200, body: { status: 'PROCESSING' } })
    expect((await execute(right)).body).toEqual(done.body)
    await server.settle()
    const types = (await server.events(platform)).map(({ type }) => type)
    expect(types).toContain('OUTGOING_PAYMENT.COMPLETED')
    const { body } = await call('GET', `/internal-accounts/${wallet.id}`)
    expect(body.balance.amount).toBe(990_000_000)
    await server.expectSoundLedger()
  })
})

describe('one-time passwords (wallets 14, E2)', () => {
  it('count once, for the newest target, and open nothing without the key that they name', async () => {
    const client = await walletClient(server)
    const id = await client.credentialOf('EMAIL_OTP')
    const verify = (sealed: string, headers = {}) => client.verifyOtp(id, 'EMAIL_OTP', sealed, headers)
    const tek = keyPair()
    const a = (await client.challenge(id)).body.otpEncryptionTargetBundle
    expect(await verify(await client.sealOtp(a, '111111', tek))).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'Invalid OTP code'),
    )
    const sealed = await client.sealOtp(a, '000000', tek)
    const first = await verify(sealed)
    expect(first.status).toBe(202)
    expect(await verify(sealed)).toMatchObject(noOtp)

    expect(await verify(sealed, await signed(first, keyPair()))).toMatchObject(invalid)
    const again = await client.sealOtp(a, '000000', tek)
    expect(await verify(again, await signed(first, tek))).toMatchObject(mismatch)
    const right = await signed(first, tek)
    expect(await verify(sealed, right)).toMatchObject({ status: 200 })
    expect(await verify(sealed, right)).toMatchObject(noPending)

    const old = (await client.challenge(id)).body.otpEncryptionTargetBundle
    await client.challenge(id)
    expect(await verify(await client.sealOtp(old, '000000', tek))).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'Invalid OTP bundle'),
    )
  })

  it('lock after five failures, and end with their time', async () => {
    const client = await walletClient(server)
    const id = await client.credentialOf('EMAIL_OTP')
    const bundle = (await client.challenge(id)).body.otpEncryptionTargetBundle
    const tek = keyPair()
    const attempt = async (code: string, to = bundle) =>
      client.verifyOtp(id, 'EMAIL_OTP', await client.sealOtp(to, code, tek))
    for (let failed = 0; failed < 5; failed++) {
      expect(await attempt('123456')).toMatchObject(refused(401, 'UNAUTHORIZED', 'Invalid OTP code'))
    }
    expect(await attempt('000000')).toMatchObject(noOtp)
    const fresh = (await client.challenge(id)).body.otpEncryptionTargetBundle
    await server.pass(300_000)
    expect(await attempt('000000', fresh)).toMatchObject(noOtp)
    await client.otpSession()
  })

  it('are asked for with any body or none, and never with more than they need', async () => {
    const client = await walletClient(server)
    const id = await client.credentialOf('EMAIL_OTP')
    const path = `/auth/credentials/${id}/challenge`
    expect(await client.call('POST', path)).toMatchObject({ status: 200 })
    expect(await client.call('POST', path, {})).toMatchObject({ status: 200 })
    expect(await client.call('POST', path, '')).toMatchObject({ status: 200 })
    const verify = (body: object) => client.call('POST', `/auth/credentials/${id}/verify`, body)
    for (const bundle of ['nonsense', '"text"', '{}', '[]', { encappedPublic: 'x' }, '', 7]) {
      expect(await verify({ type: 'EMAIL_OTP', encryptedOtpBundle: bundle })).toMatchObject(
        refused(400, 'INVALID_INPUT'),
      )
    }
    for (const type of ['SMS_OTP', 'NOTHING', undefined]) {
      const answer = await verify({ type, encryptedOtpBundle: '{}' })
      expect(answer).toMatchObject(refused(400, 'INVALID_INPUT'))
    }
    expect(
      await verify({ type: 'OAUTH', oidcToken: 'x', clientPublicKey: keyPair().compressed }),
    ).toMatchObject(refused(400, 'INVALID_INPUT'))
    const unknown = 'AuthMethod:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    for (const other of [unknown, 'nonsense']) {
      expect(await client.challenge(other)).toMatchObject(refused(404, 'REFERENCE_NOT_FOUND'))
    }
    const stranger = await walletClient(server)
    expect(await stranger.challenge(id)).toMatchObject(refused(404, 'REFERENCE_NOT_FOUND'))
    expect((await stranger.call('GET', `/auth/credentials?accountId=${client.wallet.id}`)).body).toEqual({
      data: [],
    })
    for (const query of ['', '?accountId=nonsense']) {
      expect(await client.call('GET', `/auth/credentials${query}`)).toMatchObject(
        refused(400, 'INVALID_INPUT'),
      )
    }
  })

  it('go by SMS where there is a number and no address', async () => {
    const client = await walletClient(server, { phoneNumber: '+14155550123' })
    const [only] = await client.credentials()
    expect(only).toMatchObject({ type: 'SMS_OTP', nickname: '+14155550123' })
    const { answer } = await client.otpSession('SMS_OTP')
    expect(answer.body).toMatchObject({ type: 'SMS_OTP', nickname: '+14155550123' })
  })
})

describe('passkeys (wallets 14, E3 and E4)', () => {
  it('are added with the signature of a session and sign in with a key of their own', async () => {
    const client = await walletClient(server)
    const { call } = client
    const { key } = await client.otpSession()
    const passkey = softwarePasskey()
    const body = client.passkeyBody(passkey, randomBytes(32).toString('base64url'), '  iPhone Face-ID ')
    const first = await call('POST', '/auth/credentials', body)
    expect(first).toMatchObject({ status: 202, body: { type: 'PASSKEY' } })
    const headers = await signed(first, key)
    expect(
      await call('POST', '/auth/credentials', body, {
        'Service-Wallet-Signature': headers['Service-Wallet-Signature']!,
      }),
    ).toMatchObject(refused(401, 'REQUEST_ID_MISSING', 'Request-Id header is required'))
    expect(
      await call('POST', '/auth/credentials', body, { 'Request-Id': headers['Request-Id']! }),
    ).toMatchObject(refused(401, 'WALLET_SIGNATURE_MISSING', 'Wallet signature header is required'))
    const added = await call('POST', '/auth/credentials', body, headers)
    expect(added).toMatchObject({
      status: 201,
      body: { type: 'PASSKEY', nickname: 'iPhone Face-ID', credentialId: passkey.credentialId },
    })
    expect(added.body).not.toHaveProperty('otpEncryptionTargetBundle')
    expect(await call('POST', '/auth/credentials', body)).toMatchObject(
      refused(400, 'PASSKEY_CREDENTIAL_ALREADY_EXISTS'),
    )

    const { id } = added.body
    expect(await client.challenge(id)).toMatchObject(refused(400, 'INVALID_INPUT'))
    const own = keyPair()
    const asked = await client.challenge(id, { clientPublicKey: own.compressed })
    expect(asked.body).toMatchObject({
      credentialId: passkey.credentialId,
      challenge: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const assertion = passkey.assert({ challenge: asked.body.challenge, origin, rpId })
    const verify = (withHeaders: Record<string, string>, given: object = {}) =>
      call(
        'POST',
        `/auth/credentials/${id}/verify`,
        { type: 'PASSKEY', assertion: { ...assertion, ...given } },
        withHeaders,
      )
    const named = { 'Request-Id': asked.body.requestId }
    expect(await verify({})).toMatchObject(refused(401, 'REQUEST_ID_MISSING'))
    expect(await verify(named, { credentialId: 'AAAA' })).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'Passkey credential mismatch'),
    )
    const opened = await verify(named, { userHandle: null })
    expect(opened).toMatchObject({ status: 200, body: { credentialId: passkey.credentialId } })
    expect(opened.body).not.toHaveProperty('encryptedSessionSigningKey')
    expect(await verify(named)).toMatchObject(noPending)
    const next = await client.challenge(id, { clientPublicKey: own.compressed })
    expect(next.body.challenge).not.toBe(asked.body.challenge)
    const old = { 'Request-Id': next.body.requestId }
    expect(await verify(old)).toMatchObject(refused(401, 'UNAUTHORIZED', 'Passkey challenge mismatch'))

    const session = `/auth/sessions/${opened.body.id}`
    const end = await call('DELETE', session)
    expect(end).toMatchObject({ status: 202, body: { type: 'PASSKEY' } })
    expect(await call('DELETE', session, undefined, await signed(end, own))).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect(await call('DELETE', session)).toMatchObject(refused(404, 'REFERENCE_NOT_FOUND'))
    const refresh = { clientPublicKey: own.compressed }
    expect(await call('POST', `${session}/refresh`, refresh)).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'Session is not active'),
    )
    const unknown = '/auth/sessions/Session:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70/refresh'
    expect(await call('POST', unknown, refresh)).toMatchObject(refused(404, 'REFERENCE_NOT_FOUND'))
  })

  it('get a sealed key for an uncompressed one, and refresh themselves', async () => {
    const client = await walletClient(server)
    const { call } = client
    const { key, id: emailSession } = await client.otpSession()
    const added = await client.addPasskey(key)
    const device = keyPair()
    const opened = await client.passkeySession(added, device.uncompressed)
    const sealedKey = opened.body.encryptedSessionSigningKey
    const session = keyPair(decryptCredentialBundle(sealedKey, device.privateHex))
    const path = `/auth/sessions/${opened.body.id}/refresh`
    const next = keyPair()
    const body = { clientPublicKey: next.compressed }
    const first = await call('POST', path, body)
    expect(Object.keys(first.body).sort()).toEqual(['expiresAt', 'payloadToSign', 'requestId'])
    expect(await call('POST', path, body, await signed(first, device))).toMatchObject(invalid)
    expect(await call('POST', path, body, await signed(first, key))).toMatchObject(invalid)
    const other = { clientPublicKey: keyPair().compressed }
    expect(await call('POST', path, other, await signed(first, session))).toMatchObject(mismatch)
    const refreshed = await call('POST', path, { ...body, unknown: 1 }, await signed(first, session))
    expect(refreshed).toMatchObject({ status: 201, body: { type: 'PASSKEY' } })
    expect(refreshed.body).not.toHaveProperty('encryptedSessionSigningKey')
    expect(refreshed.body.id).not.toBe(opened.body.id)
    const listed = await client.sessions()
    expect(listed.map(({ id }) => id)).toEqual([refreshed.body.id, opened.body.id, emailSession])
    expect(JSON.stringify(listed)).not.toContain('SigningKey')

    await server.pass(900_000)
    expect(await client.sessions()).toEqual([])
    expect(await call('POST', path, body)).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'Session is not active'),
    )
    // An uncompressed key seals the session of a code as well, when it is refreshed.
    const email = await client.otpSession()
    const sealing = keyPair()
    const again = await client.twice(email.key, 'POST', `/auth/sessions/${email.id}/refresh`, {
      clientPublicKey: sealing.uncompressed,
    })
    expect(again.status).toBe(201)
    expect(decryptCredentialBundle(again.body.encryptedSessionSigningKey, sealing.privateHex)).toHaveLength(
      64,
    )
  })

  it('have five tries for a challenge, and several challenges at once', async () => {
    const client = await walletClient(server)
    const { key } = await client.otpSession()
    const { id, passkey } = await client.addPasskey(key)
    const clientPublicKey = keyPair().compressed
    const [a, b] = [
      await client.challenge(id, { clientPublicKey }),
      await client.challenge(id, { clientPublicKey }),
    ]
    expect(a.body.challenge).not.toBe(b.body.challenge)
    const verify = (asked: typeof a, flaws: object = {}) =>
      client.call(
        'POST',
        `/auth/credentials/${id}/verify`,
        {
          type: 'PASSKEY',
          assertion: passkey.assert({ challenge: asked.body.challenge, origin, rpId, ...flaws }),
        },
        { 'Request-Id': asked.body.requestId },
      )
    const flaws: [object, string][] = [
      [{ origin: 'https://example.org' }, 'Passkey origin mismatch'],
      [{ rpId: 'example.org' }, 'Passkey RP ID mismatch'],
      [{ userPresent: false }, 'User presence required'],
      [{ challenge: 'f'.repeat(64) }, 'Passkey challenge mismatch'],
    ]
    for (const [flaw, reason] of flaws) {
      expect(await verify(a, flaw)).toMatchObject(refused(401, 'UNAUTHORIZED', reason))
    }
    expect(await verify(a)).toMatchObject({ status: 200 })
    expect(await verify(b, { counter: 1 })).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'Passkey signature counter did not increase'),
    )
    for (let failed = 1; failed < 5; failed++) await verify(b, { userPresent: false })
    expect(await verify(b)).toMatchObject(noPending)
    const stranger = await client.challenge(id, { clientPublicKey: `02${'f'.repeat(64)}` })
    expect(stranger).toMatchObject(refused(400, 'INVALID_INPUT'))
  })

  it('are refused for a wrong attestation, name or a challenge that was used', async () => {
    const client = await walletClient(server)
    const { key } = await client.otpSession()
    const text = randomBytes(32).toString('base64url')
    const body = client.passkeyBody(softwarePasskey(), text)
    const wrong = [
      { ...body, challenge: 'AAAA' },
      { ...body, nickname: '' },
      { ...body, nickname: '   ' },
      { ...body, nickname: 'a'.repeat(101) },
      { ...body, nickname: '<b>' },
      { ...body, attestation: { ...body.attestation, credentialId: 'AAAA' } },
      { ...body, attestation: { ...body.attestation, attestationObject: 'AAAA' } },
      { ...body, attestation: undefined },
    ]
    for (const each of wrong) {
      expect(await client.call('POST', '/auth/credentials', each)).toMatchObject(
        refused(400, 'INVALID_INPUT'),
      )
    }
    expect(await client.twice(key, 'POST', '/auth/credentials', body)).toMatchObject({ status: 201 })
    const second = client.passkeyBody(softwarePasskey(), text)
    expect(await client.call('POST', '/auth/credentials', second)).toMatchObject(
      refused(400, 'INVALID_INPUT'),
    )
  })
})

describe('OpenID tokens (wallets 14, E5)', () => {
  const seconds = () => Math.floor(server.world.now() / 1000)
  const claims = (given: object = {}) => ({
    iss: 'https://accounts.google.com',
    aud: ['a'],
    sub: '42',
    email: 'jane@gmail.example',
    iat: seconds(),
    exp: seconds() + 3600,
    ...given,
  })

  it('are registered, and sign in with a nonce over the key as it is sent', async () => {
    const client = await walletClient(server)
    const { call, wallet } = client
    const { key } = await client.otpSession()
    const add = (given: object | string) => ({
      type: 'OAUTH',
      accountId: wallet.id,
      oidcToken: typeof given === 'string' ? given : oidcToken(claims(given)),
    })
    for (const wrong of [
      'abc',
      'a.b.c',
      'sandbox-valid-oidc-token',
      { iss: 'https://elsewhere.example' },
      { aud: ['a', 'b'] },
      { aud: [] },
      { sub: '' },
      { iat: 'now' },
      { exp: undefined },
    ]) {
      expect(await call('POST', '/auth/credentials', add(wrong))).toMatchObject(refused(400, 'INVALID_INPUT'))
    }
    expect(await call('POST', '/auth/credentials', add({ iat: seconds() - 66 }))).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'OIDC token iat is not fresh'),
    )
    expect(await call('POST', '/auth/credentials', add({ exp: seconds() }))).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'OIDC token expired'),
    )
    const body = add({})
    const first = await call('POST', '/auth/credentials', body)
    expect(first).toMatchObject({ status: 202, body: { type: 'OAUTH' } })
    // The user takes more than a minute to sign.
    await server.pass(120_000)
    const added = await call('POST', '/auth/credentials', body, await signed(first, key))
    expect(added).toMatchObject({ status: 201, body: { type: 'OAUTH', nickname: 'jane@gmail.example' } })
    expect(await call('POST', '/auth/credentials', add({ aud: 'a' }))).toMatchObject(
      refused(400, 'INVALID_INPUT'),
    )

    const { id } = added.body
    expect(await client.challenge(id)).toMatchObject(refused(400, 'INVALID_INPUT'))
    const own = keyPair()
    const verify = (given: object | string, clientPublicKey = own.compressed) =>
      call('POST', `/auth/credentials/${id}/verify`, {
        type: 'OAUTH',
        oidcToken:
          typeof given === 'string'
            ? given
            : oidcToken(claims({ aud: 'a', nonce: nonceOf(clientPublicKey), ...given })),
        clientPublicKey,
      })
    expect(await verify({})).toMatchObject({ status: 200, body: { type: 'OAUTH' } })
    expect(await verify({ iss: 'accounts.google.com' })).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'OIDC token identity mismatch'),
    )
    expect(await verify({ sub: '43' })).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'OIDC token identity mismatch'),
    )
    const nonce = refused(401, 'UNAUTHORIZED', 'OIDC token nonce mismatch')
    expect(await verify({ nonce: nonceOf(own.compressed.toUpperCase()) })).toMatchObject(nonce)
    expect(await verify({ nonce: undefined })).toMatchObject(nonce)
    expect(await verify({ iat: seconds() - 120 })).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'OIDC token iat is not fresh'),
    )
    expect(await verify({ iat: seconds() + 7 })).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'OIDC token iat is not fresh'),
    )
    expect(await verify({ exp: seconds() - 1 })).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'OIDC token expired'),
    )
    expect(await verify('abc')).toMatchObject(refused(400, 'INVALID_INPUT'))
    expect(await verify({}, 'abc')).toMatchObject(refused(400, 'INVALID_INPUT'))
    const device = keyPair()
    const sealed = await verify({}, device.uncompressed)
    expect(decryptCredentialBundle(sealed.body.encryptedSessionSigningKey, device.privateHex)).toHaveLength(
      64,
    )
  })
})
