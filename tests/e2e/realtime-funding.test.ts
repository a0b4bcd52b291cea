import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  internalAccountOf,
  openTestServer,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { clabe, paymentApi } from './payment-api.ts'

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

describe('a quote funded by a payment (16.6)', () => {
  async function start() {
    const payments = await paymentApi(server)
    const { api, customer } = payments
    return {
      ...payments,
      funded: (currency: string, destination: { id: string }, more: Record<string, unknown> = {}) => ({
        source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id, currency, ...more } as never,
        destination: { destinationType: 'ACCOUNT', accountId: destination.id } as never,
      }),
      send: (quoteId: string, currencyCode: string, currencyAmount?: number) =>
        api.POST('/sandbox/send', {
          body: { quoteId: quoteId as never, currencyCode, ...(currencyAmount ? { currencyAmount } : {}) },
        }),
      wallet: () => createPayee(api, 'SPARK', `spark1${'q'.repeat(58)}789`, { customerId: customer.id }),
    }
  }

  it('shows its transaction for whom it is and where to pay, before and after the money came', async () => {
    const { api, customer, transaction, funded, send, wallet, platform } = await start()
    const locked = { lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount: 100_000 } as const
    const quote = await createQuote(api, { ...funded('USD', await wallet()), ...locked })
    const expected = {
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: customer.id },
      paymentInstructions: quote.paymentInstructions,
    }
    expect(await transaction(quote.transactionId)).toMatchObject(expected)
    expect((await send(quote.id, 'USD')).data).toMatchObject(expected)
    expect(await transaction(quote.transactionId)).toMatchObject(expected)
    const listed = await api.GET('/transactions', {
      params: { query: { customerId: [customer.id as never] } },
    })
    expect(listed.data!.data).toMatchObject([expected])

    const own = await createQuote(api, {
      ...funded('USD', await createPayee(api, 'MXN', clabe('891')), { customerId: undefined }),
      ...locked,
    })
    const customerId = `PlatformConfig:${platform.platformId}`
    expect(await transaction(own.transactionId)).toMatchObject({ source: { customerId } })
  })

  it('tells where to pay, executes itself when the exact amount arrives, and takes it once', async () => {
    const { api, balance, transaction, told, funded, send, wallet } = await start()
    const quote = await createQuote(api, {
      ...funded('USD', await wallet()),
      lockedCurrencySide: 'RECEIVING',
      lockedCurrencyAmount: 100_000,
    })
    expect(quote).toMatchObject({
      status: 'PENDING',
      totalSendingAmount: 9_548,
      totalReceivingAmount: 100_000,
      exchangeRate: 95_000,
      feesIncluded: 48,
      paymentInstructions: [
        { accountOrWalletInfo: { accountType: 'US_ACCOUNT', accountCategory: 'CHECKING' } },
        { accountOrWalletInfo: { accountType: 'SOLANA_WALLET', assetType: 'USDC' } },
      ],
    })
    const { reference } = quote.paymentInstructions![0]!.accountOrWalletInfo as { reference: string }
    expect(quote.paymentInstructions![0]!.instructionsNotes).toContain(reference)
    expect((await execute(api, quote.id)).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expect((await send(quote.id, 'EUR')).error).toMatchObject({ status: 400, code: 'INVALID_CURRENCY' })
    expect((await send(quote.id, 'USD')).data).toMatchObject({
      id: quote.transactionId,
      status: 'PROCESSING',
      reconciliationInstructions: { reference },
    })
    expect((await send(quote.id, 'USD')).error).toMatchObject({ status: 409, code: 'CONFLICT' })
    await server.settle()
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'COMPLETED', paymentRail: null })
    expect(await told(quote.transactionId)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
    expect(await balance()).toBe(0)
  })

  it('fails and gives back another amount: fiat to where it came from', async () => {
    const { platform, api, balance, transaction, statusOfQuote, funded, send, wallet } = await start()
    const body = { lockedCurrencySide: 'RECEIVING' as const, lockedCurrencyAmount: 100_000 }
    const quote = await createQuote(api, { ...funded('USD', await wallet()), ...body })
    expect((await send(quote.id, 'USD', 9_000)).data).toMatchObject({
      status: 'FAILED',
      failureReason: 'FUNDING_AMOUNT_MISMATCH',
    })
    await server.settle()
    expect(await transaction(quote.transactionId)).toMatchObject({
      status: 'FAILED',
      refund: { status: 'COMPLETED', reason: 'TRANSACTION_FAILED' },
    })
    expect(await statusOfQuote(quote.id)).toBe('FAILED')
    expect(await balance()).toBe(0)
    expect(await server.ledgerBalances(platform)).toEqual({})
  })

  it('gives crypto back to the internal account of its asset, opened when there is none', async () => {
    const { api, funded, send } = await start()
    const someone = await createCustomer(api, { fullName: 'Ben Okafor', currencies: ['USD'] })
    const payee = await createPayee(api, 'SPARK', `spark1${'q'.repeat(58)}788`, { customerId: someone.id })
    const quote = await createQuote(api, {
      ...funded('USDC', payee, { cryptoNetwork: 'SOLANA', customerId: someone.id }),
      lockedCurrencySide: 'RECEIVING',
      lockedCurrencyAmount: 100_000,
    })
    expect((await send(quote.id, 'USDC', 90_000_000)).data).toMatchObject({ status: 'FAILED' })
    await server.settle()
    expect((await internalAccountOf(api, someone.id, 'USDC')).balance.amount).toBe(90_000_000)
  })

  it('follows the outcome of the destination, and expires unfunded', async () => {
    const { platform, api, customer, balance, statusOfQuote, told, funded, send } = await start()
    const payee = await createPayee(api, 'MXN', clabe('004'), { customerId: customer.id })
    const body = { lockedCurrencySide: 'SENDING' as const, lockedCurrencyAmount: 10_000 }
    const quote = await createQuote(api, { ...funded('USD', payee), ...body })
    await send(quote.id, 'USD')
    await server.settle()
    expect(await told(quote.transactionId)).toEqual([
      'PENDING',
      'PROCESSING',
      'FAILED',
      'REFUND_PENDING',
      'REFUND_COMPLETED',
    ])
    // What was paid in goes back the way it came, not to the customer's balance (10.5).
    expect(await balance()).toBe(0)
    expect(await server.ledgerBalances(platform)).toEqual({})
    const late = await createQuote(api, { ...funded('USD', payee), ...body })
    await server.pass(5 * 60_000)
    expect(await statusOfQuote(late.id)).toBe('EXPIRED')
    expect((await send(late.id, 'USD')).error).toMatchObject({ status: 409, code: 'QUOTE_EXPIRED' })
  })

  it('needs a currency that arrives at once, and a network for stablecoins', async () => {
    const { api, funded, wallet } = await start()
    const payee = await wallet()
    const body = { lockedCurrencySide: 'SENDING' as const, lockedCurrencyAmount: 10_000_000 }
    const slow = await api.POST('/quotes', { body: { ...funded('PHP', payee), ...body } })
    expect(slow.error).toMatchObject({ status: 400, code: 'INVALID_CURRENCY' })
    const chainless = await api.POST('/quotes', { body: { ...funded('USDC', payee), ...body } })
    expect(chainless.error).toMatchObject({ status: 400, details: { field: 'source.cryptoNetwork' } })
    const wrong = await api.POST('/quotes', {
      body: { ...funded('USDC', payee, { cryptoNetwork: 'TRON' }), ...body },
    })
    expect(wrong.error).toMatchObject({ status: 400, details: { field: 'source.cryptoNetwork' } })
  })
})
