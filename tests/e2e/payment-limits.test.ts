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
import { clabe, paymentApi, paymentRefusals } from './payment-api.ts'

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

describe('limits', () => {
  it('counts a corridor by the day at execution, and gives back what failed', async () => {
    const { api, customer, usd } = await paymentApi(server, { settings: { maxDailyUsdAmount: 50_000 } })
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
    const { api, customer, usd, transaction } = await paymentApi(server, {
      settings: { maxDailyUsdAmount: 50_000 },
    })
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
    const { api, customer, usd, balance } = await paymentApi(server, {
      settings: { maxDailyUsdAmount: 5_000 },
    })
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
    const { api, customer, usd } = await paymentApi(server, {
      settings: { maxTransactionAmounts: { USD: 10_000 } },
    })
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
    const refused = await api.POST('/quotes', { body: quoteBody(usd, payee, 10_001) })
    expect(refused.error).toMatchObject({
      code: 'TRANSACTION_SIZE_LIMIT_EXCEEDED',
      details: { max: 10_000, currency: 'USD' },
    })
    expect((await createQuote(api, quoteBody(usd, payee, 10_000))).status).toBe('PENDING')
  })
})

describe('an amount', () => {
  const cases = [
    [0, 'INVALID_AMOUNT'],
    [-1, 'INVALID_AMOUNT'],
    [1.5, 'INVALID_AMOUNT'],
    ['1000', 'INVALID_INPUT'],
    [null, 'INVALID_INPUT'],
    [undefined, 'INVALID_INPUT'],
  ] as const
  it.each(cases)('of %j is %s wherever money is moved', async (amount, code) => {
    const { api, usd, payee, bank, transferIn, transferOut } = await paymentRefusals(server)
    const refused = { status: 400, code }
    const { lockedCurrencyAmount: _, ...rest } = quoteBody(usd, payee, 1)
    const body = { ...rest, ...(amount === undefined ? {} : { lockedCurrencyAmount: amount }) } as never
    expect((await api.POST('/quotes', { body })).error).toMatchObject(refused)
    expect(await transferIn(bank, usd, amount)).toMatchObject(refused)
    expect(await transferOut(usd, bank, amount)).toMatchObject(refused)
  })

  it('has to leave something after the fees', async () => {
    const { api, usd, payee, quote, transferOut } = await paymentRefusals(server)
    const platformFeeOverride = {
      platformFixedFee: { amount: 1_000, currency: 'USD' },
      platformVariableFeeBps: 0,
    }
    expect(await quote(usd, payee, 1_000, { platformFeeOverride })).toMatchObject({
      status: 400,
      code: 'AMOUNT_OUT_OF_RANGE',
      details: { min: 1_006, max: expect.any(Number), currency: 'USD', reason: 'FEES' },
    })
    expect(await quote(usd, payee, 1_006, { platformFeeOverride })).toBeUndefined()
    const whole = { ...platformFeeOverride, platformVariableFeeBps: 10_000 }
    expect(
      await quote(usd, payee, 1_000, { platformFeeOverride: whole, lockedCurrencySide: 'RECEIVING' }),
    ).toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE', details: { min: 1, max: expect.any(Number) } })
    const wallet = await createPayee(api, 'SOLANA', `${'7'.repeat(40)}889`)
    const own = (
      await must(api.GET('/platform/internal-accounts', { params: { query: { currency: 'USDC' } } }))
    ).data
    expect(await transferOut(own[0]!, wallet, 5_000)).toMatchObject({
      code: 'AMOUNT_OUT_OF_RANGE',
      details: { min: 5_001, max: expect.any(Number), currency: 'USDC' },
    })
  })

  it('lies between the bounds of the platform and below the maximum of the operator, for transfers as for quotes', async () => {
    const { api, usd, payee, bank, quote, transferIn, transferOut } = await paymentRefusals(server, {
      settings: { maxTransactionAmounts: { USD: 30_000 } },
    })
    await fund(api, usd.id, 100_000)
    const both = ['OUTGOING', 'INCOMING']
    const bounded = {
      currencyCode: 'USD',
      minAmount: 100,
      maxAmount: 50_000,
      enabledTransactionTypes: both,
      requiredCounterpartyFields: [],
    }
    const pesos = { ...bounded, currencyCode: 'MXN' }
    await must(api.PATCH('/config', { body: { supportedCurrencies: [bounded, pesos] as never } }))
    const outside = {
      status: 400,
      code: 'AMOUNT_OUT_OF_RANGE',
      details: { min: 100, max: 50_000, currency: 'USD' },
    }
    const tooLarge = {
      status: 400,
      code: 'TRANSACTION_SIZE_LIMIT_EXCEEDED',
      details: { max: 30_000, currency: 'USD' },
    }
    for (const [amount, refused] of [
      [99, outside],
      [50_001, outside],
      [30_001, tooLarge],
    ] as const) {
      expect(await quote(usd, payee, amount)).toMatchObject(refused)
      expect(await transferOut(usd, bank, amount)).toMatchObject(refused)
      expect(await transferIn(bank, usd, amount)).toMatchObject(refused)
    }
    for (const amount of [100, 30_000]) {
      expect(await quote(usd, payee, amount)).toBeUndefined()
      expect(await transferOut(usd, bank, amount)).toBeUndefined()
      expect(await transferIn(bank, usd, amount)).toBeUndefined()
    }
    await server.settle()
  })

  it('counts for the day wherever it is executed, and is not asked for when it comes in', async () => {
    const { api, usd, payee, bank, quote, transferIn, transferOut } = await paymentRefusals(server, {
      settings: { maxDailyUsdAmount: 10_000 },
    })
    await fund(api, usd.id, 100_000)
    const exceeded = { status: 429, code: 'DAILY_VOLUME_LIMIT_EXCEEDED', details: { limit: 10_000 } }
    expect(await quote(usd, payee, 10_001)).toBeUndefined()
    expect(await quote(usd, payee, 10_001, { immediatelyExecute: true })).toMatchObject(exceeded)
    expect(await transferOut(usd, bank, 10_001)).toMatchObject(exceeded)
    expect(await transferIn(bank, usd, 10_001)).toBeUndefined()
    await server.settle()
    const { totalCount } = await must(api.GET('/transactions', { params: { query: { type: 'OUTGOING' } } }))
    expect(totalCount).toBe(0)
  })
})
