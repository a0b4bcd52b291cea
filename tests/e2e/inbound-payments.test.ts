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

async function fundedQuote({ suffix = '891', source = {} }: { suffix?: string; source?: object } = {}) {
  const payee = await createPayee(api, 'MXN', `646180110400000${suffix}`, { customerId: customer.id })
  const quote = await createQuote(api, {
    source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id, currency: 'USD', ...source },
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

/** The reference of a payment, which is that of its funding where it is funded by a payment. */
async function referenceOf(transactionId: string) {
  const path = { params: { path: { transactionId } } }
  const transaction = await must(api.GET('/transactions/{transactionId}', path))
  return (transaction as unknown as { reconciliationInstructions: { reference: string } })
    .reconciliationInstructions.reference
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

describe('coins for a dollar quote', () => {
  /** Ten thousand cents in USDC, which has six decimals. */
  const par = 100_000_000

  it('stand in for dollars at par', async () => {
    const { quote, reference, status } = await fundedQuote()
    expect(await arrive({ reference, currency: 'USDC', amount: par })).toEqual({
      outcome: 'FUNDED_QUOTE',
      transactionId: quote.transactionId,
    })
    await server.settle()
    expect(await status()).toMatchObject({
      status: 'COMPLETED',
      sentAmount: { amount: 10_000, currency: { code: 'USD' } },
    })
    expect(await balance('USDC')).toBe(0)
    expect(await server.ledgerBalances(platform)).toMatchObject({
      'rail:sandbox:USDC': -BigInt(par),
      'fx:USDC': BigInt(par),
      // The dollars for the coins, less what was converted: S - N.
      'fx:USD': -50n,
      'fee:USD': 50n,
    })
  })

  it('come back as coins when the payout fails, and leave no position', async () => {
    const { reference, status } = await fundedQuote({ suffix: '004' })
    await arrive({ reference, currency: 'USDC', amount: par })
    await server.settle()
    expect(await status()).toMatchObject({ status: 'FAILED', refund: { status: 'COMPLETED' } })
    expect(await balance('USDC')).toBe(par)
    expect(await balance('USD')).toBe(0)
    const { id } = await internalAccountOf(api, customer.id, 'USDC')
    expect(await server.ledgerBalances(platform)).toEqual({
      'rail:sandbox:USDC': -BigInt(par),
      [`avail:${id}`]: BigInt(par),
    })
    const told = (await server.events(platform)).at(-1)
    expect(told).toMatchObject({
      type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED',
      data: { id, balance: { amount: par } },
    })
  })

  it.each([par - 1, par + 1, 10_000])('of another worth fail it and are credited: %i', async (amount) => {
    const { reference, status } = await fundedQuote()
    expect(await arrive({ reference, currency: 'USDC', amount })).toMatchObject({ outcome: 'REFUNDED' })
    await server.settle()
    expect(await status()).toMatchObject({
      status: 'FAILED',
      failureReason: 'FUNDING_AMOUNT_MISMATCH',
      refund: { status: 'COMPLETED' },
    })
    expect(await balance('USDC')).toBe(amount)
  })

  it('that come too late are credited, to an account opened for them if need be', async () => {
    customer = await createCustomer(api, { fullName: 'Ben Okafor', currencies: ['USD'] })
    const { reference, status } = await fundedQuote()
    await server.pass(5 * 60_000)
    await arrive({ reference, currency: 'USDC', amount: par })
    await server.settle()
    expect(await status()).toMatchObject({ status: 'EXPIRED', refund: { status: 'COMPLETED' } })
    expect(await balance('USDC')).toBe(par)
  })
})

describe('another currency than the quote awaits', () => {
  it.each(['USDT', 'BTC'])('is credited when it is %s', async (currency) => {
    const { reference, status } = await fundedQuote()
    await arrive({ reference, currency, amount: 10_000 })
    await server.settle()
    expect(await status()).toMatchObject({ status: 'FAILED', failureReason: 'FUNDING_AMOUNT_MISMATCH' })
    expect(await balance(currency)).toBe(10_000)
  })

  it('goes back the way it came when it is money, also for a quote in coins', async () => {
    const { reference } = await fundedQuote()
    await arrive({ reference, currency: 'EUR', amount: 10_000 })
    const coins = await createQuote(api, {
      source: {
        sourceType: 'REALTIME_FUNDING',
        customerId: customer.id,
        currency: 'USDC',
        cryptoNetwork: 'SOLANA',
      },
      destination: {
        destinationType: 'ACCOUNT',
        accountId: (await internalAccountOf(api, customer.id, 'EUR')).id,
      },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000_000,
    } as never)
    const bookedUnder = await referenceOf(coins.transactionId)
    expect(await arrive({ reference: bookedUnder, currency: 'USD', amount: 1_000 })).toMatchObject({
      outcome: 'REFUNDED',
    })
    await server.settle()
    expect(await server.ledgerBalances(platform)).toEqual({})
  })
})
