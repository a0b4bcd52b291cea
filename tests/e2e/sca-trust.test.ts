import {
  createPayee,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { minuteMs, scaApi } from './sca-api.ts'

const server = await openTestServer()

const code = '123456'
const refused = { status: 400, body: { code: 'INVALID_INPUT' } }

describe('a trusted beneficiary', () => {
  it('16.10: is paid without a challenge, cannot be deleted, and is trusted no longer after a proof', async () => {
    const { platform, calls, quoted, payee, held } = await scaApi(server)
    const waiting = await held(1_000)
    const started = await calls.trust(payee.id)
    expect(started).toMatchObject({ status: 200, body: { scaChallenge: { factor: 'SMS_OTP' } } })
    const challengeId = started.body.scaChallenge.id
    expect(await calls.confirmTrust(payee.id, { code })).toMatchObject(refused)
    expect(await calls.confirmTrust(payee.id, { challengeId, code })).toMatchObject({
      status: 200,
      body: { trusted: true },
    })
    expect(await calls.confirmTrust(payee.id, { challengeId, code })).toMatchObject(refused)
    const params = { path: { externalAccountId: payee.id as never } }
    const shown = await must(
      server.client(platform).GET('/customers/external-accounts/{externalAccountId}', { params }),
    )
    expect(shown).toEqual(payee)

    const { id } = await quoted(10_000)
    const executed = await calls.execute(id)
    expect(executed).toMatchObject({ status: 200, body: { status: 'PROCESSING' } })
    expect(executed.body).not.toHaveProperty('scaChallenge')
    // What was asked before still has to be answered, with a login.
    expect(await calls.authorize(waiting.id, { code })).toMatchObject({
      body: { code: 'SCA_SESSION_REQUIRED' },
    })
    expect(await calls.deleteAccount(payee.id)).toMatchObject({
      status: 409,
      body: { code: 'BENEFICIARY_TRUSTED', details: { externalAccountId: payee.id } },
    })

    const { body } = await calls.untrust(payee.id)
    const end = { challengeId: body.scaChallenge.id, code }
    expect(await calls.confirmTrust(payee.id, end)).toMatchObject(refused)
    expect(await calls.confirmUntrust(payee.id, end)).toMatchObject({ status: 200, body: { trusted: false } })
    const { id: later } = await quoted(1_000)
    expect(await calls.execute(later)).toMatchObject({ body: { status: 'PENDING_AUTHORIZATION' } })
    expect(await calls.deleteAccount(payee.id)).toMatchObject({ status: 204 })
    await server.pass(5 * minuteMs)
  })

  it('is paid at once, and in realtime, without a word about it on the account', async () => {
    const { calls, api, customer, payee, eur } = await scaApi(server)
    const read = async () =>
      (
        await api.GET('/customers/external-accounts/{externalAccountId}', {
          params: { path: { externalAccountId: payee.id } },
        })
      ).data
    const before = await read()
    const { body } = await calls.trust(payee.id)
    await calls.confirmTrust(payee.id, {
      challengeId: body.scaChallenge.id,
      code,
      endUserIpAddress: 'nonsense',
    })
    expect(await read()).toEqual(before)
    const immediate = await calls.createQuote(quoteBody(eur, payee, 1_000, { immediatelyExecute: true }))
    expect(immediate).toMatchObject({ status: 201, body: { status: 'COMPLETED' } })
    const realtime = await calls.createQuote({
      source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id, currency: 'EUR' },
      destination: { destinationType: 'ACCOUNT', accountId: payee.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1_000,
    })
    expect(realtime).toMatchObject({ status: 201, body: { status: 'PENDING', paymentInstructions: [{}] } })
  })

  it("is the customer's own: not the platform's account, not another customer's, not one that is gone", async () => {
    const [mine, other] = [await scaApi(server), await scaApi(server)]
    const ofPlatform = await createPayee(mine.api, 'GBP', '12345892')
    expect(await mine.calls.trust(ofPlatform.id)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    const unknown = { status: 404, body: { code: 'REFERENCE_NOT_FOUND' } }
    for (const id of [other.payee.id, 'ExternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70', 'nonsense']) {
      expect(await mine.calls.trust(id)).toMatchObject(unknown)
      expect(await mine.calls.untrust(id)).toMatchObject(unknown)
      expect(await mine.calls.confirmTrust(id, { challengeId: 'x', code })).toMatchObject(unknown)
    }
    await mine.calls.deleteAccount(mine.payee.id)
    expect(await mine.calls.trust(mine.payee.id)).toMatchObject(unknown)
  })

  it('is asked about with the factor that was chosen, and for five minutes', async () => {
    const { calls, customer, payee } = await scaApi(server)
    expect(await calls.trust(payee.id, { scaFactor: 'TOTP' })).toMatchObject(refused)
    const { body: start } = await calls.enrol(customer.id, { type: 'TOTP' })
    await calls.confirmFactor(customer.id, { type: 'TOTP', secret: start.secret, code })
    const asked = await calls.trust(payee.id, { scaFactor: 'TOTP' })
    expect(asked.body.scaChallenge).toMatchObject({ factor: 'TOTP', availableFactors: ['SMS_OTP', 'TOTP'] })
    const challengeId = asked.body.scaChallenge.id
    server.world.passMs(5 * minuteMs)
    expect(await calls.confirmTrust(payee.id, { challengeId, code })).toMatchObject(refused)
    const again = await calls.trust(payee.id, { scaFactor: 'TOTP' })
    expect(
      await calls.confirmTrust(payee.id, { challengeId: again.body.scaChallenge.id, code }),
    ).toMatchObject({
      body: { trusted: true },
    })
  })

  it('exempts only payments to itself', async () => {
    const { calls, api, customer, payee, eur } = await scaApi(server)
    const { body } = await calls.trust(payee.id)
    await calls.confirmTrust(payee.id, { challengeId: body.scaChallenge.id, code })
    const stranger = await createPayee(api, 'GBP', '12345893', { customerId: customer.id })
    const usdc = await internalAccountOf(api, customer.id, 'USDC')
    await fund(api, eur.id, 1_000)
    for (const destination of [stranger, usdc]) {
      const { body: quote } = await calls.createQuote(quoteBody(eur, destination, 1_000))
      expect(await calls.execute(quote.id)).toMatchObject({ body: { status: 'PENDING_AUTHORIZATION' } })
    }
    await server.pass(5 * minuteMs)
  })
  it('is told all that is missing of an empty confirmation', async () => {
    const { calls, payee } = await scaApi(server)
    await calls.trust(payee.id)
    for (const answer of [await calls.confirmTrust(payee.id, {}), await calls.confirmUntrust(payee.id, {})]) {
      expect(answer).toMatchObject(refused)
      const { errors } = answer.body.details
      expect(errors.map(({ field }: { field: string }) => field).sort()).toEqual(['challengeId', 'code'])
    }
  })

  it('can be deleted by a customer who has left the regions of strong authentication', async () => {
    const { calls, api, customer, payee } = await scaApi(server)
    const { body } = await calls.trust(payee.id)
    await calls.confirmTrust(payee.id, { challengeId: body.scaChallenge.id, code })
    expect(await calls.deleteAccount(payee.id)).toMatchObject({ body: { code: 'BENEFICIARY_TRUSTED' } })
    for (let failed = 0; failed < 5; failed++) await calls.recordEvent(customer.id, 'FAILED_LOGIN_ATTEMPT')
    expect(await calls.untrust(payee.id)).toMatchObject({ status: 423, body: { code: 'ACCOUNT_LOCKED' } })
    const moved = await api.PATCH('/customers/{customerId}', {
      params: { path: { customerId: customer.id as never } },
      body: { customerType: 'INDIVIDUAL', region: 'US' } as never,
    })
    expect(moved.response.status).toBe(200)
    // Whether it is for the customer at all comes before its lock.
    expect(await calls.untrust(payee.id)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(await calls.deleteAccount(payee.id)).toMatchObject({ status: 204 })
  })
})
