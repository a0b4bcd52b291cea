import type { RailClient } from '@corridor/engine/ports/rail.ts'
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
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

// Flows of accounts 13 whose end state no worked example shows, as the ledger has them.

const server = await openTestServer()
let platform: Awaited<ReturnType<TestServer['platform']>>
let api: CorridorClient
let customer: Customer

beforeEach(async () => {
  platform = await server.platform()
  api = server.client(platform)
  customer = await createCustomer(api)
})
afterEach(() => server.expectSoundLedger())

async function funded(currency: string, amountMinor: number) {
  const account = await internalAccountOf(api, customer.id, currency)
  await fund(api, account.id, amountMinor)
  return account
}

async function transaction(transactionId: string) {
  return must(api.GET('/transactions/{transactionId}', { params: { path: { transactionId } } }))
}

const ledger = () => server.ledgerBalances(platform)

describe('a payment in one currency (rows 1, 16, 18)', () => {
  it.each([
    ['002', 'QUOTE_EXECUTION_FAILED', 'before it was converted'],
    ['004', 'ACCOUNT_CANNOT_RECEIVE', 'before it was delivered'],
    ['005', 'PAYOUT_RETURNED', 'after it was delivered'],
  ])('to …%s fails as %s, %s, and leaves no trace', async (suffix, failureReason) => {
    const usd = await funded('USD', 10_000)
    const before = await ledger()
    const payee = await createPayee(api, 'USD', `000123456${suffix}`, { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 4_000))
    await must(execute(api, quote.id))
    await server.settle()
    await server.pass(2_000)
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'FAILED', failureReason })
    expect(await ledger()).toEqual(before)
  })
})

describe('a payout on a chain', () => {
  const wallet = (suffix: string) =>
    createPayee(api, 'SOLANA', `${'7'.repeat(40)}${suffix}`, { customerId: customer.id })
  const transferOut = (source: { id: string }, destination: { id: string }, amount: number) => {
    const body = { source: { accountId: source.id }, destination: { accountId: destination.id }, amount }
    return api.POST('/transfer-out', { body: body as never })
  }

  it('by transfer costs what the chain takes, out of what arrives (row 15)', async () => {
    const usdc = await funded('USDC', 1_000_000)
    const { id } = await must(transferOut(usdc, await wallet('889'), 1_000_000))
    await server.settle()
    expect(await transaction(id)).toMatchObject({
      status: 'COMPLETED',
      sentAmount: { amount: 1_000_000 },
      receivedAmount: { amount: 995_000 },
      fees: 5_000,
      paymentRail: null,
    })
    expect(await ledger()).toEqual({
      'rail:sandbox:USDC': -1_000_000n,
      'netfee:USDC': 5_000n,
      'rail:SOLANA:USDC': 995_000n,
    })
  })

  it('that fails gives the part of the network back as well, converted or not (UNWIND)', async () => {
    const usdc = await funded('USDC', 1_000_000)
    const usd = await funded('USD', 20_000)
    const before = await ledger()
    const failing = await wallet('004')
    const { id } = await must(transferOut(usdc, failing, 1_000_000))
    const quote = await createQuote(api, quoteBody(usd, failing, 20_000))
    expect(quote).toMatchObject({ feesIncluded: 21, totalReceivingAmount: 199_790_000 })
    await must(execute(api, quote.id))
    await server.settle()
    for (const failed of [id, quote.transactionId]) {
      expect(await transaction(failed)).toMatchObject({ status: 'FAILED', refund: { status: 'COMPLETED' } })
    }
    expect(await ledger()).toEqual(before)
  })

  it('over Lightning is a conversion and a delivery like any other (row 11)', async () => {
    const usd = await funded('USD', 9_548)
    const accountInfo = { accountType: 'LIGHTNING', lightningAddress: 'amina@wallet.example' }
    const body = { customerId: customer.id, currency: 'BTC', accountInfo }
    const payee = await must(api.POST('/customers/external-accounts', { body: body as never }))
    const quote = await createQuote(
      api,
      quoteBody(usd, payee, 100_000, { lockedCurrencySide: 'RECEIVING', immediatelyExecute: true }),
    )
    expect(quote).toMatchObject({ status: 'COMPLETED', totalSendingAmount: 9_548 })
    expect(await transaction(quote.transactionId)).toMatchObject({
      paymentRail: null,
      railSelectionMode: null,
    })
    expect(await ledger()).toEqual({
      'rail:sandbox:USD': -9_548n,
      'fee:USD': 48n,
      'fx:USD': 9_500n,
      'fx:BTC': -100_000n,
      'rail:LIGHTNING:BTC': 100_000n,
    })
  })
})

