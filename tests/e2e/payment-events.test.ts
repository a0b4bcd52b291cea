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
  recordWebhooks,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { beforeEach, describe, expect, it } from 'vitest'

const receiver = recordWebhooks()
const server = await openTestServer({ network: receiver.network })
let platform: Awaited<ReturnType<TestServer['platform']>>
let api: CorridorClient
let customer: Customer
let usd: { id: string }
let platformUsd: { id: string }

beforeEach(async () => {
  platform = await server.platform()
  api = server.client(platform)
  customer = await createCustomer(api)
  usd = await internalAccountOf(api, customer.id, 'USD')
  const own = await must(api.GET('/platform/internal-accounts', { params: { query: { currency: 'USD' } } }))
  platformUsd = own.data[0]!
})

/** Everything that is told while something is done, each with what tells it from its neighbours. */
async function toldDuring(act: () => Promise<unknown>): Promise<unknown[][]> {
  const before = (await server.events(platform)).length
  await act()
  const events = (await server.events(platform)).slice(before)
  return events.map(({ type, data }) => {
    if (type !== 'INTERNAL_ACCOUNT.BALANCE_UPDATED') return [type, data.id, data.status]
    const { amount } = data.balance as { amount: number }
    expect(data.totalBalance).toEqual(data.balance)
    return [type, data.id, amount]
  })
}

const balanceOf = (account: { id: string }, amount: number) => [
  'INTERNAL_ACCOUNT.BALANCE_UPDATED',
  account.id,
  amount,
]

/** A platform fee of half a dollar and 30 basis points on what is converted from dollars. */
async function earnFees() {
  const fixedFee = { amount: 50, currency: 'USD' }
  const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', variableFeeBps: 30, fixedFee }
  await must(api.PATCH('/config', { body: { feeConfigs: [fee as never] } }))
}

const executed = async (quoteId: string) => {
  await must(execute(api, quoteId))
  await server.settle()
}

describe('what is told of a payment (accounts 14)', () => {
  it('is nothing before money moves', async () => {
    const told = await toldDuring(async () => {
      const payee = await createPayee(api, 'MXN', '646180110400000891', { customerId: customer.id })
      const path = { params: { path: { externalAccountId: payee.id } } }
      await must(
        api.GET('/receiver/external-account/{accountId}', {
          params: { path: { accountId: payee.id }, query: { customerId: customer.id as never } },
        }),
      )
      await createQuote(api, quoteBody(usd, payee, 20_000))
      await api.DELETE('/customers/external-accounts/{externalAccountId}', path)
      await createCustomer(api, { fullName: 'Ben Okafor' })
      await server.settle()
    })
    expect(told).toEqual([])
  })

  it('is the payment first, then each account that the step moved, once', async () => {
    await earnFees()
    await fund(api, usd.id, 50_000)
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const { id, transactionId } = await createQuote(api, quoteBody(usd, eur, 20_000))
    expect(await toldDuring(() => executed(id))).toEqual([
      ['OUTGOING_PAYMENT.PENDING', transactionId, 'PENDING'],
      balanceOf(usd, 30_000),
      ['OUTGOING_PAYMENT.PROCESSING', transactionId, 'PROCESSING'],
      ['OUTGOING_PAYMENT.COMPLETED', transactionId, 'COMPLETED'],
      ['INCOMING_PAYMENT.COMPLETED', expect.stringMatching('^Transaction:'), 'COMPLETED'],
      // 19790 of the 20000 cents are converted: 100 of fee and 110 of the platform's are not.
      balanceOf(eur, 17_019),
      balanceOf(platformUsd, 110),
    ])
  })

  it('names the platform’s account once where it pays and earns at the same time', async () => {
    await earnFees()
    await fund(api, platformUsd.id, 50_000)
    const payee = await createPayee(api, 'MXN', '646180110400000891', { customerId: customer.id })
    const { id, transactionId } = await createQuote(api, quoteBody(platformUsd, payee, 20_000))
    expect(await toldDuring(() => executed(id))).toEqual([
      ['OUTGOING_PAYMENT.PENDING', transactionId, 'PENDING'],
      balanceOf(platformUsd, 30_000),
      ['OUTGOING_PAYMENT.PROCESSING', transactionId, 'PROCESSING'],
      ['OUTGOING_PAYMENT.COMPLETED', transactionId, 'COMPLETED'],
      ['INCOMING_PAYMENT.COMPLETED', expect.stringMatching('^Transaction:'), 'COMPLETED'],
      balanceOf(platformUsd, 30_110),
    ])
  })

  it('is both payments of a book transfer, then the balance of the receiver', async () => {
    await fund(api, usd.id, 50_000)
    const other = await createCustomer(api, { fullName: 'Ben Okafor' })
    const theirs = await internalAccountOf(api, other.id, 'USD')
    const { id, transactionId } = await createQuote(api, quoteBody(usd, theirs, 20_000))
    const told = await toldDuring(() => executed(id))
    expect(told).toEqual([
      ['OUTGOING_PAYMENT.PENDING', transactionId, 'PENDING'],
      balanceOf(usd, 30_000),
      ['OUTGOING_PAYMENT.PROCESSING', transactionId, 'PROCESSING'],
      ['OUTGOING_PAYMENT.COMPLETED', transactionId, 'COMPLETED'],
      ['INCOMING_PAYMENT.COMPLETED', expect.not.stringMatching(transactionId), 'COMPLETED'],
      balanceOf(theirs, 20_000),
    ])
  })

  it('of a cancelled payment keeps its status until the refund has resolved it', async () => {
    await fund(api, usd.id, 50_000)
    const payee = await createPayee(api, 'GBP', '12345006', { customerId: customer.id })
    const { id, transactionId } = await createQuote(api, quoteBody(usd, payee, 50_000))
    expect(await toldDuring(() => executed(id))).toEqual([
      ['OUTGOING_PAYMENT.PENDING', transactionId, 'PENDING'],
      balanceOf(usd, 0),
      ['OUTGOING_PAYMENT.PROCESSING', transactionId, 'PROCESSING'],
      ['OUTGOING_PAYMENT.REFUND_PENDING', transactionId, 'PROCESSING'],
      ['OUTGOING_PAYMENT.REFUND_COMPLETED', transactionId, 'PROCESSING'],
      ['OUTGOING_PAYMENT.COMPLETED', transactionId, 'COMPLETED'],
      balanceOf(usd, 50_000),
    ])
  })

  it('of a pull is its credit, when it has settled, and of a refused one no balance', async () => {
    const transferIn = (suffix: string) => async () => {
      const bank = await createPayee(api, 'USD', `000123456${suffix}`, { customerId: customer.id })
      const body = { source: { accountId: bank.id }, destination: { accountId: usd.id }, amount: 12_550 }
      await must(api.POST('/transfer-in', { body: body as never }))
      await server.settle()
    }
    const withoutIds = (told: unknown[][]) => told.map(([type, , what]) => [type, what])
    expect(withoutIds(await toldDuring(transferIn('891')))).toEqual([
      ['INCOMING_PAYMENT.PENDING', 'PENDING'],
      ['INCOMING_PAYMENT.COMPLETED', 'COMPLETED'],
      ['INTERNAL_ACCOUNT.BALANCE_UPDATED', 12_550],
    ])
    expect(withoutIds(await toldDuring(transferIn('004')))).toEqual([
      ['INCOMING_PAYMENT.PENDING', 'PENDING'],
      ['INCOMING_PAYMENT.FAILED', 'FAILED'],
    ])
  })
})

