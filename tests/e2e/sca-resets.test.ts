import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { minuteMs, type ScaApi, scaApi } from './sca-api.ts'
import { operatorCall } from './sca-operator.ts'

const server = await openTestServer()

const refused = { status: 400, body: { code: 'INVALID_INPUT' } }

async function enrolApp({ calls, customer }: ScaApi) {
  const { body } = await calls.enrol(customer.id, { type: 'TOTP' })
  const code = '123456'
  expect(await calls.confirmFactor(customer.id, { type: 'TOTP', secret: body.secret, code })).toMatchObject({
    status: 200,
  })
}

/** A reset of the app in whatever state its customer's name leads to. */
async function started(customer: object = {}, factor = 'TOTP') {
  const known = await scaApi(server, { customer })
  if (factor === 'TOTP') await enrolApp(known)
  const { status, body } = await known.calls.startReset(known.customer.id, factor)
  expect(status).toBe(201)
  const { resetId } = body as { resetId: string }
  return {
    ...known,
    resetId,
    start: body,
    read: () => known.calls.readReset(known.customer.id, resetId),
    complete: (given?: unknown) => known.calls.completeReset(known.customer.id, resetId, given),
  }
}

describe('the reset of a lost factor', () => {
  it('shows the person first, then clears the factor once and ends every session', async () => {
    const { calls, customer, start, read, complete, logIn, held } = await started()
    expect(start).toMatchObject({
      resetId: expect.stringMatching(/^ScaReset:/),
      livenessAccessToken: expect.any(String),
      verificationLink: expect.any(String),
      expiresAt: new Date(server.world.now() + 30 * minuteMs).toISOString(),
    })
    await logIn()
    expect(await complete()).toMatchObject(refused)
    const shown = { factor: 'TOTP', enrollmentStatus: 'PENDING', completedAt: null }
    expect(await read()).toMatchObject({ status: 200, body: { status: 'INITIATED', ...shown } })
    expect(await complete()).toMatchObject(refused)
    expect(await read()).toMatchObject({ body: { status: 'LIVENESS_PASSED', ...shown } })
    expect(await complete()).toMatchObject({ status: 204 })
    const completedAt = new Date(server.world.now()).toISOString()
    expect(await read()).toMatchObject({ body: { ...shown, status: 'COMPLETED', completedAt } })
    expect(await complete()).toMatchObject(refused)
    expect((await calls.factors(customer.id)).body.factors).toEqual([{ factor: 'SMS_OTP' }])
    const { id } = await held(1_000)
    expect(await calls.authorize(id, { code: '123456' })).toMatchObject({
      body: { code: 'SCA_SESSION_REQUIRED' },
    })
    await enrolApp({ calls, customer } as ScaApi)
    expect(await read()).toMatchObject({ body: { status: 'COMPLETED', enrollmentStatus: 'COMPLETED' } })
    await server.pass(5 * minuteMs)
  })

  it('replaces a phone by one that is verified then', async () => {
    const { api, customer, read, complete } = await started({ phoneNumber: '+4915112345678' }, 'SMS_OTP')
    expect(await read()).toMatchObject({ body: { status: 'INITIATED', enrollmentStatus: null } })
    await read()
    for (const given of [
      undefined,
      {},
      { mobile: { countryCode: '49', number: '151' } },
      { mobile: { countryCode: '+49', number: 'x' } },
    ]) {
      expect(await complete(given)).toMatchObject(refused)
    }
    expect(await complete({ mobile: { countryCode: '+49' } })).toMatchObject(refused)
    expect(await complete({ mobile: { countryCode: '+49', number: '15199999999' } })).toMatchObject({
      status: 204,
    })
    const { data } = await api.GET('/customers/{customerId}', {
      params: { path: { customerId: customer.id as never } },
    })
    expect(data).toMatchObject({ phoneNumber: '+4915199999999', contactVerification: { phone: 'VERIFIED' } })
    expect(await read()).toMatchObject({ body: { status: 'COMPLETED', enrollmentStatus: null } })
  })

  it('leaves nothing to be done with the codes that went to the lost phone', async () => {
    const { calls, customer, payee, held, balances, read, complete } = await started(
      { phoneNumber: '+4915112345678' },
      'SMS_OTP',
    )
    const code = '123456'
    const { challengeId } = (await calls.startLogin(customer.id)).body
    const payment = await held()
    const trust = (await calls.trust(payee.id)).body.scaChallenge
    await read()
    await read()
    // The same number, in another phone.
    expect(await complete({ mobile: { countryCode: '+49', number: '15112345678' } })).toMatchObject({
      status: 204,
    })
    expect(await calls.completeLogin(customer.id, { factor: 'SMS_OTP', challengeId, code })).toMatchObject(
      refused,
    )
    expect(await calls.confirmTrust(payee.id, { challengeId: trust.id, code })).toMatchObject(refused)
    for (const again of [calls.authorize(payment.id, { code }), calls.resend(payment.id)]) {
      expect(await again).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', details: { reason: 'CODE_REVOKED' } },
      })
    }
    server.world.passMs(5 * minuteMs)
    expect(await calls.transaction(payment.transactionId!)).toMatchObject({
      status: 'FAILED',
      failureReason: 'SCA_NOT_COMPLETED',
    })
    expect(await balances()).toEqual({ available: 50_000, total: 50_000 })
    expect((await calls.recordEvent(customer.id, 'FAILED_LOGIN_ATTEMPT')).body.failedAttempts).toBe(1)
    await server.settle()
  })

  it('goes by the name in the sandbox: 001 waits for the operator, 002 is refused', async () => {
    const waiting = await started({ fullName: 'Lena Vogt001' })
    await waiting.read()
    for (let reads = 0; reads < 2; reads++) {
      expect(await waiting.read()).toMatchObject({ body: { status: 'PENDING_REVIEW' } })
    }
    expect(await waiting.complete()).toMatchObject(refused)
    const approve = () => operatorCall(server, 'POST', `/operator/sca-resets/${waiting.resetId}/approve`)
    expect(await approve()).toMatchObject({ status: 200, body: { status: 'LIVENESS_PASSED' } })
    expect(await approve()).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(await waiting.complete()).toMatchObject({ status: 204 })

    const rejected = await started({ fullName: 'Lena Vogt002' })
    await rejected.read()
    expect(await rejected.read()).toMatchObject({ body: { status: 'REJECTED' } })
    expect(await rejected.complete()).toMatchObject(refused)
    const unknown = '/operator/sca-resets/ScaReset:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70/reject'
    expect(await operatorCall(server, 'POST', unknown)).toMatchObject({ status: 404 })
  })

  it('is over after half an hour, whatever had been found out', async () => {
    for (const reads of [0, 1, 2]) {
      const { read, complete, resetId } = await started()
      for (let done = 0; done < reads; done++) await read()
      server.world.passMs(30 * minuteMs)
      expect(await read()).toMatchObject({ body: { status: 'EXPIRED' } })
      expect(await complete()).toMatchObject(refused)
      expect(await operatorCall(server, 'POST', `/operator/sca-resets/${resetId}/approve`)).toMatchObject({
        status: 409,
      })
    }
  })

  it('is for an enrolled factor, of this customer, and five times a day', async () => {
    const { calls, customer, resetId } = await started()
    expect(await calls.startReset(customer.id, 'PASSKEY')).toMatchObject(refused)
    expect(await calls.startReset(customer.id, 'FACE')).toMatchObject(refused)
    const other = await scaApi(server)
    for (const id of [resetId, 'ScaReset:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70', 'nonsense']) {
      expect(await other.calls.readReset(other.customer.id, id)).toMatchObject({ status: 404 })
      expect(await other.calls.completeReset(other.customer.id, id)).toMatchObject({ status: 404 })
    }
    server.world.passMs(60 * minuteMs)
    const more = await Promise.all([1, 2, 3, 4, 5, 6].map(() => calls.startReset(customer.id, 'TOTP')))
    expect(more.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(4)
    for (let tries = 0; tries < 4; tries++) await calls.startReset(customer.id, 'TOTP')
    const sixth = await calls.startReset(customer.id, 'TOTP')
    expect(sixth).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(Number(sixth.headers.get('retry-after'))).toBe(23 * 60 * 60)
    server.world.passMs(23 * 60 * minuteMs)
    expect(await calls.startReset(customer.id, 'TOTP')).toMatchObject({ status: 201 })
  })
})
