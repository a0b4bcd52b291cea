import { openTestServer, softwarePasskey } from '@corridor/testkit/index.ts'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { enrolPasskey, german, minuteMs, origin, scaApi } from './sca-api.ts'

const server = await openTestServer()

const refused = (field?: string) => ({
  status: 400,
  body: { code: 'INVALID_INPUT', ...(field ? { details: { field } } : {}) },
})
const locked = { status: 423, body: { code: 'ACCOUNT_LOCKED' } }

/** The code that an app shows at this moment of the server's time. */
function appCode(secretBase32: string, offsetMs = 0): string {
  const timestamp = server.world.now() + offsetMs
  return new TOTP({ secret: Secret.fromBase32(secretBase32) }).generate({ timestamp })
}

async function enrolApp({ calls, customer }: Awaited<ReturnType<typeof scaApi>>) {
  const { body } = await calls.enrol(customer.id, { type: 'TOTP' })
  const { secret, secretBase32Encoded } = body
  const confirmed = await calls.confirmFactor(customer.id, {
    type: 'TOTP',
    secret,
    code: appCode(secretBase32Encoded),
  })
  expect(confirmed).toMatchObject({ status: 200, body: { type: 'TOTP' } })
  return { secret: secretBase32Encoded as string, recoveryCodes: confirmed.body.recoveryCodes as string[] }
}

describe('a login by SMS', () => {
  it('answers the last start alone, in its time, with its own challenge', async () => {
    const { calls, customer } = await scaApi(server)
    const complete = (challengeId: unknown, more: object = {}) =>
      calls.completeLogin(customer.id, { factor: 'SMS_OTP', challengeId, code: '123456', ...more })
    expect(await complete('ScaChallenge:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70')).toMatchObject(
      refused('factor'),
    )
    const first = await calls.startLogin(customer.id)
    const second = await calls.startLogin(customer.id)
    expect(await complete(first.body.challengeId)).toMatchObject(refused('challengeId'))
    expect(await complete(undefined)).toMatchObject(refused('challengeId'))
    expect(await complete(second.body.challengeId, { factor: 'TOTP' })).toMatchObject(refused('factor'))
    const { challengeId } = second.body
    for (const endUserIpAddress of ['not an address', undefined, '']) {
      expect(await complete(challengeId, { endUserIpAddress })).toMatchObject({ status: 400 })
    }
    for (const proof of [
      { code: null },
      { code: '123456', passkeyAssertion: { id: 'x' }, origin },
      { code: null, passkeyAssertion: { id: 'x' } },
      ...['', 'abc', '1234567', '123.456', '12345١'].map((code) => ({ code })),
      { code: null, passkeyAssertion: {}, origin },
    ]) {
      expect(await complete(challengeId, proof)).toMatchObject({ status: 400 })
    }
    // None of these counts.
    expect(await calls.recordEvent(customer.id, 'FAILED_LOGIN_ATTEMPT')).toMatchObject({
      body: { failedAttempts: 1 },
    })
    server.world.passMs(5 * minuteMs)
    expect(await complete(challengeId)).toMatchObject(refused('factor'))
    const third = await calls.startLogin(customer.id)
    expect(await complete(third.body.challengeId)).toMatchObject({ status: 200, body: { status: 'SUCCESS' } })
    expect(await complete(third.body.challengeId)).toMatchObject(refused('factor'))
  })

  it('lasts 180 days, and ends with the password, another phone or deletion', async () => {
    const { calls, customer, held, logIn, api } = await scaApi(server)
    let { id } = await held(1_000)
    const canAuthorize = async () => {
      const { status, body } = await calls.authorize(id, { code: '000000' })
      return body.code === 'SCA_SESSION_REQUIRED' && status === 409 ? false : status === 400
    }
    expect(await canAuthorize()).toBe(false)
    await logIn()
    expect(await canAuthorize()).toBe(true)
    expect(await calls.recordEvent(customer.id, 'RESET_PASSWORD_COMPLETED')).toMatchObject({
      status: 200,
      body: { suspended: false, lockedUntil: null, failedAttempts: 0 },
    })
    expect(await canAuthorize()).toBe(false)
    await logIn()
    expect(await canAuthorize()).toBe(true)
    const path = { params: { path: { customerId: customer.id as never } } }
    const body = { customerType: 'INDIVIDUAL', phoneNumber: '+4915112345679' } as never
    expect((await api.PATCH('/customers/{customerId}', { ...path, body })).response.status).toBe(200)
    // The code of that payment went to the other phone.
    expect(await calls.authorize(id, { code: '123456' })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { reason: 'CODE_REVOKED' } },
    })
    id = (await held(1_000)).id
    expect(await canAuthorize()).toBe(false)
    await logIn()
    expect(await canAuthorize()).toBe(true)
    await api.PATCH('/customers/{customerId}', {
      ...path,
      body: { customerType: 'INDIVIDUAL', fullName: 'Lena Vogt-Kern' } as never,
    })
    expect(await canAuthorize()).toBe(true)

    const lost = await calls.startLogin(customer.id)
    await api.PATCH('/customers/{customerId}', {
      ...path,
      body: { customerType: 'INDIVIDUAL', phoneNumber: '+4915112345680' } as never,
    })
    const { challengeId } = lost.body
    const late = { factor: 'SMS_OTP', challengeId, code: '123456' }
    expect(await calls.completeLogin(customer.id, late)).toMatchObject(refused('code'))

    const days = await scaApi(server)
    const { sessionExpiresAt } = await days.logIn()
    server.world.passMs(Date.parse(sessionExpiresAt) - server.world.now() - 1)
    const last = await days.held(1_000)
    expect(await days.calls.authorize(last.id, { code: '000000' })).toMatchObject(refused('code'))
    server.world.passMs(1)
    expect(await days.calls.authorize(last.id, { code: '123456' })).toMatchObject({
      status: 409,
      body: { code: 'SCA_SESSION_REQUIRED' },
    })
    await server.settle()
  })

  it('needs a customer that exists, here and alive', async () => {
    const [mine, other] = [await scaApi(server), await scaApi(server)]
    const unknown = 'Customer:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    for (const id of [unknown, other.customer.id]) {
      expect(await mine.calls.startLogin(id)).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } })
      expect(await mine.calls.factors(id)).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } })
    }
    expect(await mine.calls.factors('nonsense')).toMatchObject(refused('customerId'))
    expect(await mine.calls.factors(undefined as never)).toMatchObject(refused('customerId'))
    await mine.api.DELETE('/customers/{customerId}', {
      params: { path: { customerId: mine.customer.id as never } },
    })
    expect(await mine.calls.startLogin(mine.customer.id)).toMatchObject({ status: 404 })
  })
})