describe('a webhook of a payment', () => {
  it('shows the payment as it was, however late it arrives, each after the one before', async () => {
    const inbox = receiver.inbox()
    await must(api.PATCH('/config', { body: { webhookEndpoint: inbox.url } }))
    await fund(api, usd.id, 50_000)
    const payee = await createPayee(api, 'MXN', '646180110400000005', { customerId: customer.id })
    const { id, transactionId } = await createQuote(api, quoteBody(usd, payee, 20_000))
    await must(execute(api, id))
    await server.advance(platform, 10_000)
    await server.settle()
    const arrived = inbox.received
      .map(({ event }) => event)
      .filter(({ data }) => data.id === transactionId)
      .map(({ type, data }) => [type.split('.')[1], data.status, 'settledAt' in data, data.failureReason])
    expect(arrived).toEqual([
      ['PENDING', 'PENDING', false, undefined],
      ['PROCESSING', 'PROCESSING', false, undefined],
      ['COMPLETED', 'COMPLETED', true, undefined],
      ['FAILED', 'FAILED', false, 'PAYOUT_RETURNED'],
      ['REFUND_PENDING', 'FAILED', false, 'PAYOUT_RETURNED'],
      ['REFUND_COMPLETED', 'FAILED', false, 'PAYOUT_RETURNED'],
    ])
  })

  it.each([403, 422, 500])('asks for no approval of a pull: %i to it decides nothing', async (status) => {
    const inbox = receiver.inbox()
    await must(api.PATCH('/config', { body: { webhookEndpoint: inbox.url } }))
    await server.settle()
    inbox.answer(({ event }) => (event.type === 'INCOMING_PAYMENT.PENDING' ? status : 200))
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const body = { source: { accountId: bank.id }, destination: { accountId: usd.id }, amount: 12_550 }
    const { id } = await must(api.POST('/transfer-in', { body: body as never }))
    await server.settle()
    const path = { params: { path: { transactionId: id } } }
    expect(await must(api.GET('/transactions/{transactionId}', path))).toMatchObject({ status: 'COMPLETED' })
    expect((await internalAccountOf(api, customer.id, 'USD')).balance.amount).toBe(12_550)

    // An event that decides nothing is told again until it is taken, unlike a request for approval.
    inbox.answer(() => 200)
    await server.advance(platform, 60_000)
    const asked = inbox.received.filter(({ event }) => event.type === 'INCOMING_PAYMENT.PENDING')
    expect(asked).toHaveLength(2)
  })
})
