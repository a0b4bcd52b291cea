import type { CorridorClient } from '@corridor/sdk/path-client.ts'
import {
  type Customer,
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { beforeEach, describe, expect, it } from 'vitest'

const stepMs = 100

const server = await openTestServer({ stepMs })
let platform: Awaited<ReturnType<TestServer['platform']>>
let api: CorridorClient
let customer: Customer
let usd: { id: string }

beforeEach(async () => {
  platform = await server.platform()
  api = server.client(platform)
  customer = await createCustomer(api)
  usd = await internalAccountOf(api, customer.id, 'USD')
})

const fundWith = (accountId: string, amount: unknown) =>
  api.POST('/sandbox/internal-accounts/{accountId}/fund', {
    params: { path: { accountId } },
    body: { amount: amount as number },
  })

async function transaction(transactionId: string) {
  return must(api.GET('/transactions/{transactionId}', { params: { path: { transactionId } } }))
}

describe('money put into an account (12.6)', () => {
  it('is credited at once, with a record and both events', async () => {
    const before = await internalAccountOf(api, customer.id, 'USD')
    server.world.passMs(1_000)
    const funded = await must(fundWith(usd.id, 250_000))
    expect(funded).toEqual({
      ...before,
      version: before.version + 1,
      balance: { amount: 250_000, currency: before.balance.currency },
      totalBalance: { amount: 250_000, currency: before.balance.currency },
      updatedAt: new Date(server.world.now()).toISOString(),
    })
    expect(await internalAccountOf(api, customer.id, 'USD')).toEqual(funded)
    const { data } = await must(api.GET('/transactions'))
    expect(data).toMatchObject([
      {
        type: 'INCOMING',
        direction: 'CREDIT',
        status: 'COMPLETED',
        receivedAmount: { amount: 250_000, currency: { code: 'USD' } },
        source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
        destination: { destinationType: 'ACCOUNT', accountId: usd.id },
      },
    ])
    const events = await server.events(platform)
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['INCOMING_PAYMENT.COMPLETED', data[0]],
      ['INTERNAL_ACCOUNT.BALANCE_UPDATED', funded],
    ])
    expect(await server.ledgerBalances(platform)).toEqual({
      'rail:sandbox:USD': -250_000n,
      [`avail:${usd.id}`]: 250_000n,
    })
  })

  it('works for the platform, for crypto and for embedded wallets', async () => {
    const own = await must(api.GET('/platform/internal-accounts', { params: { query: { currency: 'EUR' } } }))
    const platformEuro = own.data[0]!
    expect((await fund(api, platformEuro.id, 700)).balance.amount).toBe(700)
    const btc = await internalAccountOf(api, customer.id, 'BTC')
    expect((await fund(api, btc.id, 2_000_000)).balance.amount).toBe(2_000_000)
    const wallet = await internalAccountOf(api, customer.id, 'USDB')
    expect(wallet.type).toBe('EMBEDDED_WALLET')
    expect((await fund(api, wallet.id, 5)).balance.amount).toBe(5)
    const platformId = `PlatformConfig:${platform.platformId}` as never
    const ofPlatform = await must(api.GET('/transactions', { params: { query: { customerId: platformId } } }))
    expect(ofPlatform.data).toMatchObject([{ customerId: platformId, platformCustomerId: 'platform' }])
  })

  it('is between one unit and a hundred thousand million', async () => {
    for (const amount of [0, -1, 1.5, 100_000_000_001]) {
      expect((await fundWith(usd.id, amount)).error, `${amount}`).toMatchObject({
        status: 400,
        code: 'INVALID_AMOUNT',
      })
    }
    for (const amount of [undefined, '100']) {
      expect((await fundWith(usd.id, amount)).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    }
    expect((await must(fundWith(usd.id, 1))).balance.amount).toBe(1)
    expect((await must(fundWith(usd.id, 100_000_000_000))).balance.amount).toBe(100_000_000_001)
  })

  it('needs an account that exists and is active', async () => {
    const unknown = 'InternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    for (const id of [unknown, customer.id, 'nonsense']) {
      expect((await fundWith(id, 100)).error).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    }
    for (const status of ['PENDING', 'FROZEN', 'CLOSED', 'FAILED']) {
      await server.rows('update internal_accounts set status = $2 where id = $1', [usd.id, status])
      expect((await fundWith(usd.id, 100)).error).toMatchObject({
        status: 403,
        code: 'USER_NOT_READY',
        details: { accountStatus: status },
      })
    }
    expect((await must(api.GET('/transactions'))).totalCount).toBe(0)
  })

  it('is for sandbox credentials alone, as is every simulated payment', async () => {
    const real = server.client(await server.platform({ environment: 'PRODUCTION' }))
    const forbidden = { status: 403, code: 'FORBIDDEN' }
    const params = { params: { path: { accountId: usd.id } } }
    const answers = [
      await real.POST('/sandbox/internal-accounts/{accountId}/fund', { ...params, body: { amount: 1 } }),
      await real.POST('/sandbox/send', { body: { quoteId: 'Quote:x' as never, currencyCode: 'USD' } }),
      await real.POST('/sandbox/inbound-payments', { body: { currency: 'USD', amount: 1 } }),
    ]
    for (const { error } of answers) expect(error).toMatchObject(forbidden)
  })
})

