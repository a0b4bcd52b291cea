import type { CorridorClient } from '@corridor/sdk/index.ts'
import {
  type Customer,
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  quoteBody,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

let server: TestServer
let platform: Awaited<ReturnType<TestServer['platform']>>
let api: CorridorClient
let customer: Customer
let usd: { id: string }

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  platform = await server.platform()
  api = server.client(platform)
  customer = await createCustomer(api)
  usd = await internalAccountOf(api, customer.id, 'USD')
})
afterEach(() => server.expectSoundLedger())

async function balance(currency = 'USD') {
  const account = await internalAccountOf(api, customer.id, currency)
  expect(account.totalBalance.amount).toBe(account.balance.amount)
  return account.balance.amount
}

async function transaction(transactionId: string) {
  return must(api.GET('/transactions/{transactionId}', { params: { path: { transactionId } } }))
}

async function statusOfQuote(quoteId: string) {
  return (await must(api.GET('/quotes/{quoteId}', { params: { path: { quoteId } } }))).status
}

/** What callers were told of a transaction, in order. */
async function told(transactionId: string) {
  const events = await server.events(platform)
  return events.filter(({ data }) => data.id === transactionId).map(({ type }) => type.split('.')[1])
}

const clabe = (suffix: string) => `646180110400000${suffix}`

