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
  return { available: account.balance.amount, total: account.totalBalance.amount }
}

async function transaction(transactionId: string) {
  return must(api.GET('/transactions/{transactionId}', { params: { path: { transactionId } } }))
}

async function quote(quoteId: string) {
  return must(api.GET('/quotes/{quoteId}', { params: { path: { quoteId } } }))
}

describe('a prefunded payment (16.1)', () => {
  it('locks the rate, debits at execution, delivers, and tells every step in order', async () => {
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
    expect(await balance()).toEqual({ available: 250_000, total: 250_000 })
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
    expect(await balance()).toEqual({ available: 150_000, total: 150_000 })

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

describe('the receiving side locked (16.2)', () => {
  it('sends the smallest amount that delivers it', async () => {
    const payee = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
    const locked = { lockedCurrencySide: 'RECEIVING' as const }
    expect(await createQuote(api, quoteBody(usd, payee, 92_000, locked))).toMatchObject({
      totalSendingAmount: 107_515,
      totalReceivingAmount: 92_000,
      feesIncluded: 538,
    })
  })

  it('delivers a currency without minor units exactly, and keeps the surplus as a position', async () => {
    await fund(api, usd.id, 20_000)
    const payee = await createPayee(api, 'VND', '0011002233445', { customerId: customer.id })
    const made = await createQuote(
      api,
      quoteBody(usd, payee, 3_000_000, { lockedCurrencySide: 'RECEIVING', immediatelyExecute: true }),
    )
    expect(made).toMatchObject({
      status: 'COMPLETED',
      totalSendingAmount: 11_464,
      totalReceivingAmount: 3_000_000,
      feesIncluded: 57,
      exchangeRate: 0.000038022814,
    })
    expect(await server.ledgerBalances(platform)).toMatchObject({ 'fx:VND': -3_000_000n, 'fx:USD': 11_407n })
  })
})

describe('currencies of other decimals, both ways', () => {
  // Worked out by hand from the table of rates: 0.5 % of the amount rounded half up, the rest converted down.
  const cases = [
    ['USD', 10_000, 'VND', 2_616_850],
    ['VND', 2_616_850, 'USD', 9_900],
    ['USD', 10_000, 'UGX', 356_210],
    ['UGX', 356_210, 'USD', 9_900],
    ['USD', 10_000, 'RWF', 144_772],
    ['RWF', 144_772, 'USD', 9_900],
    ['USD', 10_000, 'XAF', 56_129],
    ['XOF', 56_129, 'USD', 9_900],
    ['XAF', 1_000, 'XOF', 995],
    ['USD', 10_000, 'BTC', 104_736],
    ['BTC', 104_736, 'USD', 9_900],
    ['BTC', 100_000, 'VND', 2_486_007],
    ['EUR', 10_000, 'USDC', 115_697_674],
    ['USDC', 115_697_674, 'EUR', 9_900],
    ['USDC', 10_000_000, 'USD', 999],
  ] as const
  it.each(cases)('%s %i gives %s %i', async (sends, amount, receives, arrives) => {
    const currencies = [...new Set([sends, receives])]
    const someone = await createCustomer(api, { currencies })
    const source = await internalAccountOf(api, someone.id, sends)
    const destination = await internalAccountOf(api, someone.id, receives)
    expect(await createQuote(api, quoteBody(source, destination, amount))).toMatchObject({
      totalSendingAmount: amount,
      totalReceivingAmount: arrives,
    })
    const back = quoteBody(source, destination, arrives, { lockedCurrencySide: 'RECEIVING' })
    const locked = await createQuote(api, back)
    expect(locked.totalReceivingAmount).toBe(arrives)
    expect(locked.totalSendingAmount).toBeLessThanOrEqual(amount)
  })
})

describe('the fee of the platform (16.3)', () => {
  async function setFee(variableFeeBps: number, amount: number) {
    const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', variableFeeBps } as const
    await must(
      api.PATCH('/config', { body: { feeConfigs: [{ ...fee, fixedFee: { amount, currency: 'USD' } }] } }),
    )
  }
  async function platformUsd() {
    const { data } = await must(
      api.GET('/platform/internal-accounts', { params: { query: { currency: 'USD' } } }),
    )
    return data[0]!.balance.amount
  }

  it('is earned when the payment completes', async () => {
    await setFee(30, 50)
    await fund(api, usd.id, 20_000)
    const payee = await createPayee(api, 'MXN', '123456789012345678', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(usd, payee, 20_000))
    expect(made).toMatchObject({
      feesIncluded: 210,
      platformFeesIncluded: 110,
      totalReceivingAmount: 360_178,
      exchangeRate: 0.054945055,
    })
    await execute(api, made.id)
    expect(await platformUsd()).toBe(0)
    await server.settle()
    expect(await platformUsd()).toBe(110)
    const updates = (await server.events(platform)).filter(
      ({ type }) => type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED',
    )
    expect(updates.at(-1)?.data).toMatchObject({ balance: { amount: 110 } })
  })

  it('is never earned when the payment fails', async () => {
    await setFee(30, 50)
    await fund(api, usd.id, 20_000)
    const payee = await createPayee(api, 'MXN', '123456789012345004', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(usd, payee, 20_000))
    await execute(api, made.id)
    await server.settle()
    expect(await transaction(made.transactionId)).toMatchObject({ status: 'FAILED' })
    expect(await platformUsd()).toBe(0)
    expect(await balance()).toEqual({ available: 20_000, total: 20_000 })
  })

  it('is taken back when the bank returns the payment, as far as the platform still has it', async () => {
    await setFee(30, 50)
    await fund(api, usd.id, 20_000)
    const payee = await createPayee(api, 'MXN', '123456789012345005', { customerId: customer.id })
    const { transactionId, id } = await createQuote(api, quoteBody(usd, payee, 20_000))
    await execute(api, id)
    await server.settle()
    expect(await platformUsd()).toBe(110)
    const [own] = (
      await must(api.GET('/platform/internal-accounts', { params: { query: { currency: 'USD' } } }))
    ).data
    await createQuote(api, quoteBody(own!, usd, 80, { immediatelyExecute: true }))
    expect(await platformUsd()).toBe(30)
    await server.pass(2_000)
    expect(await transaction(transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'PAYOUT_RETURNED',
      refund: { status: 'COMPLETED' },
    })
    expect(await platformUsd()).toBe(0)
    expect(await balance()).toEqual({ available: 20_080, total: 20_080 })
    const ledger = await server.ledgerBalances(platform)
    expect(ledger).toMatchObject({ 'recv:platform:USD': -80n })
    expect(ledger).not.toHaveProperty('fee:USD')
  })

  it('can be replaced for one quote, in USD only', async () => {
    await setFee(30, 50)
    const payee = await createPayee(api, 'MXN', '123456789012345678', { customerId: customer.id })
    const platformFeeOverride = {
      platformFixedFee: { amount: 0, currency: 'USD' },
      platformVariableFeeBps: 0,
    }
    expect(await createQuote(api, quoteBody(usd, payee, 20_000, { platformFeeOverride }))).toMatchObject({
      feesIncluded: 100,
      platformFeesIncluded: 0,
      totalReceivingAmount: 362_180,
    })
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const refused = await api.POST('/quotes', {
      body: quoteBody(eur, payee, 20_000, { platformFeeOverride }),
    })
    expect(refused.error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    const iban = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
    expect(await createQuote(api, quoteBody(usd, iban, 1_000))).toMatchObject({
      feesIncluded: 58,
      totalReceivingAmount: 810,
    })
  })
})

describe('immediate execution and too little money (16.4)', () => {
  it('answers with the outcome, or leaves nothing behind', async () => {
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
    platform = await server.platform({ settings: { refusesQuotedRates: true } })
    api = server.client(platform)
    customer = await createCustomer(api)
    usd = await internalAccountOf(api, customer.id, 'USD')
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
  const remove = (externalAccountId: string) =>
    api.DELETE('/customers/external-accounts/{externalAccountId}', {
      params: { path: { externalAccountId } },
    })

  it('stops a quote that names it, without ending it', async () => {
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
    expect(await balance()).toEqual({ available: 10_000, total: 10_000 })
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

describe('a pull into an account whose rate is no longer to be had', () => {
  it('fails with a reason that incoming payments know', async () => {
    platform = await server.platform({ settings: { refusesQuotedRates: true } })
    api = server.client(platform)
    customer = await createCustomer(api)
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(bank, eur, 1_000))
    expect((await execute(api, made.id)).error).toMatchObject({ code: 'QUOTE_RATE_UNAVAILABLE' })
    expect(await transaction(made.transactionId)).toMatchObject({
      type: 'INCOMING',
      status: 'FAILED',
      failureReason: 'QUOTE_EXECUTION_FAILED',
    })
    expect((await server.events(platform)).at(-1)).toMatchObject({ type: 'INCOMING_PAYMENT.FAILED' })
  })
})

describe('the first answer under an idempotency key', () => {
  const body = async () => {
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    return quoteBody(usd, payee, 1_000)
  }

  it('is given again although the payment has moved on', async () => {
    await fund(api, usd.id, 1_000)
    const made = await createQuote(api, await body())
    const key = { 'Idempotency-Key': 'once' }
    const first = await execute(api, made.id, key)
    expect(first.data).toMatchObject({ status: 'PROCESSING' })
    await server.settle()
    expect(await quote(made.id)).toMatchObject({ status: 'COMPLETED' })
    const told = (await server.events(platform)).length
    const again = await execute(api, made.id, key)
    expect(again.response.headers.get('idempotent-replayed')).toBe('true')
    expect([again.response.status, again.data]).toEqual([200, first.data])
    expect((await server.events(platform)).length).toBe(told)
    expect(await balance()).toEqual({ available: 0, total: 0 })
  })

  it('is given again although it was a refusal whose reason is gone', async () => {
    const made = await createQuote(api, await body())
    const key = { 'Idempotency-Key': 'poor' }
    const refused = await execute(api, made.id, key)
    expect(refused.error).toMatchObject({ status: 400, code: 'INSUFFICIENT_BALANCE' })
    await fund(api, usd.id, 1_000)
    const again = await execute(api, made.id, key)
    expect(again.response.headers.get('idempotent-replayed')).toBe('true')
    expect(again.error).toEqual(refused.error)
    expect((await execute(api, made.id, { 'Idempotency-Key': 'rich' })).data).toMatchObject({
      status: 'PROCESSING',
    })
    await server.settle()
  })

  it('is not kept when it was our failure: the same key then has its effect', async () => {
    const request = { body: await body(), headers: { 'Idempotency-Key': 'outage' } }
    const rail = vi.spyOn(server.engine.adapters.SANDBOX, 'rail')
    rail.mockImplementationOnce(() => {
      throw new Error('the adapter is broken')
    })
    expect((await api.POST('/quotes', request)).error).toMatchObject({
      status: 500,
      code: 'SERVICE_SWITCH_ERROR',
    })
    rail.mockReturnValueOnce(undefined)
    expect((await api.POST('/quotes', request)).error).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' })
    rail.mockRestore()
    const made = await api.POST('/quotes', request)
    expect(made.response.headers.get('idempotent-replayed')).toBeNull()
    expect(made.response.status).toBe(201)
    const again = await api.POST('/quotes', request)
    expect(again.response.headers.get('idempotent-replayed')).toBe('true')
    expect(again.data).toEqual(made.data)
  })
})

describe('concurrent execution', () => {
  it('never overdraws: of 50 quotes over one balance exactly those it covers succeed', async () => {
    await fund(api, usd.id, 10_000)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const quotes = await Promise.all(
      Array.from({ length: 50 }, () => createQuote(api, quoteBody(usd, payee, 900))),
    )
    const answers = await Promise.all(quotes.map(({ id }) => execute(api, id)))
    const done = answers.filter(({ data }) => data !== undefined)
    expect(done).toHaveLength(11)
    for (const { error } of answers) if (error) expect(error).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    expect(await balance()).toEqual({ available: 100, total: 100 })
    await server.settle()
  })

  it('leaves nothing of the immediate quotes that the balance does not cover', async () => {
    await fund(api, usd.id, 2_000)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const body = quoteBody(usd, payee, 900, { immediatelyExecute: true })
    const answers = await Promise.all(Array.from({ length: 12 }, () => api.POST('/quotes', { body })))
    expect(answers.filter(({ data }) => data?.status === 'COMPLETED')).toHaveLength(2)
    for (const { error } of answers) if (error) expect(error).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    await server.settle()
    expect(await balance()).toEqual({ available: 200, total: 200 })
    const outgoing = api.GET('/transactions', { params: { query: { type: 'OUTGOING' } } })
    expect((await must(outgoing)).totalCount).toBe(2)
    const told = (await server.events(platform)).filter(({ type }) => type === 'OUTGOING_PAYMENT.PENDING')
    expect(told).toHaveLength(2)
  })

  it('moves money once when one quote is executed 30 times at the same moment', async () => {
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(usd, payee, 1_000))
    const answers = await Promise.all(Array.from({ length: 30 }, () => execute(api, made.id)))
    expect(answers.filter(({ data }) => data !== undefined)).toHaveLength(1)
    for (const { error } of answers) if (error) expect(error).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(await balance()).toEqual({ available: 99_000, total: 99_000 })
    await server.settle()
  })

  it('debits once for twenty parallel calls with one idempotency key', async () => {
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
    const made = await createQuote(api, quoteBody(usd, payee, 1_000))
    const key = { 'Idempotency-Key': 'same' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => execute(api, made.id, key)))
    const bodies = new Set(answers.filter(({ data }) => data).map(({ data }) => JSON.stringify(data)))
    expect(bodies.size).toBe(1)
    for (const { error } of answers) {
      if (error) expect(error).toMatchObject({ details: { reason: 'REQUEST_IN_PROGRESS' } })
    }
    expect(await balance()).toEqual({ available: 99_000, total: 99_000 })
    await server.settle()
  })
})
