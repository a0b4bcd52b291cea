import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { paymentApi } from './payment-api.ts'

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

describe('a prefunded payment (16.1)', () => {
  it('locks the rate, debits at execution, delivers, and tells every step in order', async () => {
    const { platform, api, customer, usd, balances, transaction, quote } = await paymentApi(server)
    await fund(api, usd.id, 250_000)
    const payee = await createPayee(api, 'EUR', 'DE89 3704 0044 0532 0130 00', {
      customerId: customer.id,
      platformAccountId: 'payee-77',
    })
    expect(payee).toMatchObject({
      status: 'ACTIVE',
      platformAccountId: 'payee-77',
      defaultUmaDepositAccount: false,
      beneficiaryVerificationStatus: 'MATCHED',
      beneficiaryVerifiedData: { fullName: 'Greta Lindholm' },
      accountInfo: { iban: 'DE89370400440532013000', paymentRails: ['SEPA_INSTANT', 'SEPA'] },
    })
    const made = await createQuote(api, quoteBody(usd, payee, 100_000, { description: 'Studio rent' }))
    expect(made).toMatchObject({
      status: 'PENDING',
      totalSendingAmount: 100_000,
      totalReceivingAmount: 85_570,
      exchangeRate: 1.1627907,
      feesIncluded: 500,
      platformFeesIncluded: 0,
      rateDetails: {
        counterpartyMultiplier: 0.0000817,
        counterpartyFixedFee: 0,
        gridApiMultiplier: 10_473.6842105,
        gridApiFixedFee: 0,
        gridApiVariableFeeRate: 0.005,
        gridApiVariableFeeAmount: 500,
      },
    })
    expect(await balances()).toEqual({ available: 250_000, total: 250_000 })
    expect((await must(api.GET('/transactions'))).totalCount).toBe(1)
    expect(await transaction(made.transactionId)).toMatchObject({
      status: 'PENDING',
      description: 'Studio rent',
    })

    const key = { 'Idempotency-Key': 'k-1' }
    const first = await execute(api, made.id, key)
    expect(first.data).toMatchObject({ status: 'PROCESSING' })
    const again = await execute(api, made.id, key)
    expect(again.data).toEqual(first.data)
    expect(again.response.headers.get('idempotent-replayed')).toBe('true')
    const keyless = await execute(api, made.id)
    expect(keyless.error).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(keyless.response.headers.get('x-should-retry')).toBe('false')
    expect(await balances()).toEqual({ available: 150_000, total: 150_000 })

    await server.settle()
    expect(await transaction(made.transactionId)).toMatchObject({
      status: 'COMPLETED',
      type: 'OUTGOING',
      direction: 'DEBIT',
      sentAmount: { amount: 100_000 },
      receivedAmount: { amount: 85_570 },
      fees: 500,
      platformFees: 0,
      quoteId: made.id,
      paymentRail: 'SEPA_INSTANT',
      railSelectionMode: 'AUTO',
      settledAt: expect.any(String),
    })
    expect(await quote(made.id)).toMatchObject({ status: 'COMPLETED' })
    const about = new Set<string>([made.transactionId, usd.id])
    const types = (await server.events(platform))
      .filter(({ data }) => about.has(String(data.id)))
      .map(({ type }) => type)
    expect(types).toEqual([
      'INTERNAL_ACCOUNT.BALANCE_UPDATED',
      'OUTGOING_PAYMENT.PENDING',
      'INTERNAL_ACCOUNT.BALANCE_UPDATED',
      'OUTGOING_PAYMENT.PROCESSING',
      'OUTGOING_PAYMENT.COMPLETED',
    ])
    expect(await server.ledgerBalances(platform)).toMatchObject({
      'fee:USD': 500n,
      'fx:USD': 99_500n,
      'fx:EUR': -85_570n,
      'rail:SEPA_INSTANT:EUR': 85_570n,
    })
  })
})

