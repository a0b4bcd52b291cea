import type { CorridorClient } from '@corridor/sdk/path-client.ts'
import {
  type Customer,
  createCustomer,
  createPayee,
  createQuote,
  internalAccountOf,
  must,
  openTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const server = await openTestServer()
let platform: Awaited<ReturnType<TestServer['platform']>>
let api: CorridorClient
let customer: Customer

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

async function fundedQuote({ ending = '891', customerId = customer.id } = {}) {
  const payee = await createPayee(api, 'MXN', `646180110400000${ending}`, { customerId })
  const quote = await createQuote(api, {
    source: { sourceType: 'REALTIME_FUNDING', customerId, currency: 'USD' },
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
    for (const other of [{ amount: 12_346 }, { currency: 'EUR' }]) {
      const { error } = await api.POST('/sandbox/inbound-payments', { body: { ...deposit, ...other } })
      expect(error).toMatchObject({
        status: 409,
        code: 'CONFLICT',
        details: { reason: 'RECORDED', id: 'sandbox/fed-1' },
      })
    }
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

  it.each([
    [1, 'USD', '0.01 USD'],
    [1_000_000, 'USD', '10,000.00 USD'],
    [90_000_000, 'USDC', '90.000000 USDC'],
    [500, 'EUR', '5.00 EUR'],
  ])('shows that %i %s go back, wherever the refund is shown', async (amount, code, text) => {
    const { quote, reference, status } = await fundedQuote()
    await arrive({ reference, currency: code, amount })
    await server.settle()
    const refund = { status: 'COMPLETED', amount: { amount, currency: { code } } }
    expect(await status()).toMatchObject({ sentAmount: { amount: 10_000 }, refund })
    const [listed] = (await must(api.GET('/transactions'))).data
    expect(listed).toMatchObject({ refund })
    const told = (await server.events(platform)).filter(({ type }) => type.includes('REFUND'))
    expect(told.map(({ data }) => (data as { refund: unknown }).refund)).toMatchObject([
      { ...refund, status: 'PENDING' },
      refund,
    ])
    const path = { params: { path: { id: quote.transactionId } } }
    expect((await must(api.GET('/explain/{id}', path))).sentence).toContain(`; all ${text} came back`)
  })

  it('shows the amount of a refund that came too late, in its own currency', async () => {
    const { reference, status } = await fundedQuote()
    await server.pass(5 * 60_000)
    await arrive({ reference, currency: 'EUR', amount: 700 })
    await server.settle()
    expect(await status()).toMatchObject({
      status: 'EXPIRED',
      refund: { amount: { amount: 700, currency: { code: 'EUR' } } },
    })
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

  it('takes the stablecoin that its instructions offer, at par', async () => {
    const { quote, reference, status } = await fundedQuote()
    expect(quote.paymentInstructions![1]!.accountOrWalletInfo).toMatchObject({ assetType: 'USDC' })
    expect(await arrive({ reference, currency: 'USDC', amount: 100_000_000 })).toMatchObject({
      outcome: 'FUNDED_QUOTE',
    })
    await server.settle()
    expect(await status()).toMatchObject({ status: 'COMPLETED', sentAmount: { amount: 10_000 } })
    expect(await server.ledgerBalances(platform)).toMatchObject({
      'rail:sandbox:USDC': -100_000_000n,
      'fx:USDC': 100_000_000n,
      'fx:USD': 9_950n - 10_000n,
      'fee:USD': 50n,
    })
  })

  it.each([
    ['too little', 99_990_000, 0],
    ['a fraction of a cent too much', 100_000_001, 0],
    ['too late', 100_000_000, 5 * 60_000],
  ])(
    'gives coins that came %s to the account of their asset, never to the wallet',
    async (_what, amount, afterMs) => {
      const { reference, status } = await fundedQuote()
      await server.pass(afterMs)
      expect(await arrive({ reference, currency: 'USDC', amount })).toMatchObject({ outcome: 'REFUNDED' })
      await server.settle()
      expect(await status()).toMatchObject({ refund: { status: 'COMPLETED' } })
      expect(await balance('USDC')).toBe(amount)
      expect(await balance('USD')).toBe(0)
      const updates = (await server.events(platform)).filter(({ type }) => type.endsWith('BALANCE_UPDATED'))
      expect(updates.at(-1)?.data).toMatchObject({ balance: { amount, currency: { code: 'USDC' } } })
    },
  )

  it('gives coins back as coins when the payout fails, to an account opened for them', async () => {
    const someone = await createCustomer(api, { fullName: 'Ben Okafor', currencies: ['USD'] })
    const { reference, status } = await fundedQuote({ ending: '004', customerId: someone.id })
    await arrive({ reference, currency: 'USDC', amount: 100_000_000 })
    await server.settle()
    expect(await status()).toMatchObject({
      status: 'FAILED',
      refund: { status: 'COMPLETED', amount: { amount: 100_000_000, currency: { code: 'USDC' } } },
    })
    const coins = await internalAccountOf(api, someone.id, 'USDC')
    expect(coins.balance.amount).toBe(100_000_000)
    expect(await server.ledgerBalances(platform)).toEqual({
      'rail:sandbox:USDC': -100_000_000n,
      [`avail:${coins.id}`]: 100_000_000n,
    })
  })

  it('sends another fiat currency back, also where coins were awaited', async () => {
    const payee = await createPayee(api, 'MXN', '646180110400000891', { customerId: customer.id })
    const quote = await createQuote(api, {
      source: {
        sourceType: 'REALTIME_FUNDING',
        customerId: customer.id,
        currency: 'USDC',
        cryptoNetwork: 'SOLANA',
      },
      destination: { destinationType: 'ACCOUNT', accountId: payee.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000_000,
    } as never)
    const path = { params: { path: { transactionId: quote.transactionId } } }
    const reserved = await must(api.GET('/transactions/{transactionId}', path))
    const { reference } = (reserved as { reconciliationInstructions: { reference: string } })
      .reconciliationInstructions
    await arrive({ reference, currency: 'EUR', amount: 900 })
    await server.settle()
    expect(await balance('EUR')).toBe(0)
    expect(await server.ledgerBalances(platform)).toEqual({})
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