describe('a payment for a quote (12.6)', () => {
  const send = (quoteId: string, body: object = {}) =>
    api.POST('/sandbox/send', { body: { quoteId: quoteId as never, currencyCode: 'USD', ...body } })

  async function fundedQuote() {
    const payee = await createPayee(api, 'MXN', '646180110400000891', { customerId: customer.id })
    return createQuote(api, {
      source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id, currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: payee.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
    } as never)
  }

  it.each([9_999, 10_001])('of %i for 10000 fails it and goes back whole', async (currencyAmount) => {
    const quote = await fundedQuote()
    expect((await send(quote.id, { currencyAmount })).data).toMatchObject({
      id: quote.transactionId,
      status: 'FAILED',
      failureReason: 'FUNDING_AMOUNT_MISMATCH',
      refund: { status: 'PENDING' },
    })
    await server.pass(stepMs)
    expect(await transaction(quote.transactionId)).toMatchObject({ refund: { status: 'COMPLETED' } })
    expect(await server.ledgerBalances(platform)).toEqual({})
    expect((await send(quote.id)).error).toMatchObject({ status: 409, code: 'CONFLICT' })
  })

  it('needs a quote that awaits one', async () => {
    const unknown = 'Quote:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    expect((await send(unknown)).error).toMatchObject({ status: 404, code: 'QUOTE_NOT_FOUND' })
    const payee = await createPayee(api, 'MXN', '646180110400000892', { customerId: customer.id })
    const prefunded = await createQuote(api, quoteBody(usd, payee, 10_000))
    expect((await send(prefunded.id)).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    const quote = await fundedQuote()
    for (const currencyCode of ['EUR', 'USDC']) {
      expect((await send(quote.id, { currencyCode })).error).toMatchObject({
        status: 400,
        code: 'INVALID_CURRENCY',
      })
    }
    expect((await send(quote.id, { currencyAmount: 0 })).error).toMatchObject({ code: 'INVALID_AMOUNT' })
    expect(
      await must(api.GET('/quotes/{quoteId}', { params: { path: { quoteId: quote.id } } })),
    ).toMatchObject({ status: 'PENDING' })
  })
})

describe('the steps of a simulated payment (12.1)', () => {
  /** What a caller sees who looks after each step. */
  async function seen(transactionId: string, steps: number): Promise<string[]> {
    const statuses = [(await transaction(transactionId)).status]
    for (let step = 0; step < steps; step++) {
      await server.pass(stepMs)
      statuses.push((await transaction(transactionId)).status)
    }
    return statuses
  }

  it('show one after the other', async () => {
    await fund(api, usd.id, 50_000)
    const payee = await createPayee(api, 'MXN', '646180110400000891', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 10_000))
    expect((await execute(api, quote.id)).data).toMatchObject({ status: 'PROCESSING' })
    expect(await seen(quote.transactionId, 2)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
  })

  it('are over before the answer where the caller waits for it', async () => {
    await fund(api, usd.id, 50_000)
    const payee = await createPayee(api, 'MXN', '646180110400000891', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 10_000, { immediatelyExecute: true }))
    expect(quote.status).toBe('COMPLETED')
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'COMPLETED' })
  })

  it('of a pull show it on its way before its outcome (12.3)', async () => {
    const transferIn = async (suffix: string) => {
      const bank = await createPayee(api, 'USD', `000123456${suffix}`, { customerId: customer.id })
      const body = { source: { accountId: bank.id }, destination: { accountId: usd.id }, amount: 12_550 }
      return (await must(api.POST('/transfer-in', { body: body as never }))).id
    }
    expect(await seen(await transferIn('891'), 2)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
    expect(await seen(await transferIn('002'), 1)).toEqual(['PENDING', 'FAILED'])
    expect(await seen(await transferIn('003'), 1)).toEqual(['PENDING', 'FAILED'])
    expect(await seen(await transferIn('004'), 2)).toEqual(['PENDING', 'PROCESSING', 'FAILED'])
    const slow = await transferIn('005')
    expect(await seen(slow, 1)).toEqual(['PENDING', 'PENDING'])
    await server.pass(29_000)
    expect(await transaction(slow)).toMatchObject({ status: 'PENDING' })
    await server.pass(1_000)
    expect(await transaction(slow)).toMatchObject({ status: 'FAILED', failureReason: 'COLLECTION_FAILED' })
    expect((await internalAccountOf(api, customer.id, 'USD')).balance.amount).toBe(12_550)
  })

  it('give a returned payment back no sooner than two seconds after it completed (12.4)', async () => {
    await fund(api, usd.id, 50_000)
    const payee = await createPayee(api, 'MXN', '646180110400000005', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 10_000))
    await must(execute(api, quote.id))
    expect(await seen(quote.transactionId, 2)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
    await server.pass(1_999)
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'COMPLETED' })
    await server.pass(2 * stepMs)
    expect(await transaction(quote.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'PAYOUT_RETURNED',
    })
  })
})

describe('which table decides (12.2)', () => {
  it('asks the source of a pull first, and the destination only when it paid', async () => {
    const refusedSource = await createPayee(api, 'USD', '000123456003', { customerId: customer.id })
    const goodSource = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    // 003 is slow as a destination of a quote; as the source of one it is closed.
    const slow = await createPayee(api, 'MXN', '646180110400000003', { customerId: customer.id })
    const fromRefused = await createQuote(api, quoteBody(refusedSource, slow, 1_000))
    const fromGood = await createQuote(api, quoteBody(goodSource, slow, 1_000))
    for (const { id } of [fromRefused, fromGood]) await must(execute(api, id))
    for (let step = 0; step < 4; step++) await server.pass(stepMs)
    expect(await transaction(fromRefused.transactionId)).toMatchObject({
      status: 'FAILED',
      failureReason: 'QUOTE_EXECUTION_FAILED',
    })
    expect(await transaction(fromGood.transactionId)).toMatchObject({ status: 'PROCESSING' })
    await server.pass(360_000)
    expect(await transaction(fromGood.transactionId)).toMatchObject({ status: 'COMPLETED' })
  })
})
