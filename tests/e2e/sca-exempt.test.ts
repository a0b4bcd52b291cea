import {
  createCustomer,
  createPayee,
  fund,
  internalAccountOf,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { scaApi } from './sca-api.ts'

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

const code = { code: '123456' }

describe('who never sees a challenge', () => {
  const outside = { region: 'US', fullName: 'Ana Lopez' }

  it('is a customer elsewhere, whatever the currency: every operation is a conflict, no body has a trace', async () => {
    const { calls, customer, payee, eur, platform } = await scaApi(server, { customer: outside })
    const body = quoteBody(eur, payee, 10_000, { scaFactor: 'TOTP' })
    const { body: quote } = await calls.createQuote(body)
    const executed = await calls.execute(quote.id, { scaFactor: 'TOTP' })
    expect(executed).toMatchObject({ status: 200, body: { status: 'PROCESSING' } })
    await server.settle()
    expect(await calls.quote(quote.id)).toMatchObject({ status: 'COMPLETED' })
    const answers = [
      await calls.factors(customer.id),
      await calls.enrol(customer.id, { type: 'TOTP' }),
      await calls.confirmFactor(customer.id, { type: 'TOTP', secret: 'x', code: '123456' }),
      await calls.deleteFactor(customer.id, 'x'),
      await calls.startLogin(customer.id),
      await calls.completeLogin(customer.id, { factor: 'SMS_OTP', code: '123456' }),
      await calls.recordEvent(customer.id, 'FAILED_LOGIN_ATTEMPT'),
      await calls.startReset(customer.id, 'SMS_OTP'),
      await calls.readReset(customer.id, 'ScaReset:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'),
      await calls.completeReset(customer.id, 'ScaReset:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'),
      await calls.authorize(quote.id, code),
      await calls.resend(quote.id),
      await calls.trust(payee.id),
      await calls.confirmTrust(payee.id, { challengeId: 'x', code: '123456' }),
      await calls.untrust(payee.id),
      await calls.confirmUntrust(payee.id, { challengeId: 'x', code: '123456' }),
    ]
    for (const { status, body } of answers) expect([status, body.code]).toEqual([409, 'CONFLICT'])
    expect(JSON.stringify([quote, executed.body, await server.events(platform)])).not.toMatch(
      /sca|AUTHORIZATION/i,
    )
    const { data: inbox } = await server.client(platform).GET('/sandbox/inbox', { params: { query: {} } })
    expect(inbox!.data).toEqual([])
  })

  it('is the platform itself, and a customer in the EEA whose payment is in neither EUR nor USDC', async () => {
    const { calls, api, customer } = await scaApi(server)
    const usd = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, usd.id, 10_000)
    const mexican = await createPayee(api, 'MXN', '646180110400000891', { customerId: customer.id })
    const { body: dollars } = await calls.createQuote(quoteBody(usd, mexican, 10_000))
    expect(await calls.execute(dollars.id)).toMatchObject({ body: { status: 'PROCESSING' } })
    expect(await calls.authorize(dollars.id, code)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })

    const { data: own } = await api.GET('/platform/internal-accounts', {})
    const euros = own!.data.find(({ balance }) => balance.currency.code === 'EUR')!
    await fund(api, euros.id, 10_000)
    const platformPayee = await createPayee(api, 'GBP', '12345892')
    const { body: quote } = await calls.createQuote(quoteBody(euros, platformPayee, 10_000))
    expect(await calls.execute(quote.id)).toMatchObject({ body: { status: 'PROCESSING' } })
    expect(await calls.authorize(quote.id, code)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    await server.settle()
  })

  it('is the platform that pays with its own money for a customer in the EEA', async () => {
    const { calls, api, customer, payee } = await scaApi(server)
    const { data: own } = await api.GET('/platform/internal-accounts', {})
    const euros = own!.data.find(({ balance }) => balance.currency.code === 'EUR')!
    await fund(api, euros.id, 10_000)
    const paidFor = (more: object) => {
      const body = quoteBody(euros, payee, 4_000, more)
      return calls.createQuote({ ...body, source: { ...body.source, customerId: customer.id } })
    }
    const { body: quote } = await paidFor({})
    const executed = await calls.execute(quote.id, { scaFactor: 'TOTP' })
    expect(executed).toMatchObject({ status: 200, body: { status: 'PROCESSING' } })
    expect(executed.body).not.toHaveProperty('scaChallenge')
    expect(await calls.authorize(quote.id, code)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    const atOnce = await paidFor({ immediatelyExecute: true })
    expect(atOnce.status).toBe(201)
    expect(atOnce.body).not.toHaveProperty('scaChallenge')
    await server.settle()
    expect(await calls.quote(quote.id)).toMatchObject({ status: 'COMPLETED' })
  })

  it('is told to use quotes instead of the deprecated transfers, when it authorizes its payments', async () => {
    const { api, customer, eur } = await scaApi(server)
    const iban = await createPayee(api, 'EUR', 'DE89370400440532013893', { customerId: customer.id })
    const usd = await internalAccountOf(api, customer.id, 'USD')
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    for (const [inner, outer] of [
      [eur, iban],
      [usd, bank],
    ] as const) {
      for (const [path, source, destination] of [
        ['/transfer-out', inner, outer],
        ['/transfer-in', outer, inner],
      ] as const) {
        const body = {
          source: { accountId: source.id },
          destination: { accountId: destination.id },
          amount: 100,
        }
        expect((await api.POST(path, { body: body as never })).error).toMatchObject({
          status: 409,
          code: 'CONFLICT',
          details: { reason: 'USE_QUOTES' },
        })
      }
    }
    const american = await createCustomer(api, { region: 'US' })
    const theirs = await internalAccountOf(api, american.id, 'EUR')
    await fund(api, theirs.id, 1_000)
    const payee = await createPayee(api, 'EUR', 'DE89370400440532013894', { customerId: american.id })
    const body = { source: { accountId: theirs.id }, destination: { accountId: payee.id }, amount: 100 }
    expect((await api.POST('/transfer-out', { body: body as never })).response.status).toBe(201)
    await server.settle()
  })
})