describe('a pull into an account of another currency (row 5)', () => {
  it('converts what was collected, and the platform earns its fee', async () => {
    const fixedFee = { amount: 50, currency: 'USD' }
    const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', variableFeeBps: 30, fixedFee }
    await must(api.PATCH('/config', { body: { feeConfigs: [fee as never] } }))
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const own = await must(api.GET('/platform/internal-accounts', { params: { query: { currency: 'USD' } } }))
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(bank, eur, 20_000))
    await must(execute(api, quote.id))
    expect(await ledger()).toEqual({})
    await server.settle()
    expect(await ledger()).toEqual({
      'rail:ACH:USD': -20_000n,
      'fee:USD': 100n,
      'fx:USD': 19_790n,
      [`avail:${own.data[0]!.id}`]: 110n,
      'fx:EUR': -17_019n,
      [`avail:${eur.id}`]: 17_019n,
    })
  })
})

describe('a pull that the bank takes back (row 5)', () => {
  const day = 24 * 60 * 60_000

  /** A bank that pays at once and takes everything back on the next day. */
  function takesBack() {
    const scripted = server.thirdParties.SANDBOX.rail('ACH')!
    const rail: RailClient = {
      ...scripted,
      async fetchPull(pull, now) {
        const returnAt = pull.submittedAt + day
        return now < returnAt ? { status: 'SETTLED', checkAt: returnAt } : { status: 'RETURNED' }
      },
    }
    vi.spyOn(server.thirdParties.SANDBOX, 'rail').mockReturnValue(rail)
  }
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('is debited as far as the money is still there; the rest its owner owes', async () => {
    takesBack()
    const usd = await internalAccountOf(api, customer.id, 'USD')
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const body = { source: { accountId: bank.id }, destination: { accountId: usd.id }, amount: 12_550 }
    const { id } = await must(api.POST('/transfer-in', { body: body as never }))
    await server.settle()
    expect(await transaction(id)).toMatchObject({ status: 'COMPLETED', settledAt: expect.any(String) })
    const payee = await createPayee(api, 'USD', '000123456892', { customerId: customer.id })
    await createQuote(api, quoteBody(usd, payee, 10_000, { immediatelyExecute: true }))

    await server.pass(day)
    const returned = await transaction(id)
    expect(returned).toMatchObject({ status: 'FAILED', failureReason: 'COLLECTION_FAILED' })
    expect(returned).not.toHaveProperty('settledAt')
    expect(returned).not.toHaveProperty('refund')
    expect(await ledger()).toEqual({ 'rail:RTP:USD': 10_000n, [`recv:${customer.id}:USD`]: -10_000n })
    const told = (await server.events(platform)).slice(-4)
    expect(told).toMatchObject([
      { type: 'INCOMING_PAYMENT.FAILED', data: { id, status: 'FAILED' } },
      // What the account keeps of it.
      { type: 'INCOMING_PAYMENT.COMPLETED', data: { receivedAmount: { amount: 10_000 } } },
      { type: 'RECEIVABLE.CREATED', data: { transactionId: id, amount: { amount: 10_000 } } },
      { type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED', data: { id: usd.id, balance: { amount: 0 } } },
    ])
  })

  it('is converted back, and leaves no position and no fee', async () => {
    takesBack()
    const eur = await internalAccountOf(api, customer.id, 'EUR')
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(bank, eur, 20_000))
    await must(execute(api, quote.id))
    await server.settle()
    expect((await internalAccountOf(api, customer.id, 'EUR')).balance.amount).toBe(17_114)
    await server.pass(day)
    expect(await transaction(quote.transactionId)).toMatchObject({ status: 'FAILED' })
    const path = { params: { path: { quoteId: quote.id } } }
    expect(await must(api.GET('/quotes/{quoteId}', path))).toMatchObject({ status: 'FAILED' })
    expect(await ledger()).toEqual({})
  })
})

describe('payouts from the account of the platform (row 14)', () => {
  it('are as many journals as quotes; the one that it cannot cover fails alone', async () => {
    const own = await must(api.GET('/platform/internal-accounts', { params: { query: { currency: 'USD' } } }))
    const platformUsd = own.data[0]!
    await fund(api, platformUsd.id, 30_000)
    const payees = await Promise.all(
      ['891', '892', '893', '894'].map((suffix) => createPayee(api, 'USD', `000123456${suffix}`)),
    )
    const quotes = await Promise.all(
      payees.map((payee) => createQuote(api, quoteBody(platformUsd, payee, 10_000))),
    )
    const codes: unknown[] = []
    for (const { id } of quotes) {
      const { response, error } = await execute(api, id)
      codes.push(error?.code ?? response.status)
    }
    expect(codes).toEqual([200, 200, 200, 'INSUFFICIENT_BALANCE'])
    await server.settle()
    expect(await ledger()).toEqual({ 'rail:sandbox:USD': -30_000n, 'rail:RTP:USD': 30_000n })
    const statuses = await Promise.all(quotes.map(async ({ transactionId }) => transaction(transactionId)))
    expect(statuses.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED', 'PENDING'])
  })
})