describe('outcomes of a quote, by the ending of the payee (12.4)', () => {
  const cases = [
    { suffix: '891', ends: 'COMPLETED', tells: ['PENDING', 'PROCESSING', 'COMPLETED'], costs: 30_000 },
    {
      suffix: '002',
      ends: 'FAILED',
      reason: 'QUOTE_EXECUTION_FAILED',
      tells: ['PENDING', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED'],
      costs: 0,
    },
    {
      suffix: '004',
      ends: 'FAILED',
      reason: 'ACCOUNT_CANNOT_RECEIVE',
      tells: ['PENDING', 'PROCESSING', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED'],
      costs: 0,
    },
    {
      suffix: '006',
      ends: 'COMPLETED',
      tells: ['PENDING', 'PROCESSING', 'REFUND_PENDING', 'REFUND_COMPLETED', 'COMPLETED'],
      refund: { status: 'COMPLETED', reason: 'USER_CANCELLATION' },
      costs: 0,
    },
    {
      suffix: '007',
      ends: 'FAILED',
      reason: 'ACCOUNT_CANNOT_RECEIVE',
      tells: ['PENDING', 'PROCESSING', 'FAILED', 'REFUND_PENDING', 'REFUND_FAILED'],
      refund: { status: 'FAILED' },
      costs: 30_000,
    },
    { suffix: '103', ends: 'COMPLETED', tells: ['PENDING', 'PROCESSING', 'COMPLETED'], costs: 30_000 },
  ]
  it.each(cases)(
    '$suffix ends $ends after $tells',
    async ({ suffix, ends, reason, tells, refund, costs }) => {
      await fund(api, usd.id, 100_000)
      const payee = await createPayee(api, 'MXN', clabe(suffix), { customerId: customer.id })
      const quote = await createQuote(api, quoteBody(usd, payee, 30_000))
      await execute(api, quote.id)
      await server.settle()
      const ended = await transaction(quote.transactionId)
      expect(ended).toMatchObject({ status: ends, ...(refund ? { refund } : {}) })
      expect('failureReason' in ended ? ended.failureReason : undefined).toBe(reason)
      expect('settledAt' in ended).toBe(ends === 'COMPLETED')
      expect(await told(quote.transactionId)).toEqual(tells)
      expect(await statusOfQuote(quote.id)).toBe(ends)
      expect(await balance()).toBe(100_000 - costs)
    },
  )

  const immediate = [
    { suffix: '891', answers: 'COMPLETED', ends: 'COMPLETED' },
    { suffix: '002', answers: 'FAILED', ends: 'FAILED' },
    { suffix: '003', answers: 'PROCESSING', ends: 'COMPLETED' },
    { suffix: '004', answers: 'FAILED', ends: 'FAILED' },
    { suffix: '005', answers: 'COMPLETED', ends: 'FAILED' },
    { suffix: '006', answers: 'COMPLETED', ends: 'COMPLETED' },
    { suffix: '007', answers: 'FAILED', ends: 'FAILED' },
  ]
  it.each(immediate)(
    '$suffix answers $answers when executed at once, and ends $ends',
    async ({ suffix, answers, ends }) => {
      await fund(api, usd.id, 100_000)
      const payee = await createPayee(api, 'MXN', clabe(suffix), { customerId: customer.id })
      const quote = await createQuote(api, quoteBody(usd, payee, 30_000, { immediatelyExecute: true }))
      expect(quote.status).toBe(answers)
      expect(await transaction(quote.transactionId)).toMatchObject({ status: answers })
      await server.pass(360_000)
      expect(await statusOfQuote(quote.id)).toBe(ends)
      expect(await transaction(quote.transactionId)).toMatchObject({ status: ends })
    },
  )
})

describe('a payout and its refund both fail (16.8)', () => {
  it('leaves the money in suspense and undoes every fee', async () => {
    await fund(api, usd.id, 30_000)
    const payee = await createPayee(api, 'MXN', '646180110400000007', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 30_000))
    expect(quote).toMatchObject({ totalReceivingAmount: 543_270, feesIncluded: 150 })
    await execute(api, quote.id)
    await server.settle()
    const ended = await transaction(quote.transactionId)
    expect(ended).toMatchObject({ refund: { status: 'FAILED' } })
    expect(ended).not.toHaveProperty('refund.settledAt')
    expect(await balance()).toBe(0)
    const ledger = await server.ledgerBalances(platform)
    expect(ledger).toMatchObject({ 'susp:USD': 30_000n })
    expect(ledger).not.toHaveProperty('fee:USD')
    expect(ledger).not.toHaveProperty('fx:USD')
    expect((await told(quote.transactionId)).at(-1)).toBe('REFUND_FAILED')
  })
})

describe('a payment that the bank returns (16.7)', () => {
  it('completes, then fails two seconds later and gives everything back', async () => {
    const btc = await internalAccountOf(api, customer.id, 'BTC')
    await fund(api, btc.id, 2_000_000)
    const before = await server.ledgerBalances(platform)
    const payee = await createPayee(api, 'USD', '000123450005', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(btc, payee, 1_000_000))
    expect(quote).toMatchObject({ totalReceivingAmount: 94_525, exchangeRate: 0.000010526316 })
    await execute(api, quote.id)
    await server.settle()
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'COMPLETED' })
    expect(await balance('BTC')).toBe(1_000_000)
    await server.pass(2_000)
    const returned = await transaction(quote.transactionId)
    expect(returned).toMatchObject({ status: 'FAILED', failureReason: 'PAYOUT_RETURNED' })
    expect(returned).not.toHaveProperty('settledAt')
    expect(await told(quote.transactionId)).toEqual([
      'PENDING',
      'PROCESSING',
      'COMPLETED',
      'FAILED',
      'REFUND_PENDING',
      'REFUND_COMPLETED',
    ])
    expect(await statusOfQuote(quote.id)).toBe('FAILED')
    expect(await balance('BTC')).toBe(2_000_000)
    expect(await server.ledgerBalances(platform)).toEqual(before)
  })

  it('before it is delivered never completes, and gives everything back', async () => {
    await fund(api, usd.id, 30_000)
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 30_000))
    const rail = server.engine.adapters.SANDBOX.rail('SPEI')!
    const returning = vi
      .spyOn(server.engine.adapters.SANDBOX, 'rail')
      .mockReturnValue({ ...rail, fetchPayout: async () => ({ status: 'RETURNED' }) })
    try {
      await execute(api, quote.id)
      await server.settle()
    } finally {
      returning.mockRestore()
    }
    expect(await transaction(quote.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'PAYOUT_RETURNED',
      refund: { status: 'COMPLETED' },
    })
    expect(await told(quote.transactionId)).not.toContain('COMPLETED')
    expect(await balance()).toBe(30_000)
  })
})

