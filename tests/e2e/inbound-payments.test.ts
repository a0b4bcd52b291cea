import type { CorridorClient } from '@corridor/sdk/index.ts'
import {
  type Customer,
  createCustomer,
  createPayee,
  createQuote,
  internalAccountOf,
  must,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

let server: TestServer
let platform: Awaited<ReturnType<TestServer['platform']>>
let api: CorridorClient
let customer: Customer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  platform = await server.platform()
  api = server.client(platform)
  customer = await createCustomer(api)
})
afterEach(() => server.expectSoundLedger())

interface Arriving {
  reference?: string
  currency: string
  amount: number
  railReference?: string
}
const arrive = (body: Arriving) => must(api.POST('/sandbox/inbound-payments', { body }))
const balance = async (currency: string) =>
  (await internalAccountOf(api, customer.id, currency)).balance.amount
const types = async () => (await server.events(platform)).map(({ type }) => type)

async function fundedQuote() {
  const payee = await createPayee(api, 'MXN', '646180110400000891', { customerId: customer.id })
  const quote = await createQuote(api, {
    source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id, currency: 'USD' },
    destination: { destinationType: 'ACCOUNT', accountId: payee.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
  } as never)
  const { reference } = quote.paymentInstructions![0]!.accountOrWalletInfo as { reference: string }
  const status = async () => {
    const path = { params: { path: { transactionId: quote.transactionId } } }
    return must(api.GET('/transactions/{transactionId}', path))
  }
  return { quote, reference, status }
}

describe('a deposit', () => {
  it('credits the account whose reference it carries, once however often it is told', async () => {
    const usd = await internalAccountOf(api, customer.id, 'USD')
    const { reference } = usd.fundingPaymentInstructions[0]!.accountOrWalletInfo as { reference: string }
    const deposit = { reference, currency: 'USD', amount: 12_345, railReference: 'fed-1' }
    const first = await arrive(deposit)
    expect(first).toMatchObject({ outcome: 'CREDITED', transactionId: expect.any(String) })
    expect(await arrive(deposit)).toEqual(first)
    const many = await Promise.all(
      Array.from({ length: 8 }, () => arrive({ ...deposit, railReference: 'fed-2' })),
    )
    expect(new Set(many.map(({ transactionId }) => transactionId)).size).toBe(1)
    expect(await balance('USD')).toBe(24_690)
    expect((await types()).filter((type) => type === 'INCOMING_PAYMENT.COMPLETED')).toHaveLength(2)
  })

  it('credits a dollar account for a stablecoin at par, down to whole cents', async () => {
    const usd = await internalAccountOf(api, customer.id, 'USD')
    const { reference } = usd.fundingPaymentInstructions[0]!.accountOrWalletInfo as { reference: string }
    await arrive({ reference, currency: 'USDC', amount: 10_009_999 })
    expect(await balance('USD')).toBe(1_000)
    expect(await server.ledgerBalances(platform)).toMatchObject({ 'fx:USDC': 10_009_999n, 'fx:USD': -1_000n })
  })

  it('waits in suspense without a known reference, and in an asset the account does not hold', async () => {
    const usd = await internalAccountOf(api, customer.id, 'USD')
    const { reference } = usd.fundingPaymentInstructions[0]!.accountOrWalletInfo as { reference: string }
    expect(await arrive({ reference: 'NOBODY', currency: 'USD', amount: 500 })).toEqual({
      outcome: 'SUSPENSE',
    })
    expect(await arrive({ currency: 'USD', amount: 70 })).toEqual({ outcome: 'SUSPENSE' })
    expect(await arrive({ reference, currency: 'EUR', amount: 900 })).toEqual({ outcome: 'SUSPENSE' })
    expect(await server.ledgerBalances(platform)).toMatchObject({ 'susp:USD': 570n, 'susp:EUR': 900n })
    expect((await must(api.GET('/transactions'))).totalCount).toBe(0)
    expect(await types()).toEqual([])
  })
})

describe('a payment for a realtime quote', () => {
  it('executes the quote when it is exact, and waits in suspense when it comes a second time', async () => {
    const { quote, reference, status } = await fundedQuote()
    expect(await arrive({ reference, currency: 'USD', amount: 10_000 })).toEqual({
      outcome: 'FUNDED_QUOTE',
      transactionId: quote.transactionId,
    })
    await server.settle()
    expect(await status()).toMatchObject({ status: 'COMPLETED' })
    expect(await arrive({ reference, currency: 'USD', amount: 10_000 })).toEqual({ outcome: 'SUSPENSE' })
    expect(await server.ledgerBalances(platform)).toMatchObject({ 'susp:USD': 10_000n })
  })

  it.each([9_999, 10_001])('fails and goes back when %i cents arrive for 10000', async (amount) => {
    const { reference, status } = await fundedQuote()
    expect(await arrive({ reference, currency: 'USD', amount })).toMatchObject({ outcome: 'REFUNDED' })
    await server.settle()
    expect(await status()).toMatchObject({
      status: 'FAILED',
      failureReason: 'FUNDING_AMOUNT_MISMATCH',
      refund: { status: 'COMPLETED' },
    })
    expect(await server.ledgerBalances(platform)).toEqual({})
  })

  it('goes back when it comes too late; the expired transaction shows the refund', async () => {
    const { reference, status } = await fundedQuote()
    await server.pass(5 * 60_000)
    expect(await status()).toMatchObject({ status: 'EXPIRED' })
    expect(await arrive({ reference, currency: 'USD', amount: 10_000 })).toMatchObject({
      outcome: 'REFUNDED',
    })
    await server.settle()
    expect(await status()).toMatchObject({ status: 'EXPIRED', refund: { status: 'COMPLETED' } })
    expect(await server.ledgerBalances(platform)).toEqual({})
    const told = (await types()).filter((type) => type.startsWith('OUTGOING_PAYMENT'))
    expect(told).toEqual([
      'OUTGOING_PAYMENT.EXPIRED',
      'OUTGOING_PAYMENT.REFUND_PENDING',
      'OUTGOING_PAYMENT.REFUND_COMPLETED',
    ])
  })

  it('counts as late the moment the quote has run out, before any sweep', async () => {
    const { reference, status } = await fundedQuote()
    server.world.passMs(5 * 60_000)
    expect(await arrive({ reference, currency: 'USD', amount: 10_000 })).toMatchObject({
      outcome: 'REFUNDED',
    })
    await server.settle()
    expect(await status()).toMatchObject({ status: 'EXPIRED', refund: { status: 'COMPLETED' } })
  })
})
