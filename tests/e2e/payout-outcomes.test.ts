import {
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { clabe, paymentApi } from './payment-api.ts'

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

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
      const { api, customer, usd, balance, transaction, statusOfQuote, told } = await paymentApi(server)
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
      const { api, customer, usd, transaction, statusOfQuote } = await paymentApi(server)
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
    const { platform, api, customer, usd, balance, transaction, told } = await paymentApi(server)
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
    const { platform, api, customer, balance, transaction, statusOfQuote, told } = await paymentApi(server)
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
    const { api, customer, usd, balance, transaction, told } = await paymentApi(server)
    await fund(api, usd.id, 30_000)
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 30_000))
    const rail = server.thirdParties.SANDBOX.rail('SPEI')!
    const returning = vi
      .spyOn(server.thirdParties.SANDBOX, 'rail')
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

describe('an identifier with an @', () => {
  const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Asha Rao' }
  async function start() {
    const payments = await paymentApi(server)
    const { api, customer } = payments
    const registered = (currency: string, accountInfo: object) =>
      api.POST('/customers/external-accounts', {
        body: { customerId: customer.id, currency, accountInfo } as never,
      })
    return { ...payments, registered }
  }
  it.each([
    ['INR', (name: string) => ({ accountType: 'INR_ACCOUNT', vpa: `${name}@upi`, beneficiary })],
    ['BTC', (name: string) => ({ accountType: 'LIGHTNING', lightningAddress: `${name}@wallet.example` })],
  ] as const)('has its ending before it: %s', async (currency, info) => {
    const { api, usd, transaction, registered } = await start()
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
    const { registered } = await start()
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