describe('cancellation (16.9)', () => {
  it('stops a slow payment once, and refunds it', async () => {
    await fund(api, usd.id, 50_000)
    const payee = await createPayee(api, 'GBP', '12345003', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 50_000))
    expect(quote.totalReceivingAmount).toBe(37_561)
    await execute(api, quote.id)
    await server.settle()
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'PROCESSING' })

    const cancel = () =>
      api.POST('/transactions/{transactionId}/cancel', {
        params: { path: { transactionId: quote.transactionId } },
        body: { reason: 'duplicate invoice' },
      })
    expect((await cancel()).data).toMatchObject({
      status: 'PROCESSING',
      refund: { status: 'PENDING', reason: 'USER_CANCELLATION' },
    })
    await server.settle()
    expect((await told(quote.transactionId)).slice(-3)).toEqual([
      'REFUND_PENDING',
      'REFUND_COMPLETED',
      'COMPLETED',
    ])
    expect(await balance()).toBe(50_000)
    expect((await cancel()).error).toMatchObject({ status: 409, code: 'TRANSACTION_NOT_CANCELLABLE' })
  })

  it('comes too late for a completed payment; without it a slow one completes after six minutes', async () => {
    await fund(api, usd.id, 50_000)
    const payee = await createPayee(api, 'GBP', '12345003', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 50_000))
    await execute(api, quote.id)
    await server.settle()
    await server.pass(359_000)
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'PROCESSING' })
    await server.pass(1_000)
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'COMPLETED' })
    const late = await api.POST('/transactions/{transactionId}/cancel', {
      params: { path: { transactionId: quote.transactionId } },
    })
    expect(late.error).toMatchObject({ status: 409, code: 'TRANSACTION_NOT_CANCELLABLE' })
  })

  it('is never offered for crypto', async () => {
    await fund(api, usd.id, 20_000)
    const payee = await createPayee(api, 'SOLANA', `${'7'.repeat(40)}889`, { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 20_000, { immediatelyExecute: true }))
    expect(quote).toMatchObject({ status: 'COMPLETED', totalReceivingAmount: 199_790_000, feesIncluded: 21 })
    const refused = await api.POST('/transactions/{transactionId}/cancel', {
      params: { path: { transactionId: quote.transactionId } },
    })
    expect(refused.error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expect(await server.ledgerBalances(platform)).toMatchObject({ 'netfee:USD': 1n, 'fee:USD': 20n })
  })
})

