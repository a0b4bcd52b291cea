import type { CorridorClient } from '@corridor/sdk/path-client.ts'
import {
  type Customer,
  createCustomer,
  createPayee,
  createQuote,
  type ExternalAccount,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { beforeAll, describe, expect, it } from 'vitest'

const server = await openTestServer()

type Platform = Awaited<ReturnType<TestServer['platform']>>

const list = (api: CorridorClient, query: object = {}) =>
  api.GET('/transactions', { params: { query: query as never } })

async function idsOf(api: CorridorClient, query: object): Promise<string[]> {
  const { data, totalCount, hasMore } = await must(list(api, { limit: 100, ...query }))
  expect({ totalCount, hasMore }).toEqual({ totalCount: data.length, hasMore: false })
  return data.map(({ id }) => id)
}

describe('the filters of transactions (10.3)', () => {
  let platform: Platform
  let api: CorridorClient
  let customer: Customer
  let usd: { id: string }
  let euro: { id: string }
  let platformUsd: { id: string }
  let payee: ExternalAccount
  let closed: ExternalAccount
  /** What each movement is called below, oldest first, and its id. */
  const made: Record<string, string> = {}
  const createdAt: Record<string, string> = {}

  /** Names every transaction that has appeared since the last call. */
  async function note(name: string): Promise<void> {
    const known = new Set(Object.values(made))
    const { data } = await must(list(api, { limit: 100 }))
    const fresh = data.filter(({ id }) => !known.has(id))
    expect(fresh, name).toHaveLength(1)
    made[name] = fresh[0]!.id
    createdAt[name] = fresh[0]!.createdAt
    await server.pass(1_000)
  }

  async function pay(name: string, destination: { id: string }, amount = 10_000): Promise<void> {
    const quote = await createQuote(api, quoteBody(usd, destination, amount))
    await must(execute(api, quote.id))
    await server.settle()
    await note(name)
  }

  beforeAll(async () => {
    platform = await server.platform()
    api = server.client(platform)
    customer = await createCustomer(api, { platformCustomerId: 'ana-1' })
    usd = await internalAccountOf(api, customer.id, 'USD')
    euro = await internalAccountOf(api, customer.id, 'EUR')
    const owned = await must(
      api.GET('/platform/internal-accounts', { params: { query: { currency: 'USD' } } }),
    )
    platformUsd = owned.data[0]!
    const ofCustomer = { customerId: customer.id }
    payee = await createPayee(api, 'EUR', 'DE89370400440532013000', ofCustomer)
    closed = await createPayee(api, 'EUR', 'DE00000000000000000004', ofCustomer)

    await fund(api, usd.id, 1_000_000)
    await note('deposit')
    await fund(api, platformUsd.id, 1_000_000)
    await note('platform deposit')
    await pay('payout', payee)
    await pay('failed', closed)
    await pay('conversion', euro)
    const realtime = await createQuote(api, {
      source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id as never, currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: payee.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
    } as never)
    await must(api.POST('/sandbox/send', { body: { quoteId: realtime.id, currencyCode: 'USD' } as never }))
    await server.settle()
    await note('realtime')
  })

  const names = (ids: readonly string[]) =>
    ids.map((id) => Object.keys(made).find((name) => made[name] === id)).reverse()

  const everything = ['deposit', 'platform deposit', 'payout', 'failed', 'conversion', 'realtime']
  const ofCustomer = everything.filter((name) => name !== 'platform deposit')

  it('leave everything, newest first, when there are none', async () => {
    expect(names(await idsOf(api, {}))).toEqual(everything)
    expect(names(await idsOf(api, { sortOrder: 'asc' }))).toEqual([...everything].reverse())
  })

  it('select an owner: a customer, or the platform by its own id', async () => {
    expect(names(await idsOf(api, { customerId: customer.id }))).toEqual(ofCustomer)
    const own = `PlatformConfig:${platform.platformId}`
    expect(names(await idsOf(api, { customerId: own }))).toEqual(['platform deposit'])
    expect(names(await idsOf(api, { platformCustomerId: 'ana-1' }))).toEqual(ofCustomer)
    expect(names(await idsOf(api, { platformCustomerId: 'platform' }))).toEqual(['platform deposit'])
    expect(await idsOf(api, { platformCustomerId: 'ANA-1' })).toEqual([])
    const unknown = '0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    for (const customerId of [`Customer:${unknown}`, `PlatformConfig:${unknown}`]) {
      expect(await idsOf(api, { customerId })).toEqual([])
    }
  })

  it('select an account on either side, or on one', async () => {
    const byAccount = async (accountIdentifier: string) => names(await idsOf(api, { accountIdentifier }))
    const bySender = async (id: string) => names(await idsOf(api, { senderAccountIdentifier: id }))
    const byReceiver = async (id: string) => names(await idsOf(api, { receiverAccountIdentifier: id }))
    expect(await byAccount(usd.id)).toEqual(['deposit', 'payout', 'failed', 'conversion'])
    expect(await bySender(usd.id)).toEqual(['payout', 'failed', 'conversion'])
    expect(await byReceiver(usd.id)).toEqual(['deposit'])
    expect(await byAccount(payee.id)).toEqual(['payout', 'realtime'])
    expect(await bySender(payee.id)).toEqual([])
    expect(await byReceiver(payee.id)).toEqual(['payout', 'realtime'])
    expect(await byReceiver(euro.id)).toEqual(['conversion'])
    expect(await byAccount('$nobody@elsewhere.example')).toEqual([])
    expect(await byAccount('ExternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70')).toEqual([])
    const both = { senderAccountIdentifier: usd.id, receiverAccountIdentifier: euro.id }
    expect(names(await idsOf(api, both))).toEqual(['conversion'])
  })

  it('find UMA addresses on their side, in upper and lower case', async () => {
    await server.rows(
      `update transactions set sender_identifiers = sender_identifiers || $4::text
       where platform_id = $1 and environment = $2 and id = $3`,
      [platform.platformId, platform.environment, made['platform deposit'], '$ana@uma.example'],
    )
    for (const address of ['$ana@uma.example', '$ANA@UMA.example']) {
      expect(names(await idsOf(api, { senderAccountIdentifier: address }))).toEqual(['platform deposit'])
      expect(names(await idsOf(api, { accountIdentifier: address }))).toEqual(['platform deposit'])
      expect(await idsOf(api, { receiverAccountIdentifier: address })).toEqual([])
    }
  })

  it('select currencies of either side, amounts, a rail, a reason, and when something changed', async () => {
    const by = async (query: object) => names(await idsOf(api, query))
    expect(await by({ receivedCurrency: 'EUR' })).toEqual(['payout', 'failed', 'conversion', 'realtime'])
    expect(await by({ sentCurrency: 'USD', receivedCurrency: ['EUR', 'USD'] })).toEqual(
      await by({ sentCurrency: 'USD' }),
    )
    expect(await by({ minAmount: 1_000_000 })).toEqual(['deposit', 'platform deposit'])
    expect(await by({ minAmount: 10_001, maxAmount: 999_999 })).toEqual([])
    expect(await by({ maxAmount: 10_000 })).toEqual(['payout', 'failed', 'conversion', 'realtime'])
    expect(await by({ failureReason: 'ACCOUNT_CANNOT_RECEIVE' })).toEqual(['failed'])
    const { data } = await must(list(api, { status: 'COMPLETED', type: 'OUTGOING', limit: 100 }))
    const payout = data.find(({ id }) => id === made.payout) as { paymentRail: string; updatedAt: string }
    expect(await by({ paymentRail: payout.paymentRail })).toContain('payout')
    expect(await by({ paymentRail: 'SPEI' })).toEqual([])
    expect(await by({ updatedAfter: payout.updatedAt })).toContain('payout')
    expect(await by({ updatedBefore: new Date(Date.parse(payout.updatedAt) - 1).toISOString() })).toEqual([
      'deposit',
      'platform deposit',
    ])
    for (const query of [
      { minAmount: -1 },
      { paymentRail: 'PIGEON' },
      { failureReason: 'WEATHER' },
      { isStuck: 'perhaps' },
    ]) {
      expect((await list(api, query)).response.status, JSON.stringify(query)).toBe(400)
    }
  })

  it('select a reference: of the payment, its funding or its refund', async () => {
    const read = (name: string) =>
      must(api.GET('/transactions/{transactionId}', { params: { path: { transactionId: made[name]! } } }))
    const payout = (await read('payout')) as { reconciliationInstructions?: { reference?: string } }
    const reference = payout.reconciliationInstructions!.reference!
    expect(names(await idsOf(api, { reference }))).toEqual(['payout'])
    expect(await idsOf(api, { reference: reference.toLowerCase() })).toEqual([])
    const realtime = await read('realtime')
    const quote = await must(
      api.GET('/quotes/{quoteId}', {
        params: { path: { quoteId: (realtime as { quoteId?: string }).quoteId! } },
      }),
    )
    const [instruction] = quote.paymentInstructions!
    const funding = (instruction!.accountOrWalletInfo as { reference: string }).reference
    expect(names(await idsOf(api, { reference: funding }))).toEqual(['realtime'])
    const failed = (await read('failed')) as { refund?: { reference?: string } }
    expect(failed.refund!.reference).toEqual(expect.any(String))
    expect(names(await idsOf(api, { reference: failed.refund!.reference }))).toEqual(['failed'])
  })

  it('select a status and a type', async () => {
    expect(names(await idsOf(api, { status: 'FAILED' }))).toEqual(['failed'])
    expect(names(await idsOf(api, { status: 'COMPLETED' }))).toEqual(
      everything.filter((name) => name !== 'failed'),
    )
    expect(await idsOf(api, { status: 'PENDING' })).toEqual([])
    expect(names(await idsOf(api, { type: 'INCOMING' }))).toEqual(['deposit', 'platform deposit'])
    expect(names(await idsOf(api, { type: 'OUTGOING', status: 'COMPLETED' }))).toEqual([
      'payout',
      'conversion',
      'realtime',
    ])
  })

  it('that are repeated select any of their values, and still combine with the others', async () => {
    const byStatus = await idsOf(api, { status: ['FAILED', 'COMPLETED'] })
    expect(names(byStatus)).toEqual(everything)
    expect(await idsOf(api, { status: ['FAILED', 'PENDING'] })).toEqual([made.failed])
    expect(await idsOf(api, { status: ['FAILED', 'FAILED'], type: 'OUTGOING' })).toEqual([made.failed])
    expect(await idsOf(api, { status: ['FAILED', 'PENDING'], type: 'INCOMING' })).toEqual([])
    expect(names(await idsOf(api, { type: ['INCOMING', 'OUTGOING'] }))).toEqual(everything)

    const own = `PlatformConfig:${platform.platformId}`
    expect(names(await idsOf(api, { customerId: [own, customer.id] }))).toEqual(everything)
    const nobody = 'Customer:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    expect(names(await idsOf(api, { customerId: [nobody, own] }))).toEqual(['platform deposit'])
    expect(names(await idsOf(api, { platformCustomerId: ['ana-1', 'platform'] }))).toEqual(everything)
  })

  it('that name several accounts find a transaction between two of them once', async () => {
    const accounts = [usd.id, euro.id]
    const onEither = ['deposit', 'payout', 'failed', 'conversion']
    expect(names(await idsOf(api, { accountIdentifier: accounts }))).toEqual(onEither)
    expect(names(await idsOf(api, { receiverAccountIdentifier: accounts }))).toEqual([
      'deposit',
      'conversion',
    ])
    expect(names(await idsOf(api, { senderAccountIdentifier: [...accounts, platformUsd.id] }))).toEqual([
      'payout',
      'failed',
      'conversion',
    ])
    const { data } = await must(list(api, { limit: 100 }))
    const referenceOf = (name: string) => {
      const found = data.find(({ id }) => id === made[name]) as {
        reconciliationInstructions?: { reference?: string }
        refund?: { reference?: string }
      }
      return found.refund?.reference ?? found.reconciliationInstructions!.reference!
    }
    const reference = [referenceOf('payout'), referenceOf('failed'), 'none']
    expect(names(await idsOf(api, { reference }))).toEqual(['payout', 'failed'])
  })

  it('that are repeated bind a cursor to their values, however these are written', async () => {
    const asked = { status: ['FAILED', 'COMPLETED'], limit: 2 }
    const { nextCursor: cursor } = await must(list(api, asked))
    const first = await must(list(api, { ...asked, cursor }))
    const written = { status: ['COMPLETED', 'FAILED', 'COMPLETED'], limit: 2, cursor }
    expect(await must(list(api, written))).toEqual(first)
    expect(names(first.data.map(({ id }) => id))).toEqual(['payout', 'failed'])
    for (const status of ['COMPLETED', ['COMPLETED', 'PENDING'], undefined]) {
      const { response, error } = await list(api, { ...(status ? { status } : {}), limit: 2, cursor })
      expect([response.status, error?.code, error?.details?.field]).toEqual([400, 'INVALID_INPUT', 'cursor'])
    }
  })

  it.each([
    ['a wrong value among several', { status: ['COMPLETED', 'NEVER'] }, 'status'],
    ['a wrong id among several', { customerId: ['Customer:1', 'Customer:2'] }, 'customerId'],
    ['a bound twice', { startDate: ['2025-10-01T00:00:00Z', '2025-10-02T00:00:00Z'] }, 'startDate'],
    ['an order twice', { sortOrder: ['asc', 'desc'] }, 'sortOrder'],
    ['a limit twice', { limit: [1, 2] }, 'limit'],
    ['a cursor twice', { cursor: ['a', 'b'] }, 'cursor'],
  ])('are refused with %s', async (_what, query, field) => {
    const { response, error } = await list(api, query)
    expect([response.status, error?.code, error?.details?.field]).toEqual([400, 'INVALID_INPUT', field])
  })

  it('select a span of time with both its ends', async () => {
    const within = async (startDate?: string, endDate?: string) =>
      names(await idsOf(api, { ...(startDate ? { startDate } : {}), ...(endDate ? { endDate } : {}) }))
    const [from, to] = [createdAt.payout!, createdAt.conversion!]
    const shifted = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()
    expect(await within(from, to)).toEqual(['payout', 'failed', 'conversion'])
    expect(await within(shifted(from, 1), shifted(to, -1))).toEqual(['failed'])
    expect(await within(from, from)).toEqual(['payout'])
    expect(await within(to)).toEqual(['conversion', 'realtime'])
    expect(await within(undefined, from)).toEqual(['deposit', 'platform deposit', 'payout'])
    const elsewhere = `${shifted(from, 2 * 3_600_000).slice(0, -1)}+02:00`
    expect(await within(elsewhere, elsewhere)).toEqual(['payout'])
  })

  it.each([
    ['status', 'DONE'],
    ['type', 'incoming'],
    ['customerId', 'Customer:1'],
    ['customerId', 'InternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'],
    ['accountIdentifier', 'InternalAccount:1'],
    ['senderAccountIdentifier', 'nonsense'],
    ['receiverAccountIdentifier', 'Customer:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'],
    ['startDate', 'yesterday'],
    ['endDate', '2025-10-13T09:00:00'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1.5'],
    ['sortOrder', 'newest'],
    ['cursor', 'nonsense'],
  ])('refuse %s %s', async (field, value) => {
    expect((await list(api, { [field]: value })).error).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      details: { field },
    })
  })

  it('refuse a span that ends before it starts, and a cursor of other filters', async () => {
    const span = { startDate: createdAt.conversion, endDate: createdAt.payout }
    expect((await list(api, span)).error).toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'startDate' },
    })
    const { nextCursor } = await must(list(api, { limit: 1 }))
    expect((await list(api, { limit: 2, cursor: nextCursor })).response.status).toBe(200)
    for (const other of [{ status: 'COMPLETED' }, { sortOrder: 'asc' }]) {
      const { error } = await list(api, { limit: 1, cursor: nextCursor, ...other })
      expect(error).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'cursor' } })
    }
  })

  it('show nothing of another platform, nor of the other environment', async () => {
    const stranger = server.client(await server.platform())
    expect(await idsOf(stranger, {})).toEqual([])
    expect(await idsOf(stranger, { customerId: customer.id })).toEqual([])
    expect(await idsOf(stranger, { accountIdentifier: usd.id })).toEqual([])
    const { nextCursor } = await must(list(api, { limit: 1 }))
    expect((await list(stranger, { limit: 1, cursor: nextCursor })).error).toMatchObject({
      details: { field: 'cursor' },
    })
  })
})