describe('16.9: failed attempts', () => {
  it('lock for longer and longer, suspend at the ninth, and are forgotten with a new password', async () => {
    const { calls, customer, held, logIn } = await scaApi(server)
    const { id } = await held(1_000)
    await logIn()
    const fail = () => calls.recordEvent(customer.id, 'FAILED_LOGIN_ATTEMPT')
    for (const failedAttempts of [1, 2, 3, 4]) {
      expect(await fail()).toMatchObject({
        status: 200,
        body: { eventType: 'FAILED_LOGIN_ATTEMPT', suspended: false, lockedUntil: null, failedAttempts },
      })
    }
    const until = (ms: number) => new Date(server.world.now() + ms).toISOString()
    for (const [failedAttempts, lockMs] of [
      [5, 15 * minuteMs],
      [6, 30 * minuteMs],
      [7, 60 * minuteMs],
      [8, 24 * 60 * minuteMs],
    ] as const) {
      const lockedUntil = until(lockMs)
      expect(await fail()).toMatchObject({
        status: 200,
        body: { suspended: false, lockedUntil, failedAttempts },
      })
      expect(await calls.startLogin(customer.id)).toMatchObject({ status: 200 })
      expect(await calls.completeLogin(customer.id, { factor: 'TOTP', code: '1' })).toMatchObject({
        ...locked,
        body: { details: { suspended: false, lockedUntil, failedAttempts } },
      })
      expect(await calls.authorize(id, { code: '123456' })).toMatchObject(locked)
    }
    expect(await fail()).toMatchObject({
      status: 200,
      body: { suspended: true, lockedUntil: null, failedAttempts: 9 },
    })
    // A login may be started, also by who is suspended; no proof is looked at.
    const { status, body: login } = await calls.startLogin(customer.id)
    expect(status).toBe(200)
    const right = { factor: 'SMS_OTP', challengeId: login.challengeId, code: '123456' }
    expect(await calls.completeLogin(customer.id, right)).toMatchObject({
      ...locked,
      body: { details: { suspended: true } },
    })
    const tenth = await fail()
    expect(tenth).toMatchObject({ ...locked, body: { details: { suspended: true, failedAttempts: 9 } } })
    expect(tenth.body.details).not.toHaveProperty('lockedUntil')
    expect(await calls.recordEvent(customer.id, 'RESET_PASSWORD_COMPLETED')).toMatchObject({
      status: 200,
      body: { eventType: 'RESET_PASSWORD_COMPLETED', suspended: false, lockedUntil: null, failedAttempts: 0 },
    })
    expect(await calls.authorize(id, { code: '123456' })).toMatchObject({
      body: { code: 'SCA_SESSION_REQUIRED' },
    })
    await logIn()
    expect(await calls.authorize(id, { code: '123456' })).toMatchObject({ status: 200 })
    await server.settle()
    expect(await calls.recordEvent(customer.id, 'HACKED')).toMatchObject(refused('eventType'))
  })

  it('count wherever a proof is wrong; the fifth is told as a lock, whose end forgets nothing', async () => {
    const { calls, customer, payee, held, logIn } = await scaApi(server)
    const { id } = await held(1_000)
    await logIn()
    const { body: started } = await calls.startLogin(customer.id)
    const wrong = { code: '000000' }
    const login = { factor: 'SMS_OTP', challengeId: started.challengeId, ...wrong }
    expect(await calls.completeLogin(customer.id, login)).toMatchObject(refused('code'))
    expect(await calls.authorize(id, wrong)).toMatchObject(refused('code'))
    const { body: trust } = await calls.trust(payee.id)
    const challengeId = trust.scaChallenge.id
    expect(await calls.confirmTrust(payee.id, { challengeId, ...wrong })).toMatchObject(refused('code'))
    const { body: untrust } = await calls.untrust(payee.id)
    const other = { challengeId: untrust.scaChallenge.id, ...wrong }
    expect(await calls.confirmUntrust(payee.id, other)).toMatchObject(refused('code'))
    const fifth = await calls.authorize(id, wrong)
    expect(fifth).toMatchObject({ ...locked, body: { details: { failedAttempts: 5, suspended: false } } })
    const right = { ...other, code: '123456' }
    for (const answer of [
      await calls.authorize(id, { code: '123456' }),
      await calls.trust(payee.id),
      await calls.untrust(payee.id),
      await calls.confirmUntrust(payee.id, right),
      await calls.completeLogin(customer.id, { ...login, code: '123456' }),
    ]) {
      expect(answer).toMatchObject(locked)
    }
    await server.pass(15 * minuteMs)
    const again = await calls.startLogin(customer.id)
    const sixth = await calls.completeLogin(customer.id, { ...login, challengeId: again.body.challengeId })
    expect(sixth).toMatchObject({ ...locked, body: { details: { failedAttempts: 6 } } })
    await server.pass(30 * minuteMs)
    await logIn()
    expect(await calls.recordEvent(customer.id, 'FAILED_LOGIN_ATTEMPT')).toMatchObject({
      body: { failedAttempts: 1 },
    })
  })
})