describe('transfers (16.10)', () => {
  const transferIn = (external: { id: string }, amount: number) =>
    api.POST('/transfer-in', {
      body: {
        source: { accountId: external.id as never },
        destination: { accountId: usd.id as never },
        amount,
      },
    })
  const transferOut = (external: { id: string }, amount: number) =>
    api.POST('/transfer-out', {
      body: {
        source: { accountId: usd.id as never },
        destination: { accountId: external.id as never },
        amount,
      },
    })

  it('pulls money in, credited only once it has settled', async () => {
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const { data, response } = await transferIn(bank, 12_550)
    expect(response.status).toBe(201)
    expect(response.headers.get('deprecation')).toBe('true')
    expect(response.headers.get('link')).toContain('/quotes>; rel="successor-version"')
    expect(data).toMatchObject({
      status: 'PENDING',
      type: 'INCOMING',
      direction: 'CREDIT',
      sentAmount: { amount: 12_550 },
      receivedAmount: { amount: 12_550 },
    })
    expect(await balance()).toBe(0)
    await server.settle()
    expect(await transaction(data!.id)).toMatchObject({ status: 'COMPLETED' })
    expect(await balance()).toBe(12_550)
    expect(await told(data!.id)).toEqual(['PENDING', 'COMPLETED'])
  })

  const refused = [
    { suffix: '002', afterMs: 0 },
    { suffix: '003', afterMs: 0 },
    { suffix: '004', afterMs: 0 },
    { suffix: '005', afterMs: 30_000 },
  ]
  it.each(refused)(
    'fails a pull from …$suffix after $afterMs ms, with nothing to refund',
    async ({ suffix, afterMs }) => {
      const bank = await createPayee(api, 'USD', `000123456${suffix}`, { customerId: customer.id })
      const { data } = await transferIn(bank, 12_550)
      await server.settle()
      if (afterMs > 0) {
        expect(await transaction(data!.id)).toMatchObject({ status: 'PENDING' })
        await server.pass(afterMs)
      }
      const ended = await transaction(data!.id)
      expect(ended).toMatchObject({ status: 'FAILED', failureReason: 'COLLECTION_FAILED' })
      expect(ended).not.toHaveProperty('refund')
      expect(await balance()).toBe(0)
    },
  )

  const outgoing = [
    {
      suffix: '002',
      reason: 'QUOTE_EXECUTION_FAILED',
      tells: ['PENDING', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED'],
    },
    {
      suffix: '003',
      reason: 'ACCOUNT_INVALID',
      tells: ['PENDING', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED'],
    },
    {
      suffix: '004',
      reason: 'ACCOUNT_CANNOT_RECEIVE',
      tells: ['PENDING', 'PROCESSING', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED'],
    },
  ]
  it.each(['006', '007', '102'])('knows no outcome but success for …%s', async (suffix) => {
    await fund(api, usd.id, 20_000)
    const bank = await createPayee(api, 'USD', `000123456${suffix}`, { customerId: customer.id })
    const pulled = await transferIn(bank, 12_550)
    const paid = await transferOut(bank, 12_550)
    await server.settle()
    for (const { data } of [pulled, paid]) {
      const ended = await transaction(data!.id)
      expect(ended).toMatchObject({ status: 'COMPLETED' })
      expect(ended).not.toHaveProperty('refund')
    }
    expect(await balance()).toBe(20_000)
  })

  it.each(outgoing)('gives back a transfer to …$suffix', async ({ suffix, reason, tells }) => {
    await fund(api, usd.id, 20_000)
    const bank = await createPayee(api, 'USD', `000123456${suffix}`, { customerId: customer.id })
    const { data } = await transferOut(bank, 12_550)
    expect(data).toMatchObject({ status: 'PENDING', type: 'OUTGOING', direction: 'DEBIT' })
    expect(await balance()).toBe(7_450)
    await server.settle()
    expect(await transaction(data!.id)).toMatchObject({ status: 'FAILED', failureReason: reason })
    expect(await told(data!.id)).toEqual(tells)
    expect(await balance()).toBe(20_000)
  })

  it('holds a slow failure for thirty seconds, then refunds it as a timeout', async () => {
    await fund(api, usd.id, 20_000)
    const bank = await createPayee(api, 'USD', '000123456005', { customerId: customer.id })
    const { data } = await transferOut(bank, 12_550)
    await server.settle()
    expect(await transaction(data!.id)).toMatchObject({ status: 'PENDING' })
    expect(await balance()).toBe(7_450)
    await server.pass(30_000)
    expect(await transaction(data!.id)).toMatchObject({
      status: 'FAILED',
      failureReason: 'QUOTE_EXECUTION_FAILED',
      refund: { status: 'COMPLETED', reason: 'TIMEOUT' },
    })
    expect(await balance()).toBe(20_000)
  })

  it('takes one currency only, accounts of the right kind, and no more than there is', async () => {
    await fund(api, usd.id, 1_000)
    const iban = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
    expect((await transferOut(iban, 100)).error).toMatchObject({ status: 400, code: 'INVALID_CURRENCY' })
    expect((await transferIn(usd, 100)).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const short = await transferOut(bank, 1_001)
    expect(short.error).toMatchObject({
      status: 400,
      code: 'INSUFFICIENT_BALANCE',
      details: { shortfall: 1 },
    })
    expect(short.response.headers.get('deprecation')).toBe('true')
    const unknown = await transferOut(
      { id: `ExternalAccount:${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}` },
      100,
    )
    expect(unknown.error).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    expect((await transferOut(bank, 0)).error).toMatchObject({ status: 400, code: 'INVALID_AMOUNT' })
  })
})

describe('a quote funded by a payment (16.6)', () => {
  const funded = (currency: string, destination: { id: string }, more: Record<string, unknown> = {}) => ({
    source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id, currency, ...more } as never,
    destination: { destinationType: 'ACCOUNT', accountId: destination.id } as never,
  })
  const send = (quoteId: string, currencyCode: string, currencyAmount?: number) =>
    api.POST('/sandbox/send', {
      body: { quoteId: quoteId as never, currencyCode, ...(currencyAmount ? { currencyAmount } : {}) },
    })
  const wallet = () => createPayee(api, 'SPARK', `spark1${'q'.repeat(58)}789`, { customerId: customer.id })

  it('tells where to pay, executes itself when the exact amount arrives, and takes it once', async () => {
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

describe('an identifier with an @', () => {
  const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Asha Rao' }
  const registered = (currency: string, accountInfo: object) =>
    api.POST('/customers/external-accounts', {
      body: { customerId: customer.id, currency, accountInfo } as never,
    })
  it.each([
    ['INR', (name: string) => ({ accountType: 'INR_ACCOUNT', vpa: `${name}@upi`, beneficiary })],
    ['BTC', (name: string) => ({ accountType: 'LIGHTNING', lightningAddress: `${name}@wallet.example` })],
  ] as const)('has its ending before it: %s', async (currency, info) => {
    await fund(api, usd.id, 100_000)
    const failing = await must(registered(currency, info('asha.004')))
    const quote = await createQuote(api, quoteBody(usd, failing, 10_000, { immediatelyExecute: true }))
    expect(quote.status).toBe('FAILED')
    expect(await transaction(quote.transactionId)).toMatchObject({ failureReason: 'ACCOUNT_CANNOT_RECEIVE' })
    const fine = await must(registered(currency, info('asha')))
    const paid = await createQuote(api, quoteBody(usd, fine, 10_000, { immediatelyExecute: true }))
    expect(paid.status).toBe('COMPLETED')
  })

  it('decides the check of a name as well', async () => {
    const vpa = (name: string) => ({ accountType: 'INR_ACCOUNT', vpa: `${name}@bank105`, beneficiary })
    expect((await registered('INR', vpa('asha.105'))).error).toMatchObject({ code: 'INVALID_BANK_ACCOUNT' })
    expect((await registered('INR', vpa('asha.102'))).data).toMatchObject({
      status: 'ACTIVE',
      beneficiaryVerificationStatus: 'NOT_MATCHED',
    })
    expect((await registered('INR', vpa('asha'))).data).toMatchObject({
      beneficiaryVerificationStatus: 'MATCHED',
    })
  })
})

describe('a quote that pulls its money (16.11)', () => {
  it('into an account of ours is money coming in, credited once it has settled', async () => {
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const quote = await createQuote(api, quoteBody(bank, eur, 10_000))
    await execute(api, quote.id)
    const shown = { type: 'INCOMING', direction: 'CREDIT', quoteId: quote.id }
    expect(await transaction(quote.transactionId)).toMatchObject({ ...shown, status: 'PENDING' })
    expect(await balance('EUR')).toBe(0)
    await server.settle()
    expect(await transaction(quote.transactionId)).toMatchObject({ ...shown, status: 'COMPLETED' })
    expect(await statusOfQuote(quote.id)).toBe('COMPLETED')
    expect(await balance('EUR')).toBe(8_557)
    const types = (await server.events(platform)).map(({ type }) => type)
    expect(types).toEqual([
      'INCOMING_PAYMENT.PENDING',
      'INCOMING_PAYMENT.COMPLETED',
      'INTERNAL_ACCOUNT.BALANCE_UPDATED',
    ])
  })

  it('into an account of ours fails by the table of transfers, and credits nothing', async () => {
    const bank = await createPayee(api, 'USD', '000123456005', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(bank, usd, 10_000))
    await execute(api, quote.id)
    await server.settle()
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'PENDING' })
    await server.pass(30_000)
    const ended = await transaction(quote.transactionId)
    expect(ended).toMatchObject({ status: 'FAILED', failureReason: 'COLLECTION_FAILED', direction: 'CREDIT' })
    expect(ended).not.toHaveProperty('refund')
    expect(await statusOfQuote(quote.id)).toBe('FAILED')
    expect(await balance()).toBe(0)
  })

  it('into an account of ours expires as every quote does, before the sweep as after it', async () => {
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(bank, usd, 10_000))
    server.world.passMs(15 * 60_000)
    const before = await transaction(quote.transactionId)
    expect(before).toMatchObject({ status: 'EXPIRED', type: 'OUTGOING' })
    await server.settle()
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'EXPIRED', type: 'OUTGOING' })
    expect(await told(quote.transactionId)).toEqual(['EXPIRED'])
  })

  it('moves no internal balance when it succeeds', async () => {
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const payee = await createPayee(api, 'BRL', 'lia.789@mail.example', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(bank, payee, 40_000))
    expect(quote.totalReceivingAmount).toBe(212_930)
    expect((await execute(api, quote.id)).data).toMatchObject({ status: 'PROCESSING' })
    await server.settle()
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'COMPLETED', type: 'OUTGOING' })
    expect(await balance()).toBe(0)
    expect(await server.ledgerBalances(platform)).toEqual({
      'rail:ACH:USD': -40_000n,
      'fee:USD': 200n,
      'fx:USD': 39_800n,
      'fx:BRL': -212_930n,
      'rail:PIX:BRL': 212_930n,
    })
  })

  it('fails without a refund when nothing could be collected', async () => {
    const bank = await createPayee(api, 'USD', '000123456002', { customerId: customer.id })
    const payee = await createPayee(api, 'BRL', 'lia.789@mail.example', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(bank, payee, 40_000))
    await execute(api, quote.id)
    await server.settle()
    const ended = await transaction(quote.transactionId)
    expect(ended).toMatchObject({ status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED' })
    expect(ended).not.toHaveProperty('refund')
    expect(await server.ledgerBalances(platform)).toEqual({})
  })

  it('refunds to the internal account when only the payout failed', async () => {
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const payee = await createPayee(api, 'BRL', 'lia.004@mail.example', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(bank, payee, 40_000))
    await execute(api, quote.id)
    await server.settle()
    expect(await transaction(quote.transactionId)).toMatchObject({
      status: 'FAILED',
      refund: { status: 'COMPLETED' },
    })
    expect(await balance()).toBe(40_000)
  })
})

describe('a payment in one currency (row 1)', () => {
  it('costs nothing and converts nothing', async () => {
    await fund(api, usd.id, 10_000)
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, bank, 4_000, { immediatelyExecute: true }))
    expect(quote).toMatchObject({
      status: 'COMPLETED',
      exchangeRate: 1,
      feesIncluded: 0,
      totalSendingAmount: 4_000,
      totalReceivingAmount: 4_000,
    })
    expect(await server.ledgerBalances(platform)).toEqual({
      'rail:sandbox:USD': -10_000n,
      [`avail:${usd.id}`]: 6_000n,
      'rail:RTP:USD': 4_000n,
    })
  })
})