describe('pages of transactions', () => {
  it('hold twenty: twenty-five are two of them (16.16)', async () => {
    const api = server.client(await server.platform())
    const customer = await createCustomer(api)
    const usd = await internalAccountOf(api, customer.id, 'USD')
    for (let count = 0; count < 25; count++) await fund(api, usd.id, 100)
    const first = await must(list(api, { limit: 20 }))
    expect(first).toMatchObject({ hasMore: true, totalCount: 25, nextCursor: expect.any(String) })
    const last = await must(list(api, { limit: 20, cursor: first.nextCursor }))
    expect(last).toMatchObject({ hasMore: false, totalCount: 25 })
    expect(last).not.toHaveProperty('nextCursor')
    expect([first.data.length, last.data.length]).toEqual([20, 5])
    expect(new Set([...first.data, ...last.data].map(({ id }) => id)).size).toBe(25)
    expect((await must(list(api))).data).toEqual(first.data)
    for (const limit of [0, 101, 'ten']) {
      expect((await list(api, { limit })).error).toMatchObject({
        status: 400,
        code: 'INVALID_INPUT',
        details: { field: 'limit' },
      })
    }
  })
})

describe('actions on a transaction (10.4)', () => {
  const unknown = 'Transaction:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'

  async function start() {
    const api = server.client(await server.platform())
    const customer = await createCustomer(api)
    const usd = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, usd.id, 100_000)
    const { data } = await must(list(api))
    const confirm = (transactionId: string, body?: object) =>
      api.POST('/transactions/{transactionId}/confirm', {
        params: { path: { transactionId } },
        ...(body ? { body: body as never } : {}),
      })
    return { api, customer, usd, deposit: data[0]!, confirm }
  }

  it('confirm records when the receipt was delivered, moves nothing, and may be repeated', async () => {
    const { api, usd, customer, deposit, confirm } = await start()
    const first = await must(confirm(deposit.id))
    const now = new Date(server.world.now()).toISOString()
    expect(first).toMatchObject({ id: deposit.id, status: 'COMPLETED', receiptDeliveryConfirmedAt: now })
    expect(Date.parse(first.updatedAt!)).toBeGreaterThan(Date.parse(deposit.updatedAt!))
    const earlier = '2025-10-01T12:00:00+02:00'
    expect(await must(confirm(deposit.id, { receiptDeliveryConfirmedAt: earlier }))).toMatchObject({
      receiptDeliveryConfirmedAt: '2025-10-01T10:00:00.000Z',
    })
    const tolerated = new Date(server.world.now() + 300_000).toISOString()
    expect((await confirm(deposit.id, { receiptDeliveryConfirmedAt: tolerated })).response.status).toBe(200)
    const read = await must(
      api.GET('/transactions/{transactionId}', { params: { path: { transactionId: deposit.id } } }),
    )
    expect(read).toMatchObject({
      receiptDeliveryConfirmedAt: tolerated,
      settledAt: (deposit as { settledAt?: string }).settledAt,
    })
    expect((await internalAccountOf(api, customer.id, 'USD')).balance.amount).toBe(100_000)
    expect(usd.id).toBeDefined()
  })

  it('confirm refuses a time to come, one that is none, and what it does not know', async () => {
    const { deposit, confirm } = await start()
    const tooLate = new Date(server.world.now() + 300_001).toISOString()
    for (const time of [tooLate, 'noon', '2025-10-01T12:00:00', 5]) {
      const { error } = await confirm(deposit.id, { receiptDeliveryConfirmedAt: time })
      expect(error).toMatchObject({
        status: 400,
        code: 'INVALID_INPUT',
        details: { field: 'receiptDeliveryConfirmedAt' },
      })
    }
    for (const id of [unknown, 'nonsense']) {
      expect((await confirm(id)).error).toMatchObject({ status: 404, code: 'TRANSACTION_NOT_FOUND' })
    }
  })

  it.each(['approve', 'reject'] as const)('%s is a conflict where nobody is asked', async (action) => {
    const { api, customer, usd, deposit } = await start()
    const decide = (transactionId: string) =>
      api.POST(`/transactions/{transactionId}/${action}`, { params: { path: { transactionId } } })
    const payee = await createPayee(api, 'EUR', 'DE89370400440532013003', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 10_000))
    await must(execute(api, quote.id))
    for (const id of [deposit.id, quote.transactionId]) {
      const { error, response } = await decide(id)
      expect(error).toMatchObject({ status: 409, code: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL' })
      expect(response.headers.get('x-should-retry')).toBe('false')
    }
    expect((await decide(unknown)).error).toMatchObject({ status: 404, code: 'TRANSACTION_NOT_FOUND' })
  })
})