describe('a payment in one currency (row 1)', () => {
  it('costs nothing and converts nothing', async () => {
    const { platform, api, customer, usd } = await paymentApi(server)
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

describe('immediate execution and too little money (16.4)', () => {
  it('answers with the outcome, or leaves nothing behind', async () => {
    const { platform, api, customer, usd } = await paymentApi(server)
    await fund(api, usd.id, 150_000)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const immediate = { immediatelyExecute: true }
    expect(await createQuote(api, quoteBody(usd, payee, 15_000, immediate))).toMatchObject({
      status: 'COMPLETED',
      totalSendingAmount: 15_000,
      totalReceivingAmount: 873_112,
      feesIncluded: 75,
      exchangeRate: 0.017094017,
    })
    const before = await must(api.GET('/transactions'))
    const eventsBefore = (await server.events(platform)).length
    const refused = await api.POST('/quotes', { body: quoteBody(usd, payee, 9_000_000, immediate) })
    expect(refused.error).toMatchObject({
      status: 400,
      code: 'INSUFFICIENT_BALANCE',
      details: {
        accountId: usd.id,
        available: 135_000,
        required: 9_000_000,
        shortfall: 8_865_000,
        currency: 'USD',
      },
    })
    await server.settle()
    expect((await must(api.GET('/transactions'))).totalCount).toBe(before.totalCount)
    expect((await server.events(platform)).length).toBe(eventsBefore)
  })

  it('lets an unexecuted quote wait for its money', async () => {
    const { api, customer, usd } = await paymentApi(server)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(usd, payee, 9_000_000))
    expect((await execute(api, made.id)).error).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    await fund(api, usd.id, 9_000_000)
    expect((await execute(api, made.id)).data).toMatchObject({ status: 'PROCESSING' })
    await server.settle()
  })
})

describe('a quote that nobody executes', () => {
  it('reads as expired at once, is told once, and refuses execution', async () => {
    const { platform, api, customer, usd, transaction, quote } = await paymentApi(server)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(usd, payee, 1_000))
    server.world.passMs(5 * 60_000)
    expect(await quote(made.id)).toMatchObject({ status: 'EXPIRED' })
    expect(await transaction(made.transactionId)).toMatchObject({ status: 'EXPIRED' })
    expect((await execute(api, made.id)).error).toMatchObject({
      status: 409,
      code: 'QUOTE_EXPIRED',
      details: { expiresAt: made.expiresAt },
    })
    await server.settle()
    await server.settle()
    const told = (await server.events(platform)).filter(({ type }) => type === 'OUTGOING_PAYMENT.EXPIRED')
    expect(told).toHaveLength(1)
    expect((await must(api.GET('/transactions'))).data).toMatchObject([
      { id: made.transactionId, status: 'EXPIRED' },
    ])
  })
})

describe('a quote whose rate is no longer to be had', () => {
  it('fails when it is executed, once and for all, and moves nothing', async () => {
    const { platform, api, customer, usd, transaction, quote } = await paymentApi(server, {
      settings: { refusesQuotedRates: true },
    })
    await fund(api, usd.id, 10_000)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const immediate = quoteBody(usd, payee, 1_000, { immediatelyExecute: true })
    expect((await api.POST('/quotes', { body: immediate })).error).toMatchObject({
      status: 409,
      code: 'QUOTE_RATE_UNAVAILABLE',
    })
    expect((await must(api.GET('/transactions'))).totalCount).toBe(1)
    const made = await createQuote(api, quoteBody(usd, payee, 1_000))
    const ledgerBefore = await server.ledgerBalances(platform)
    expect((await execute(api, made.id)).error).toMatchObject({
      status: 409,
      code: 'QUOTE_RATE_UNAVAILABLE',
      details: { quoteId: made.id, expiresAt: made.expiresAt },
    })
    expect(await quote(made.id)).toMatchObject({ status: 'FAILED' })
    expect(await transaction(made.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'QUOTE_RATE_UNAVAILABLE',
    })
    expect((await execute(api, made.id)).error).toMatchObject({
      code: 'CONFLICT',
      details: { status: 'FAILED' },
    })
    await server.settle()
    expect(await server.ledgerBalances(platform)).toEqual(ledgerBefore)
    const told = (await server.events(platform)).filter(({ type }) => type === 'OUTGOING_PAYMENT.FAILED')
    expect(told).toHaveLength(1)
  })
})

describe('an account that is deleted', () => {
  async function start() {
    const payments = await paymentApi(server)
    const remove = (externalAccountId: string) =>
      payments.api.DELETE('/customers/external-accounts/{externalAccountId}', {
        params: { path: { externalAccountId } },
      })
    return { ...payments, remove }
  }

  it('stops a quote that names it, without ending it', async () => {
    const { api, customer, usd, balances, quote, remove } = await start()
    await fund(api, usd.id, 10_000)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(usd, payee, 1_000))
    await remove(payee.id)
    expect((await execute(api, made.id)).error).toMatchObject({
      status: 400,
      code: 'INVALID_RECEIVER',
      details: { accountId: payee.id, status: 'DELETED' },
    })
    expect(await quote(made.id)).toMatchObject({ status: 'PENDING' })
    expect(await balances()).toEqual({ available: 10_000, total: 10_000 })
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const pulling = await createQuote(api, quoteBody(bank, usd, 1_000))
    await remove(bank.id)
    expect((await execute(api, pulling.id)).error).toMatchObject({
      status: 400,
      code: 'INVALID_BANK_ACCOUNT',
      details: { accountId: bank.id, status: 'DELETED' },
    })
    expect(await quote(pulling.id)).toMatchObject({ status: 'PENDING' })
  })

  it('is still paid by what was executed before, and still named by it', async () => {
    const { api, customer, usd, transaction, remove } = await start()
    await fund(api, usd.id, 10_000)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(usd, payee, 1_000))
    await execute(api, made.id)
    await remove(payee.id)
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const pesos = await createPayee(api, 'PHP', '1234567891', { customerId: customer.id })
    const pulling = await createQuote(api, quoteBody(bank, pesos, 1_000))
    await execute(api, pulling.id)
    await Promise.all([bank, pesos].map(({ id }) => remove(id)))
    await server.settle()
    for (const [{ transactionId }, accountId] of [
      [made, payee.id],
      [pulling, pesos.id],
    ] as const) {
      expect(await transaction(transactionId)).toMatchObject({
        status: 'COMPLETED',
        destination: { accountId },
      })
    }
  })

  it('gives back what is paid in for it afterwards', async () => {
    const { platform, api, customer, usd, transaction, remove } = await start()
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const made = await createQuote(api, {
      ...quoteBody(usd, payee, 1_000),
      source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id, currency: 'USD' } as never,
    })
    await remove(payee.id)
    const body = { quoteId: made.id, currencyCode: 'USD' }
    await must(api.POST('/sandbox/send', { body: body as never }))
    await server.settle()
    expect(await transaction(made.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'ACCOUNT_INVALID',
      refund: { status: 'COMPLETED' },
    })
    expect(await server.ledgerBalances(platform)).toEqual({})
  })
})