describe('payments between internal accounts (rows 12 and 13)', () => {
  it('converts between the accounts of one customer', async () => {
    await fund(api, usd.id, 10_000)
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const quote = await createQuote(api, quoteBody(usd, eur, 10_000, { immediatelyExecute: true }))
    expect(quote).toMatchObject({ status: 'COMPLETED', totalReceivingAmount: 8_557 })
    expect(await balance('EUR')).toBe(8_557)
    expect(await told(quote.transactionId)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
  })

  it('gives the receiving customer a record of their own', async () => {
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
    const refused = await api.POST('/quotes', { body: quoteBody(usd, usd, 100) })
    expect(refused.error).toMatchObject({ status: 400, code: 'SELF_PAYMENT' })
  })
})

describe('limits', () => {
  it('counts a corridor by the day at execution, and gives back what failed', async () => {
    platform = await server.platform({ settings: { maxDailyUsdAmount: 50_000 } })
    api = server.client(platform)
    customer = await createCustomer(api)
    usd = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, usd.id, 500_000)
    const good = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    const bad = await createPayee(api, 'MXN', clabe('004'), { customerId: customer.id })
    const pay = async (payee: { id: string }, amount: number) => {
      const quote = await createQuote(api, quoteBody(usd, payee, amount))
      const answer = await execute(api, quote.id)
      await server.settle()
      return answer
    }
    expect((await pay(good, 30_000)).response.status).toBe(200)
    expect((await pay(bad, 20_000)).response.status).toBe(200)
    const refused = await pay(good, 20_001)
    expect(refused.error).toMatchObject({
      status: 429,
      code: 'DAILY_VOLUME_LIMIT_EXCEEDED',
      details: { limit: 50_000, used: 30_000, currency: 'USD' },
    })
    expect(refused.response.headers.get('retry-after')).toBeNull()
    expect(refused.response.headers.get('x-should-retry')).toBe('false')
    expect((await pay(good, 20_000)).response.status).toBe(200)
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const otherCorridor = await pay(bank, 50_000)
    expect(otherCorridor.response.status).toBe(200)
    await server.pass(24 * 60 * 60 * 1000)
    expect((await pay(good, 20_000)).response.status).toBe(200)
  })

  it('counts a quote that is paid in, refuses none, and gives back what then fails', async () => {
    platform = await server.platform({ settings: { maxDailyUsdAmount: 50_000 } })
    api = server.client(platform)
    customer = await createCustomer(api)
    usd = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, usd.id, 500_000)
    const paidIn = async (payee: { id: string }, amount: number) => {
      const quote = await createQuote(api, {
        source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id as never, currency: 'USD' },
        destination: { destinationType: 'ACCOUNT', accountId: payee.id as never },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: amount,
      })
      const body = { quoteId: quote.id, currencyCode: 'USD' } as never
      await must(api.POST('/sandbox/send', { body }))
      await server.settle()
      return (await transaction(quote.transactionId)).status
    }
    const good = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    const bad = await createPayee(api, 'MXN', clabe('004'), { customerId: customer.id })
    expect(await paidIn(bad, 20_000)).toBe('FAILED')
    expect(await paidIn(good, 40_000)).toBe('COMPLETED')
    const prefunded = async (amount: number) =>
      execute(api, (await createQuote(api, quoteBody(usd, good, amount))).id)
    expect((await prefunded(10_001)).error).toMatchObject({
      code: 'DAILY_VOLUME_LIMIT_EXCEEDED',
      details: { limit: 50_000, used: 40_000 },
    })
    expect(await paidIn(good, 40_000)).toBe('COMPLETED')
    expect((await prefunded(1)).error).toMatchObject({ details: { used: 80_000 } })
  })

  it('never lets concurrent payments pass the limit together', async () => {
    platform = await server.platform({ settings: { maxDailyUsdAmount: 5_000 } })
    api = server.client(platform)
    customer = await createCustomer(api)
    usd = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, usd.id, 500_000)
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    const quotes = await Promise.all(
      Array.from({ length: 12 }, () => createQuote(api, quoteBody(usd, payee, 1_000))),
    )
    const answers = await Promise.all(quotes.map(({ id }) => execute(api, id)))
    expect(answers.filter(({ data }) => data)).toHaveLength(5)
    expect(await balance()).toBe(495_000)
    await server.settle()
  })

  it('refuses a single payment above the maximum of its currency, before the day is asked', async () => {
    platform = await server.platform({ settings: { maxTransactionAmounts: { USD: 10_000 } } })
    api = server.client(platform)
    customer = await createCustomer(api)
    usd = await internalAccountOf(api, customer.id, 'USD')
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    const refused = await api.POST('/quotes', { body: quoteBody(usd, payee, 10_001) })
    expect(refused.error).toMatchObject({
      code: 'TRANSACTION_SIZE_LIMIT_EXCEEDED',
      details: { max: 10_000, currency: 'USD' },
    })
    expect((await createQuote(api, quoteBody(usd, payee, 10_000))).status).toBe('PENDING')
  })
})
