import { balanceEvents, loadInternalAccount } from '@corridor/engine/internal-accounts/index.ts'
import {
  captureHold,
  debitPrefunded,
  depositUnderReview,
  hold,
  journal,
  type Posting,
  releaseHold,
  reviewCleared,
} from '@corridor/engine/transactions/index.ts'
import { toTimestamp } from '@corridor/kernel'
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
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

// What strong authentication, cards and reviews will do to balances and quotes, by the postings and
// statuses that they use (accounts 2.1, 7.4, 13).

let server: TestServer
let platform: Awaited<ReturnType<TestServer['platform']>>
let api: CorridorClient
let customer: Customer
let eur: { id: string }

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  platform = await server.platform()
  api = server.client(platform)
  customer = await createCustomer(api)
  eur = await internalAccountOf(api, customer.id, 'EUR')
  await fund(api, eur.id, 50_000)
})

const amount = { currency: 'EUR', amountMinor: 20_000n }
let posted = 0

/** Commits one journal with the events that go with it. */
async function post(postings: readonly Posting[]): Promise<void> {
  const scope = await server.engine.clock.scope(platform, { id: 'test', permissions: [] })
  const account = (await loadInternalAccount(server.engine.database, scope, eur.id))!
  const applied = await server.engine.applier.apply(scope, {
    transfers: journal('test', `step-${posted++}`, postings),
    events: balanceEvents([account], postings, toTimestamp(scope.now)),
    result: () => null,
  })
  expect(applied.ok).toBe(true)
}

/** The balances that the account shows; the last event about it has to show the same. */
async function balances() {
  const account = await internalAccountOf(api, customer.id, 'EUR')
  const told = (await server.events(platform)).at(-1)!
  expect(told.type).toBe('INTERNAL_ACCOUNT.BALANCE_UPDATED')
  expect(told.data).toMatchObject({ balance: account.balance, totalBalance: account.totalBalance })
  return [account.balance.amount, account.totalBalance.amount]
}

describe('held money', () => {
  it('cannot be spent and still counts in the total, until it is taken or released', async () => {
    await post(hold(amount, eur.id))
    expect(await balances()).toEqual([30_000, 50_000])
    const payee = await createPayee(api, 'GBP', '12345891', { customerId: customer.id })
    const body = quoteBody(eur, payee, 30_001, { immediatelyExecute: true })
    expect((await api.POST('/quotes', { body })).error).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      details: { available: 30_000, required: 30_001, shortfall: 1 },
    })
    await post(releaseHold(amount, eur.id))
    expect(await balances()).toEqual([50_000, 50_000])
    await post(hold(amount, eur.id))
    const transactionId = 'Transaction:held'
    await post(captureHold({ transactionId, ...amount }, eur.id))
    expect(await balances()).toEqual([30_000, 30_000])
  })

  it('is not there to be held twice', async () => {
    await post(hold({ ...amount, amountMinor: 40_000n }, eur.id))
    const scope = await server.engine.clock.scope(platform, { id: 'test', permissions: [] })
    for (const postings of [
      hold(amount, eur.id),
      debitPrefunded({ transactionId: 'Transaction:over', ...amount }, eur.id),
      releaseHold({ ...amount, amountMinor: 40_001n }, eur.id),
    ]) {
      const transfers = journal('test', `over-${posted++}`, postings)
      const applied = await server.engine.applier.apply(scope, { transfers, result: () => null })
      expect(applied.ok).toBe(false)
    }
    expect(await balances()).toEqual([10_000, 50_000])
  })
})

describe('a deposit under review', () => {
  it('counts in the total, and can be spent once it is cleared', async () => {
    await post(depositUnderReview(amount, { rail: 'SEPA', internalAccountId: eur.id }))
    expect(await balances()).toEqual([50_000, 70_000])
    await post(reviewCleared(amount, eur.id))
    expect(await balances()).toEqual([70_000, 70_000])
  })
})

describe('a payment on its way', () => {
  it('has lowered both balances', async () => {
    const payee = await createPayee(api, 'GBP', '12345003', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(eur, payee, 20_000))
    await must(execute(api, quote.id))
    expect(await balances()).toEqual([30_000, 30_000])
    await server.pass(360_000)
  })
})

describe('a quote that awaits authorization', () => {
  const awaitAuthorization = (quoteId: string) =>
    server.engine.database.read(
      platform,
      { name: 'test.authorize', text: `update quotes set status = 'PENDING_AUTHORIZATION' where id = $1` },
      [quoteId],
    )
  const read = (quoteId: string) => must(api.GET('/quotes/{quoteId}', { params: { path: { quoteId } } }))

  it('is not executed again, and does not expire by its own time', async () => {
    const payee = await createPayee(api, 'GBP', '12345891', { customerId: customer.id })
    const { id } = await createQuote(api, quoteBody(eur, payee, 20_000))
    await awaitAuthorization(id)
    const again = await execute(api, id)
    expect(again.error).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      details: { status: 'PENDING_AUTHORIZATION' },
    })
    expect(again.response.headers.get('x-should-retry')).toBe('false')
    await server.pass(60 * 60_000)
    expect(await read(id)).toMatchObject({ status: 'PENDING_AUTHORIZATION' })
    const types = (await server.events(platform)).map(({ type }) => type)
    expect(types.filter((type) => type.startsWith('OUTGOING_PAYMENT'))).toEqual([])
  })

  it('tells nobody where to pay, and takes no payment', async () => {
    const payee = await createPayee(api, 'GBP', '12345891', { customerId: customer.id })
    const made = await createQuote(api, {
      source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id as never, currency: 'EUR' },
      destination: { destinationType: 'ACCOUNT', accountId: payee.id as never },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 20_000,
    })
    expect(made.paymentInstructions).toHaveLength(1)
    await awaitAuthorization(made.id)
    expect(await read(made.id)).not.toHaveProperty('paymentInstructions')
    const body = { quoteId: made.id, currencyCode: 'EUR' } as never
    expect((await api.POST('/sandbox/send', { body })).error).toMatchObject({ status: 409, code: 'CONFLICT' })
  })
})
