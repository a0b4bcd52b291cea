import {
  captureHold,
  debitPrefunded,
  hold,
  holdStep,
  type JournalStep,
  journal,
  type Posting,
  releaseHold,
} from '@corridor/engine/money/payments/index.ts'
import { balanceEvents, loadInternalAccount } from '@corridor/engine/platform/internal-accounts/index.ts'
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

// What strong authentication, cards and reviews will do to balances and quotes, by the postings and
// statuses that they use (accounts 2.1, 7.4, 13).

const server = await openTestServer()
let platform: Awaited<ReturnType<TestServer['platform']>>
let api: CorridorClient
let customer: Customer
let eur: { id: string }

beforeEach(async () => {
  platform = await server.platform()
  api = server.client(platform)
  customer = await createCustomer(api)
  eur = await internalAccountOf(api, customer.id, 'EUR')
  await fund(api, eur.id, 50_000)
})

const held = (transactionId: string, amountMinor = 20_000n) => ({
  transactionId,
  currency: 'EUR',
  amountMinor,
})

/** Commits one journal with the events that go with it. */
async function post(transactionId: string, step: JournalStep, postings: readonly Posting[]) {
  const scope = await server.engine.clock.scope(platform, { id: 'test', permissions: [] })
  const account = (await loadInternalAccount(server.engine.database, scope, eur.id))!
  return server.engine.applier.apply(scope, {
    transfers: journal(transactionId, step, postings),
    events: balanceEvents([account], postings),
    result: () => null,
  })
}

async function mustPost(...journalOf: Parameters<typeof post>): Promise<void> {
  expect(await post(...journalOf)).toMatchObject({ ok: true })
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
    const first = held('Transaction:first')
    await mustPost(first.transactionId, holdStep, hold(first, eur.id))
    expect(await balances()).toEqual([30_000, 50_000])
    const payee = await createPayee(api, 'GBP', '12345891', { customerId: customer.id })
    const body = quoteBody(eur, payee, 30_001, { immediatelyExecute: true })
    expect((await api.POST('/quotes', { body })).error).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      details: { available: 30_000, required: 30_001, shortfall: 1 },
    })
    await mustPost(first.transactionId, 'release', releaseHold(first, eur.id))
    expect(await balances()).toEqual([50_000, 50_000])
    const second = held('Transaction:second')
    await mustPost(second.transactionId, holdStep, hold(second, eur.id))
    await mustPost(second.transactionId, 'capture', captureHold(second, eur.id))
    expect(await balances()).toEqual([30_000, 30_000])
  })

  it('is not there to be held twice, and a hold ends once', async () => {
    const most = held('Transaction:most', 40_000n)
    await mustPost(most.transactionId, holdStep, hold(most, eur.id))
    const over = held('Transaction:over')
    for (const [step, postings] of [
      [holdStep, hold(over, eur.id)],
      ['execute', debitPrefunded(over, eur.id)],
      ['release', releaseHold(over, eur.id)],
    ] as const) {
      expect(await post(over.transactionId, step, postings)).toMatchObject({ ok: false })
    }
    expect(await balances()).toEqual([10_000, 50_000])
    await mustPost(most.transactionId, 'release', releaseHold(most, eur.id))
    for (const [step, end] of [
      ['capture', captureHold],
      ['execute', releaseHold],
    ] as const) {
      expect(await post(most.transactionId, step, end(most, eur.id))).toMatchObject({ ok: false })
    }
    expect(await balances()).toEqual([50_000, 50_000])
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