describe('an authenticator app', () => {
  it('is enrolled with its code, logs in with codes that are good once, and never authorizes a payment', async () => {
    const known = await scaApi(server)
    const { calls, customer, quoted } = known
    // A phone is neither enrolled nor deleted: it has nothing to be named by.
    expect(await calls.enrol(customer.id, { type: 'SMS_OTP' })).toMatchObject(refused('type'))
    expect(await calls.deleteFactor(customer.id, 'SMS_OTP')).toMatchObject({ status: 404 })
    expect((await calls.factors(customer.id)).body).toEqual({ factors: [{ factor: 'SMS_OTP' }] })
    const { body: start } = await calls.enrol(customer.id, { type: 'TOTP' })
    expect(start).toMatchObject({ type: 'TOTP', totpUri: expect.stringMatching(/^otpauth:\/\/totp\//) })
    const confirm = (secret: string, code: string) =>
      calls.confirmFactor(customer.id, { type: 'TOTP', secret, code })
    const code = () => appCode(start.secretBase32Encoded)
    expect(await confirm('00'.repeat(20), code())).toMatchObject(refused('secret'))
    expect(await confirm(start.secret, '000000')).toMatchObject(refused('code'))
    const { body: later } = await calls.enrol(customer.id, { type: 'TOTP' })
    expect(await confirm(start.secret, code())).toMatchObject(refused('secret'))
    server.world.passMs(10 * minuteMs)
    expect(await confirm(later.secret, appCode(later.secretBase32Encoded))).toMatchObject(refused('secret'))

    const { secret, recoveryCodes } = await enrolApp(known)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const each of recoveryCodes) expect(each).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    expect(await calls.enrol(customer.id, { type: 'TOTP' })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    })
    expect((await calls.factors(customer.id)).body.factors).toEqual([
      { factor: 'SMS_OTP' },
      { factor: 'TOTP' },
    ])

    const logIn = async (given: string) => {
      expect((await calls.startLogin(customer.id, 'TOTP')).body).toEqual({ factor: 'TOTP' })
      return calls.completeLogin(customer.id, { factor: 'TOTP', code: given })
    }
    // The code of the enrolment is used up; the next step's is not.
    expect(await logIn(appCode(secret))).toMatchObject(refused('code'))
    server.world.passMs(30_000)
    const used = appCode(secret)
    expect(await logIn(used)).toMatchObject({ status: 200 })
    expect(await logIn(used)).toMatchObject(refused('code'))
    expect(await logIn(recoveryCodes[0]!.toLowerCase())).toMatchObject({ status: 200 })
    expect(await logIn(recoveryCodes[0]!)).toMatchObject(refused('code'))
    expect(await logIn('123456')).toMatchObject({ status: 200 })
    const { id } = await quoted()
    expect(await calls.execute(id, { scaFactor: 'TOTP' })).toMatchObject(refused('scaFactor'))
  })

  it('replays its enrolment without what is shown once', async () => {
    const { platform, customer } = await scaApi(server)
    const basic = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
    const send = async () => {
      const response = await server.fetch(`${server.baseUrl}/sca/factors?customerId=${customer.id}`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${basic}`,
          'content-type': 'application/json',
          'idempotency-key': 'e-1',
        },
        body: JSON.stringify({ type: 'TOTP' }),
      })
      return response.json()
    }
    expect(await send()).toHaveProperty('secret')
    expect(await send()).toEqual({ type: 'TOTP' })
  })
})

/** With the other alphabet of RFC 4648, and padding. */
function inStandardBase64<T>(value: T): T {
  if (typeof value === 'string') {
    const text = value.replaceAll('-', '+').replaceAll('_', '/')
    return `${text}${'='.repeat((4 - (text.length % 4)) % 4)}` as T
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === 'type' ? each : inStandardBase64(each)]),
  ) as T
}

describe('a passkey', () => {
  it('in standard base64 is enrolled as the one that it is, and logs in', async () => {
    const known = await scaApi(server)
    const { calls, customer } = known
    // Its id has letters that only one of the two alphabets has.
    const seed = Array.from({ length: 100 }, (_, index) => `seed ${index}`).find((each) =>
      /-.*_|_.*-/.test(softwarePasskey({ seed: each }).credentialId),
    )!
    const passkey = await enrolPasskey(known, seed, inStandardBase64)
    expect((await calls.factors(customer.id)).body.factors).toContainEqual({
      factor: 'PASSKEY',
      credentialId: passkey.credentialId,
    })
    const started = await calls.startLogin(customer.id, 'PASSKEY')
    const passkeyAssertion = inStandardBase64(passkey.authenticate(started.body.passkeyOptions, origin))
    const login = { factor: 'PASSKEY', passkeyAssertion, origin }
    expect(await calls.completeLogin(customer.id, login)).toMatchObject({ status: 200 })
  })

  it('is enrolled once, logs in, authorizes a payment, and is deleted', async () => {
    const known = await scaApi(server)
    const { calls, customer, quoted } = known
    const passkey = await enrolPasskey(known, 'ana')
    expect(await calls.enrol(customer.id, { type: 'PASSKEY' })).toMatchObject({
      status: 409,
      body: { code: 'PASSKEY_ALREADY_ENROLLED' },
    })
    expect((await calls.factors(customer.id)).body.factors).toEqual([
      { factor: 'SMS_OTP' },
      { factor: 'PASSKEY', credentialId: passkey.credentialId },
    ])
    const started = await calls.startLogin(customer.id, 'PASSKEY')
    expect(started.body).toMatchObject({
      factor: 'PASSKEY',
      allowedOrigins: [origin],
      relyingPartyId: 'app.example.com',
    })
    const passkeyAssertion = passkey.authenticate(started.body.passkeyOptions, origin)
    const login = { factor: 'PASSKEY', passkeyAssertion, origin }
    expect(await calls.completeLogin(customer.id, { ...login, code: '1' })).toMatchObject({ status: 400 })
    expect(await calls.completeLogin(customer.id, login)).toMatchObject({ status: 200 })

    const { id } = await quoted()
    const { body } = await calls.execute(id, { scaFactor: 'PASSKEY' })
    expect(body.scaChallenge).toMatchObject({ factor: 'PASSKEY', availableFactors: ['SMS_OTP', 'PASSKEY'] })
    expect(body.scaChallenge).not.toHaveProperty('passkeyAllowedOrigins')
    expect(await calls.resend(id)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(await calls.authorize(id, { code: '123456' })).toMatchObject(refused('code'))
    const proof = {
      passkeyAssertion: passkey.authenticate(body.scaChallenge.passkeyAssertionOptions, origin),
      origin,
    }
    expect(await calls.authorize(id, { ...proof, origin: undefined })).toMatchObject(refused('origin'))
    expect(await calls.authorize(id, proof)).toMatchObject({ status: 200, body: { status: 'PROCESSING' } })

    const next = await quoted(1_000)
    const waiting = await calls.execute(next.id, { scaFactor: 'PASSKEY' })
    expect(await calls.deleteFactor(customer.id, 'somebody-else')).toMatchObject({
      status: 404,
      body: { code: 'REFERENCE_NOT_FOUND' },
    })
    expect(await calls.deleteFactor(customer.id, passkey.credentialId)).toMatchObject({ status: 204 })
    expect(await calls.deleteFactor(customer.id, passkey.credentialId)).toMatchObject({ status: 404 })
    const options = waiting.body.scaChallenge.passkeyAssertionOptions
    const late = { passkeyAssertion: passkey.authenticate(options, origin), origin }
    expect(await calls.authorize(next.id, late)).toMatchObject({ status: 400 })
    await enrolPasskey(known, 'another')
    expect(await calls.authorize(next.id, late)).toMatchObject({ status: 400 })
    await server.settle()
  })

  it('may be made up in the sandbox: an id enrols it and answers for it', async () => {
    const { calls, customer, quoted } = await scaApi(server)
    const confirm = (credential: unknown, from = origin) =>
      calls.confirmFactor(customer.id, { type: 'PASSKEY', origin: from, credential })
    expect(await confirm({ id: 'made-up' })).toMatchObject({ status: 400 })
    await calls.enrol(customer.id, { type: 'PASSKEY' })
    expect(await confirm({ id: 'made-up' }, 'https://evil.example.com')).toMatchObject(refused('origin'))
    for (const credential of [{}, { id: '' }, { id: 1 }]) {
      expect(await confirm(credential)).toMatchObject(refused('credential'))
    }
    // Any text will do, and the options that a browser is given are well formed all the same.
    expect(await confirm({ id: 'cred.1' })).toMatchObject({ body: { factor: { credentialId: 'cred.1' } } })
    expect(await calls.startLogin(customer.id, 'PASSKEY')).toMatchObject({
      status: 200,
      body: { passkeyOptions: { allowCredentials: [{ id: 'Y3JlZC4x' }] } },
    })
    for (const id of ['cred.1', 'Y3JlZC4x']) {
      await calls.startLogin(customer.id, 'PASSKEY')
      const proof = { factor: 'PASSKEY', passkeyAssertion: { id }, origin }
      expect(await calls.completeLogin(customer.id, proof)).toMatchObject({ status: 200 })
    }
    await calls.startLogin(customer.id, 'PASSKEY')
    const login = (passkeyAssertion: object, from = origin) =>
      calls.completeLogin(customer.id, { factor: 'PASSKEY', passkeyAssertion, origin: from })
    expect(await login({ id: 'another' })).toMatchObject({ status: 400 })
    expect(await login({ id: 'cred.1' }, 'https://evil.example.com')).toMatchObject({ status: 400 })
    expect(await login({ id: 'cred.1' })).toMatchObject({ status: 200 })
    const { id } = await quoted()
    await calls.execute(id, { scaFactor: 'PASSKEY' })
    const proof = { passkeyAssertion: { credentialId: 'cred.1' }, origin }
    expect(await calls.authorize(id, proof)).toMatchObject({ status: 200 })
    await server.settle()
  })
})

describe('in production', () => {
  /** A customer whose phone may have been verified. */
  async function real({ verified = true } = {}) {
    const platform = await server.platform({
      environment: 'PRODUCTION',
      settings: { passkeys: { relyingPartyId: 'example.com', origins: ['https://pay.example.com'] } },
    })
    const api = server.client(platform)
    const { scaCalls } = await import('./sca-api.ts')
    const { createCustomer, must } = await import('@corridor/testkit/index.ts')
    const phoneNumber =
      `+4915${Math.floor(server.world.now() % 1e8)}${platform.platformId.replace(/\D/g, '').slice(0, 3)}`.slice(
        0,
        15,
      )
    const customer = await createCustomer(api, {
      ...german,
      phoneNumber,
      email: 'lena@vogt.example',
    } as never)
    const path = { params: { path: { customerId: customer.id as never } } }
    const lastCode = async () => {
      await server.settle()
      const sent = server.posted.filter(({ to }) => to === phoneNumber)
      return /\d{6}/.exec(sent.at(-1)!.text)![0]
    }
    if (verified) {
      await api.POST('/customers/{customerId}/verify-phone', path)
      await must(
        api.POST('/customers/{customerId}/verify-phone/confirm', {
          ...path,
          body: { code: await lastCode() },
        }),
      )
    }
    return { api, calls: scaCalls(api), customer, lastCode }
  }

  it('sends the code to the phone and takes no other; the constants of the sandbox are wrong', async () => {
    const { calls, customer, lastCode } = await real()
    const { body } = await calls.startLogin(customer.id)
    const code = await lastCode()
    const login = (given: string) =>
      calls.completeLogin(customer.id, { factor: 'SMS_OTP', challengeId: body.challengeId, code: given })
    for (const wrong of ['123456', '000000'].filter((each) => each !== code)) {
      expect(await login(wrong)).toMatchObject(refused('code'))
    }
    expect(await login(code)).toMatchObject({ status: 200, body: { status: 'SUCCESS' } })
    expect(await login(code)).toMatchObject({ status: 400 })
  })

  it('has no codes by SMS for a phone that was not verified', async () => {
    const { calls, customer } = await real({ verified: false })
    expect((await calls.factors(customer.id)).body).toEqual({ factors: [] })
    expect(await calls.startLogin(customer.id)).toMatchObject(refused('factor'))
    expect(await calls.startReset(customer.id, 'SMS_OTP')).toMatchObject(refused('factor'))
  })

  it('checks codes of apps and passkeys in full', async () => {
    const { calls, customer } = await real()
    const { body: app } = await calls.enrol(customer.id, { type: 'TOTP' })
    const confirm = (code: string) =>
      calls.confirmFactor(customer.id, { type: 'TOTP', secret: app.secret, code })
    expect(await confirm('123456')).toMatchObject(refused('code'))
    expect(await confirm(appCode(app.secretBase32Encoded))).toMatchObject({ status: 200 })

    const pay = 'https://pay.example.com'
    const passkey = softwarePasskey({ seed: 'production' })
    const { body: start } = await calls.enrol(customer.id, { type: 'PASSKEY' })
    expect(start).toMatchObject({ relyingPartyId: 'example.com', allowedOrigins: [pay] })
    const enrol = (credential: object, from = pay) =>
      calls.confirmFactor(customer.id, { type: 'PASSKEY', origin: from, credential })
    expect(await enrol({ id: 'made-up' })).toMatchObject(refused('credential'))
    expect(await enrol(passkey.register(start.options, origin), pay)).toMatchObject(refused('credential'))
    expect(await enrol(passkey.register(start.options, origin), origin)).toMatchObject(refused('origin'))
    const stale = { ...start.options, challenge: Buffer.alloc(32).toString('base64url') }
    expect(await enrol(passkey.register(stale, pay))).toMatchObject(refused('credential'))
    expect(await enrol(passkey.register(start.options, pay))).toMatchObject({ status: 200 })

    const { body: login } = await calls.startLogin(customer.id, 'PASSKEY')
    const complete = (passkeyAssertion: object) =>
      calls.completeLogin(customer.id, { factor: 'PASSKEY', passkeyAssertion, origin: pay })
    expect(await complete({ id: passkey.credentialId })).toMatchObject({ status: 400 })
    expect(await complete(passkey.authenticate(login.passkeyOptions, pay))).toMatchObject({ status: 200 })
  })
})
