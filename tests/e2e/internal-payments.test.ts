import {
  createCustomer,
  createQuote,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { paymentApi } from './payment-api.ts'

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

describe('payments between internal accounts (rows 12 and 13)', () => {
  it('converts between the accounts of one customer', async () => {
    const { api, customer, usd, balance, told } = await paymentApi(server)
    await fund(api, usd.id, 10_000)
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const quote = await createQuote(api, quoteBody(usd, eur, 10_000, { immediatelyExecute: true }))
    expect(quote).toMatchObject({ status: 'COMPLETED', totalReceivingAmount: 8_557 })
    expect(await balance('EUR')).toBe(8_557)
    expect(await told(quote.transactionId)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
  })

  it('come back from an account that would hold more than can be told', async () => {
    const { api, usd, balance, platform } = await paymentApi(server)
    const most = Number.MAX_SAFE_INTEGER
    const other = await createCustomer(api, { fullName: 'Ben Okafor' })
    const theirs = await internalAccountOf(api, other.id, 'USD')
    const { reference } = theirs.fundingPaymentInstructions[0]!.accountOrWalletInfo as { reference: string }
    const arrive = (amount: number) =>
      must(
        api.POST('/sandbox/inbound-payments', {
          body: { currency: 'USD', amount, railReference: `w-${amount}`, reference },
        }),
      )
    const half = 4_500_000_000_000_000
    expect(await arrive(half)).toMatchObject({ outcome: 'CREDITED' })
    expect(await arrive(most - 100 - half)).toMatchObject({ outcome: 'CREDITED' })
    expect(await arrive(101)).toMatchObject({ outcome: 'SUSPENSE' })
    const funded = await api.POST('/sandbox/internal-accounts/{accountId}/fund', {
      params: { path: { accountId: theirs.id } },
      body: { amount: 101 },
    })
    expect(funded.response.status).toBe(400)
    expect(funded.error).toMatchObject({
      code: 'AMOUNT_OUT_OF_RANGE',
      details: { min: 1, max: most, currency: 'USD' },
    })
    await fund(api, usd.id, 10_000)
    const pay = (amount: number) =>
      createQuote(api, quoteBody(usd, theirs, amount, { immediatelyExecute: true }))
    expect(await pay(101)).toMatchObject({ status: 'FAILED' })
    expect(await balance()).toBe(10_000)
    expect(await pay(100)).toMatchObject({ status: 'COMPLETED' })
    expect(await server.ledgerBalances(platform)).toMatchObject({ [`avail:${theirs.id}`]: BigInt(most) })
  })

  it('gives the receiving customer a record of their own', async () => {
    const { api, usd, balance } = await paymentApi(server)
    await fund(api, usd.id, 10_000)
    const other = await createCustomer(api, { fullName: 'Ben Okafor' })
    const theirs = await internalAccountOf(api, other.id, 'USD')
    const quote = await createQuote(api, quoteBody(usd, theirs, 4_000, { immediatelyExecute: true }))
    expect(quote).toMatchObject({
      status: 'COMPLETED',
      totalReceivingAmount: 4_000,
      exchangeRate: 1,
      feesIncluded: 0,
    })
    const received = await must(
      api.GET('/transactions', { params: { query: { customerId: other.id as never } } }),
    )
    expect(received.data).toMatchObject([
      {
        type: 'INCOMING',
        direction: 'CREDIT',
        status: 'COMPLETED',
        quoteId: quote.id,
        receivedAmount: { amount: 4_000 },
      },
    ])
    expect((await internalAccountOf(api, other.id, 'USD')).balance.amount).toBe(4_000)
    expect(await balance()).toBe(6_000)
  })

  it('refuses to pay an account from itself', async () => {
    const { api, usd } = await paymentApi(server)
    const refused = await api.POST('/quotes', { body: quoteBody(usd, usd, 100) })
    expect(refused.error).toMatchObject({ status: 400, code: 'SELF_PAYMENT' })
  })
})
