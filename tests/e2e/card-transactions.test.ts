import { openTestServer } from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { cardApi } from './card-api.ts'
import { operate } from './onboarding.ts'

// Cards 1.5 to 1.8 with the worked examples W1 to W4.

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

type Api = Awaited<ReturnType<typeof cardApi>>

/** Balances in cents: what can be spent, and what is there. */
async function balances({ account }: Api) {
  const { balance, totalBalance } = await account()
  return [balance.amount, totalBalance.amount]
}

const cardEvents = async ({ platform }: Api) =>
  (await server.events(platform))
    .filter(({ type }) => type.startsWith('CARD_TRANSACTION'))
    .map(({ type }) => type.slice(17))

const ledger = async ({ platform }: Api) => {
  const all = await server.ledgerBalances(platform)
  return {
    reserve: all['cardres:USD'] ?? 0n,
    network: all['cardnet:USD'] ?? 0n,
    exception: all['cardexc:USD'] ?? 0n,
  }
}

const dayMs = 24 * 60 * 60 * 1000

const clear = (api: Api, cardId: string, id: string, amount: number) =>
  api.simulate(cardId, 'clearing', { cardTransactionId: id, amount })

describe('W1: coffee with tip', () => {
  it('authorizes, over-clears, returns and reverses to the cent', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard({ platformCardId: 'demo-tip', maxSpendPerTransaction: 5_000 })
    const authorized = await api.authorize(card.id, 1_250)
    expect(authorized).toMatchObject({
      type: 'CARD',
      status: 'AUTHORIZED',
      direction: 'DEBIT',
      cardId: card.id,
      accountId: api.usd.id,
      authorizedAmount: { amount: 1_250, currency: { code: 'USD' } },
      pullSummary: { count: 1, totalAmount: 1_250, pendingCount: 1 },
    })
    for (const field of ['settledAmount', 'refundedAmount', 'lastEventAt'])
      expect(authorized).not.toHaveProperty(field)
    expect(await balances(api)).toEqual([48_750, 50_000])
    const { id } = authorized
    expect(await api.after(id)).toMatchObject({
      pullSummary: { count: 1, totalAmount: 1_250, pendingCount: 0 },
    })
    expect(await balances(api)).toEqual([48_750, 48_750])
    expect(await cardEvents(api)).toEqual(['AUTHORIZED'])

    const token = authorized.issuerTransactionToken
    expect(await clear(api, card.id, id, 1_500)).toMatchObject({
      status: 202,
      body: { issuerTransactionToken: token },
    })
    expect(await api.after(id)).toMatchObject({
      status: 'SETTLED',
      settledAmount: { amount: 1_500 },
      pullSummary: { count: 2, totalAmount: 1_500, pendingCount: 0 },
      settlementSummary: { count: 1, totalAmount: 1_500 },
    })
    expect(await balances(api)).toEqual([48_500, 48_500])

    const giveBack = (amount: number) => api.simulate(card.id, 'return', { cardTransactionId: id, amount })
    await giveBack(500)
    expect(await api.after(id)).toMatchObject({ status: 'SETTLED', refundedAmount: { amount: 500 } })
    expect(await balances(api)).toEqual([49_000, 49_000])
    expect(await giveBack(1_001)).toMatchObject({
      status: 400,
      body: { code: 'AMOUNT_OUT_OF_RANGE', details: { min: 1, max: 1_000, currency: 'USD' } },
    })
    await giveBack(1_000)
    expect(await api.after(id)).toMatchObject({
      status: 'REFUNDED',
      refundSummary: { count: 2, totalAmount: 1_500 },
    })
    expect(await balances(api)).toEqual([50_000, 50_000])
    await api.simulate(card.id, 'return_reversal', { cardTransactionId: id })
    expect(await api.after(id)).toMatchObject({
      status: 'SETTLED',
      refundedAmount: { amount: 500 },
      refundSummary: { count: 1, totalAmount: 500 },
    })
    expect(await balances(api)).toEqual([49_000, 49_000])
    expect(await ledger(api)).toEqual({ reserve: 0n, network: 1_000n, exception: 0n })
    expect(await cardEvents(api)).toEqual(['AUTHORIZED', 'SETTLED', 'SETTLED', 'REFUNDED', 'SETTLED'])
  })

  it('tells of the balance after what moved it, in the same breath', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const before = (await server.events(api.platform)).length
    await api.authorize(card.id, 1_250)
    const told = (await server.events(api.platform)).slice(before)
    expect(told.map(({ type }) => type)).toEqual([
      'CARD_TRANSACTION.AUTHORIZED',
      'INTERNAL_ACCOUNT.BALANCE_UPDATED',
    ])
    expect(told[1]!.data).toMatchObject({ balance: { amount: 48_750 }, totalBalance: { amount: 50_000 } })
  })
})

describe('W2: split shipment', () => {
  it('settles in parts and gives the rest back', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 3_000)
    await server.settle()
    const advise = (amount: number) =>
      api.simulate(card.id, 'authorization_advice', { cardTransactionId: id, amount })
    await clear(api, card.id, id, 1_000)
    expect(await api.after(id)).toMatchObject({
      status: 'PARTIALLY_SETTLED',
      settledAmount: { amount: 1_000 },
    })
    await advise(2_000)
    expect(await api.after(id)).toMatchObject({
      status: 'PARTIALLY_SETTLED',
      authorizedAmount: { amount: 2_000 },
    })
    expect(await balances(api)).toEqual([48_000, 48_000])
    expect(await advise(900)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    await clear(api, card.id, id, 0)
    expect(await api.after(id)).toMatchObject({
      status: 'SETTLED',
      settledAmount: { amount: 1_000 },
      pullSummary: { totalAmount: 1_000 },
    })
    expect(await balances(api)).toEqual([49_000, 49_000])
    expect(await clear(api, card.id, id, 1)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: { currentStatus: 'SETTLED' } },
    })
    expect(await ledger(api)).toEqual({ reserve: 0n, network: 1_000n, exception: 0n })
  })
})

describe('W3: declines', () => {
  it('leave no transaction, no event and the balance as it was, and are on record for the operator', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard({ maxSpendPerTransaction: 5_000 })
    const open = await api.authorize(card.id, 5_000)
    expect(open.status).toBe('AUTHORIZED')
    await server.settle()
    const told = (await server.events(api.platform)).length
    expect(await api.authorize(card.id, 5_001)).toBeUndefined()
    expect(await api.authorize(card.id, 100, { descriptor: 'SHOP 002' })).toBeUndefined()
    expect(await api.authorize(card.id, 100, { descriptor: 'SHOP 002  ' })).toBeUndefined()
    expect(await api.authorize(card.id, 100, { descriptor: 'SHOP 003' })).toBeUndefined()
    expect(await api.authorize(card.id, 100, { code: 'EUR' })).toBeUndefined()
    expect(await api.authorize(card.id, 4_999, { descriptor: 'A' })).toMatchObject({ status: 'AUTHORIZED' })
    await api.call('PATCH', `/cards/${card.id}`, { state: 'FROZEN' })
    expect(await api.authorize(card.id, 100)).toBeUndefined()
    await clear(api, card.id, open.id, 5_000)
    expect(await api.after(open.id)).toMatchObject({ status: 'SETTLED' })
    expect(
      (await server.events(api.platform))
        .slice(told)
        .filter(({ type }) => type === 'CARD_TRANSACTION.AUTHORIZED'),
    ).toHaveLength(1)
    const { body } = await operate(server, 'GET', `/cards/${card.id}/attempts`)
    expect(body.data.map(({ declineReason }: { declineReason?: string }) => declineReason).reverse()).toEqual(
      [
        undefined,
        'SPEND_LIMIT_EXCEEDED',
        'INSUFFICIENT_FUNDS',
        'INSUFFICIENT_FUNDS',
        'CARD_PAUSED',
        'CURRENCY_NOT_SUPPORTED',
        undefined,
        'CARD_PAUSED',
      ],
    )
  })

  it('meets a card that is not ready, closed, without money or funded by a frozen account', async () => {
    const api = await cardApi(server, { balance: 1_000 })
    const { body: waiting } = await api.issue({ platformCardId: 'card-001' })
    expect(await api.authorize(waiting.id, 100)).toBeUndefined()
    const card = await api.activeCard()
    expect(await api.authorize(card.id, 1_001)).toBeUndefined()
    expect(await api.authorize(card.id, 1_000)).toMatchObject({ status: 'AUTHORIZED' })
    await operate(server, 'POST', `/internal-accounts/${api.usd.id}/freeze`)
    expect(await api.authorize(card.id, 1)).toBeUndefined()
    await api.call('PATCH', `/cards/${card.id}`, { state: 'CLOSED' })
    expect(await api.authorize(card.id, 1)).toBeUndefined()
    const { body } = await operate(server, 'GET', `/cards/${card.id}/attempts`)
    expect(body.data.map(({ declineReason }: { declineReason?: string }) => declineReason)).toEqual([
      'CARD_CLOSED',
      'FUNDING_SOURCE_UNAVAILABLE',
      undefined,
      'INSUFFICIENT_FUNDS',
    ])
  })

  it('approves exactly what fits of thirty at once', async () => {
    const api = await cardApi(server, { balance: 10_000 })
    const card = await api.activeCard()
    await Promise.all(
      Array.from({ length: 30 }, () =>
        api.simulate(card.id, 'authorization', {
          amount: 900,
          currency: { code: 'USD' },
          merchant: { descriptor: 'STORM' },
        }),
      ),
    )
    const { data } = (await api.call('GET', '/transactions?type=CARD&limit=100')).body
    expect(data).toHaveLength(11)
    expect(await balances(api)).toEqual([100, 10_000])
  })
})

describe('W4: exceptions', () => {
  it('of a charge that fails when it is confirmed, resolved by the operator', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000, { descriptor: 'SHOP 006' })
    expect(await api.after(id)).toMatchObject({
      status: 'EXCEPTION',
      pullSummary: { count: 1, totalAmount: 0, pendingCount: 0 },
    })
    expect(await cardEvents(api)).toEqual(['AUTHORIZED', 'EXCEPTION'])
    expect(await balances(api)).toEqual([50_000, 50_000])
    expect(await ledger(api)).toEqual({ reserve: 1_000n, network: 0n, exception: -1_000n })
    expect(await clear(api, card.id, id, 1_000)).toMatchObject({ status: 400 })
    expect(await operate(server, 'POST', `/card-transactions/${id}/resolve`)).toMatchObject({
      status: 200,
      body: { status: 'AUTHORIZED', pullSummary: { totalAmount: 1_000 } },
    })
    await clear(api, card.id, id, 1_000)
    expect(await api.after(id)).toMatchObject({ status: 'SETTLED' })
    expect(await ledger(api)).toEqual({ reserve: 0n, network: 1_000n, exception: 0n })
    expect(await operate(server, 'POST', `/card-transactions/${id}/resolve`)).toMatchObject({ status: 409 })
  })

  it('of a claim that the account cannot pay, charged once there is money', async () => {
    const api = await cardApi(server, { balance: 2_000 })
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_500, { descriptor: 'SHOP' })
    await api.authorize(card.id, 400, { descriptor: 'ELSEWHERE' })
    await clear(api, card.id, id, 1_900)
    expect(await api.after(id)).toMatchObject({
      status: 'EXCEPTION',
      settledAmount: { amount: 1_900 },
      pullSummary: { count: 2, totalAmount: 1_500 },
    })
    expect((await ledger(api)).exception).toBe(-400n)
    const resolve = () => operate(server, 'POST', `/card-transactions/${id}/resolve`)
    expect(await resolve()).toMatchObject({ status: 400, body: { code: 'INSUFFICIENT_BALANCE' } })
    await api.call('POST', `/sandbox/internal-accounts/${api.usd.id}/fund`, { amount: 1_000 })
    expect(await resolve()).toMatchObject({
      status: 200,
      body: { status: 'SETTLED', pullSummary: { totalAmount: 1_900 } },
    })
    expect((await ledger(api)).exception).toBe(0n)
  })

  it('of a descriptor that makes later charges fail despite funds', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000, { descriptor: 'SHOP 102' })
    expect(id.slice(-3)).toBe('002')
    await clear(api, card.id, id, 1_200)
    expect(await api.after(id)).toMatchObject({
      status: 'EXCEPTION',
      pullSummary: { count: 2, totalAmount: 1_000 },
    })
  })

  it('of an advice whose charge fails despite funds, and can be claimed once it is resolved', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000, { descriptor: 'SHOP 102' })
    await server.settle()
    await api.simulate(card.id, 'authorization_advice', { cardTransactionId: id, amount: 1_500 })
    expect(await api.after(id)).toMatchObject({
      status: 'EXCEPTION',
      authorizedAmount: { amount: 1_500 },
      pullSummary: { count: 2, totalAmount: 1_000, pendingCount: 0 },
    })
    expect(await balances(api)).toEqual([49_000, 49_000])
    expect(await operate(server, 'POST', `/card-transactions/${id}/resolve`)).toMatchObject({
      body: { status: 'AUTHORIZED', pullSummary: { totalAmount: 1_500 } },
    })
    await clear(api, card.id, id, 1_500)
    expect(await api.after(id)).toMatchObject({ status: 'SETTLED' })
    expect(await ledger(api)).toEqual({ reserve: 0n, network: 1_500n, exception: 0n })
  })

  it.each([
    ['SHOP 105', 'SETTLED', 1_200, 30_000],
    ['SHOP 106', 'EXCEPTION', 1_000, 0],
  ])('%s: a later charge ends %s', async (descriptor, status, totalAmount, ms) => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000, { descriptor })
    await server.settle()
    await clear(api, card.id, id, 1_200)
    const slow = (await api.call('GET', `/transactions/${id}`)).body
    expect(slow).toMatchObject({ status: 'SETTLED', pullSummary: { count: 2, pendingCount: 1 } })
    await server.pass(ms)
    expect(await api.after(id)).toMatchObject({
      status,
      pullSummary: { count: 2, totalAmount, pendingCount: 0 },
    })
  })
})

describe('a charge that is slow to confirm', () => {
  it.each([
    ['SHOP 005', 'AUTHORIZED', 1_500],
    ['SHOP 006', 'EXCEPTION', 500],
  ])('%s: is decided by itself, and so is the one of an advice', async (descriptor, status, totalAmount) => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000, { descriptor })
    await api.simulate(card.id, 'authorization_advice', { cardTransactionId: id, amount: 1_500 })
    const isSlow = status === 'AUTHORIZED'
    expect(await api.after(id)).toMatchObject({
      status,
      pullSummary: { count: 2, totalAmount, pendingCount: isSlow ? 1 : 0 },
    })
    expect(await balances(api)).toEqual(isSlow ? [48_500, 49_500] : [49_500, 49_500])
    await server.pass(31_000)
    expect(await api.after(id)).toMatchObject({ status, pullSummary: { totalAmount, pendingCount: 0 } })
    expect(await balances(api)).toEqual([50_000 - totalAmount, 50_000 - totalAmount])
    expect(await ledger(api)).toEqual({ reserve: 1_500n, network: 0n, exception: isSlow ? 0n : -1_000n })
  })

  it('gives the later hold back first when less is authorized', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000, { descriptor: 'SHOP 005' })
    const advise = (amount: number) =>
      api.simulate(card.id, 'authorization_advice', { cardTransactionId: id, amount })
    await advise(1_500)
    await advise(900)
    expect(await api.after(id)).toMatchObject({ pullSummary: { totalAmount: 900, pendingCount: 1 } })
    expect((await balances(api))[0]).toBe(49_100)
    await server.pass(31_000)
    expect(await api.after(id)).toMatchObject({ pullSummary: { totalAmount: 900, pendingCount: 0 } })
    expect(await balances(api)).toEqual([49_100, 49_100])
  })

  it('is pending for half a minute, and may be claimed before that', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000, { descriptor: 'SHOP 005' })
    await server.pass(10_000)
    expect(await api.after(id)).toMatchObject({ pullSummary: { pendingCount: 1 } })
    await clear(api, card.id, id, 600)
    expect(await api.after(id)).toMatchObject({ status: 'PARTIALLY_SETTLED' })
    await clear(api, card.id, id, 0)
    expect(await balances(api)).toEqual([49_400, 50_000])
    await server.pass(21_000)
    expect(await api.after(id)).toMatchObject({
      status: 'SETTLED',
      pullSummary: { totalAmount: 600, pendingCount: 0 },
    })
    expect(await balances(api)).toEqual([49_400, 49_400])
    expect(await ledger(api)).toEqual({ reserve: 0n, network: 600n, exception: 0n })
  })
})

describe('an authorization', () => {
  it('that nobody claims ends after seven days: settled with nothing', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000)
    await api.call('PATCH', `/cards/${card.id}`, { state: 'CLOSED' })
    await server.pass(7 * dayMs - 1)
    expect(await api.after(id)).toMatchObject({ status: 'AUTHORIZED' })
    await server.pass(1)
    expect(await api.after(id)).toMatchObject({
      status: 'SETTLED',
      settledAmount: { amount: 0 },
      settlementSummary: { count: 0, totalAmount: 0 },
      pullSummary: { totalAmount: 0 },
      accountId: api.usd.id,
    })
    expect(await balances(api)).toEqual([50_000, 50_000])
  })

  it('that the operator restores after its seven days has seven more', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000, { descriptor: 'SHOP 006' })
    expect(await api.after(id)).toMatchObject({ status: 'EXCEPTION' })
    await server.pass(8 * dayMs)
    expect(await operate(server, 'POST', `/card-transactions/${id}/resolve`)).toMatchObject({
      body: { status: 'AUTHORIZED' },
    })
    await server.pass(7 * dayMs - 1)
    expect(await api.after(id)).toMatchObject({ status: 'AUTHORIZED' })
    await server.pass(1)
    expect(await api.after(id)).toMatchObject({ status: 'SETTLED', settledAmount: { amount: 0 } })
    expect(await balances(api)).toEqual([50_000, 50_000])
  })

  it('that is restored within its seven days keeps them', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000, { descriptor: 'SHOP 006' })
    await server.pass(2 * dayMs)
    await operate(server, 'POST', `/card-transactions/${id}/resolve`)
    await server.pass(5 * dayMs - 1)
    expect(await api.after(id)).toMatchObject({ status: 'AUTHORIZED' })
    await server.pass(1)
    expect(await api.after(id)).toMatchObject({ status: 'SETTLED', settledAmount: { amount: 0 } })
  })

  it('is raised within limit and balance, and not beyond', async () => {
    const api = await cardApi(server, { balance: 4_000 })
    const card = await api.activeCard({ maxSpendPerTransaction: 3_000 })
    const { id } = await api.authorize(card.id, 1_000)
    const advise = (amount: number) =>
      api.simulate(card.id, 'authorization_advice', { cardTransactionId: id, amount })
    expect((await advise(2_500)).status).toBe(202)
    expect(await api.after(id)).toMatchObject({
      authorizedAmount: { amount: 2_500 },
      pullSummary: { count: 2, totalAmount: 2_500 },
    })
    const told = await cardEvents(api)
    expect(told).toEqual(['AUTHORIZED', 'AUTHORIZED'])
    expect((await advise(3_001)).status).toBe(202)
    await api.authorize(card.id, 1_200, { descriptor: 'B' })
    expect((await advise(2_900)).status).toBe(202)
    expect(await api.after(id)).toMatchObject({ status: 'AUTHORIZED', authorizedAmount: { amount: 2_500 } })
    await clear(api, card.id, id, 1_000)
    await advise(1_000)
    expect(await api.after(id)).toMatchObject({ status: 'SETTLED', authorizedAmount: { amount: 1_000 } })
    expect(await balances(api)).toEqual([1_800, 1_800])
  })

  it('and claim in one message settles at once', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 700, { kind: 'financial_authorization' })
    expect(await api.after(id)).toMatchObject({
      status: 'SETTLED',
      settledAmount: { amount: 700 },
      pullSummary: { totalAmount: 700 },
    })
    expect(await cardEvents(api)).toEqual(['AUTHORIZED', 'SETTLED'])
    const failing = await api.authorize(card.id, 300, {
      kind: 'financial_authorization',
      descriptor: 'SHOP 006',
    })
    expect(await api.after(failing.id)).toMatchObject({ status: 'EXCEPTION' })
  })
})

describe('a return', () => {
  it('of a part claimed in part gives the rest of the authorization back when all is returned', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000)
    await server.settle()
    await clear(api, card.id, id, 400)
    await api.simulate(card.id, 'return', { cardTransactionId: id, amount: 100 })
    expect(await api.after(id)).toMatchObject({
      status: 'PARTIALLY_SETTLED',
      refundedAmount: { amount: 100 },
    })
    await api.simulate(card.id, 'return', { cardTransactionId: id, amount: 300 })
    expect(await api.after(id)).toMatchObject({ status: 'REFUNDED' })
    expect(await balances(api)).toEqual([50_000, 50_000])
  })

  it('that is taken back from an empty account is an exception', async () => {
    const api = await cardApi(server, { balance: 1_000 })
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000)
    await server.settle()
    await clear(api, card.id, id, 1_000)
    await api.simulate(card.id, 'return', { cardTransactionId: id, amount: 1_000 })
    await api.authorize(card.id, 900, { descriptor: 'SPENT' })
    await api.simulate(card.id, 'return_reversal', { cardTransactionId: id })
    expect(await api.after(id)).toMatchObject({ status: 'EXCEPTION' })
    expect((await ledger(api)).exception).toBe(-1_000n)
    await api.call('POST', `/sandbox/internal-accounts/${api.usd.id}/fund`, { amount: 2_000 })
    expect(await operate(server, 'POST', `/card-transactions/${id}/resolve`)).toMatchObject({
      body: { status: 'SETTLED', pullSummary: { totalAmount: 1_000 } },
    })
    expect(await balances(api)).toEqual([1_100, 1_100])
  })

  it.each([
    ['SHOP 105', 'SETTLED', 49_000],
    ['SHOP 106', 'EXCEPTION', 50_000],
  ])('%s: that is taken back is confirmed later: %s', async (descriptor, status, left) => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000, { descriptor })
    await server.settle()
    await clear(api, card.id, id, 1_000)
    await api.simulate(card.id, 'return', { cardTransactionId: id, amount: 1_000 })
    await api.simulate(card.id, 'return_reversal', { cardTransactionId: id })
    expect((await api.call('GET', `/transactions/${id}`)).body).toMatchObject({
      status: 'SETTLED',
      refundSummary: { count: 0, totalAmount: 0 },
      pullSummary: { count: 1, totalAmount: 1_000, pendingCount: 1 },
    })
    expect(await balances(api)).toEqual([49_000, 50_000])
    await server.pass(31_000)
    expect(await api.after(id)).toMatchObject({
      status,
      pullSummary: { totalAmount: 1_000, pendingCount: 0 },
    })
    expect(await balances(api)).toEqual([left, left])
    const owed = BigInt(left - 49_000)
    expect(await ledger(api)).toEqual({ reserve: 0n, network: 1_000n, exception: -owed })
    if (status === 'EXCEPTION') await operate(server, 'POST', `/card-transactions/${id}/resolve`)
    expect(await api.after(id)).toMatchObject({ status: 'SETTLED', pullSummary: { totalAmount: 1_000 } })
    expect(await balances(api)).toEqual([49_000, 49_000])
  })

  it('needs something claimed, and a reversal something returned', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000)
    expect(await api.simulate(card.id, 'return', { cardTransactionId: id, amount: 1 })).toMatchObject({
      status: 400,
      body: { details: { currentStatus: 'AUTHORIZED' } },
    })
    expect(await api.simulate(card.id, 'return_reversal', { cardTransactionId: id })).toMatchObject({
      status: 400,
      body: { details: { currentStatus: 'AUTHORIZED' } },
    })
  })
})

describe('credits', () => {
  it.each(['credit_authorization', 'credit_authorization_advice'])(
    '%s is credited when it is claimed',
    async (kind) => {
      const api = await cardApi(server, { balance: 0 })
      const card = await api.activeCard({ maxSpendPerTransaction: 1 })
      const credit = await api.authorize(card.id, 800, { kind })
      expect(credit).toMatchObject({
        direction: 'CREDIT',
        status: 'AUTHORIZED',
        pullSummary: { count: 0, totalAmount: 0, pendingCount: 0 },
      })
      expect(await balances(api)).toEqual([0, 0])
      await clear(api, card.id, credit.id, 800)
      expect(await api.after(credit.id)).toMatchObject({ status: 'SETTLED', settledAmount: { amount: 800 } })
      expect(await balances(api)).toEqual([800, 800])
      expect(
        await api.simulate(card.id, 'return', { cardTransactionId: credit.id, amount: 1 }),
      ).toMatchObject({ status: 400 })
    },
  )

  it('are raised past the limit, which is for purchases alone', async () => {
    const api = await cardApi(server, { balance: 0 })
    const card = await api.activeCard({ maxSpendPerTransaction: 1_000 })
    const { id } = await api.authorize(card.id, 2_000, { kind: 'credit_authorization' })
    await api.simulate(card.id, 'authorization_advice', { cardTransactionId: id, amount: 2_500 })
    expect(await api.after(id)).toMatchObject({ authorizedAmount: { amount: 2_500 } })
    expect(await cardEvents(api)).toEqual(['AUTHORIZED', 'AUTHORIZED'])
  })

  it('reach a frozen card only when the network has already decided', async () => {
    const api = await cardApi(server, { balance: 0 })
    const card = await api.activeCard()
    await api.call('PATCH', `/cards/${card.id}`, { state: 'FROZEN' })
    expect(await api.authorize(card.id, 800, { kind: 'credit_authorization' })).toBeUndefined()
    expect(await api.authorize(card.id, 800, { kind: 'financial_credit_authorization' })).toBeUndefined()
    expect(await api.authorize(card.id, 800, { kind: 'credit_authorization_advice' })).toMatchObject({
      status: 'AUTHORIZED',
    })
  })

  it('in one message are there at once', async () => {
    const api = await cardApi(server, { balance: 0 })
    const card = await api.activeCard()
    expect(await api.authorize(card.id, 800, { kind: 'financial_credit_authorization' })).toMatchObject({
      status: 'SETTLED',
    })
    expect(await cardEvents(api)).toEqual(['AUTHORIZED', 'SETTLED'])
    expect(await balances(api)).toEqual([800, 800])
  })
})

describe('a simulation', () => {
  it('of a question for the balance leaves a record and nothing else', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const answer = await api.simulate(card.id, 'balance_inquiry', { merchant: { descriptor: 'ATM' } })
    expect(answer).toMatchObject({ status: 202, body: { issuerTransactionToken: expect.any(String) } })
    expect((await api.call('GET', '/transactions?type=CARD')).body.data).toEqual([])
    expect((await operate(server, 'GET', `/cards/${card.id}/attempts`)).body.data).toMatchObject([
      { kind: 'balance_inquiry', amount: 0 },
    ])
  })

  it.each([
    [
      'authorization',
      { amount: 0, currency: { code: 'USD' }, merchant: { descriptor: 'A' } },
      'INVALID_AMOUNT',
    ],
    [
      'authorization',
      { amount: 1.5, currency: { code: 'USD' }, merchant: { descriptor: 'A' } },
      'INVALID_AMOUNT',
    ],
    ['authorization', { amount: 1, currency: {}, merchant: { descriptor: 'A' } }, 'INVALID_INPUT'],
    ['authorization', { amount: 1, currency: { code: 'USD' }, merchant: {} }, 'INVALID_INPUT'],
    [
      'authorization',
      { amount: 1, currency: { code: 'USD' }, merchant: { descriptor: 'A', mcc: '12' } },
      'INVALID_INPUT',
    ],
    [
      'authorization',
      { amount: 1, currency: { code: 'USD' }, merchant: { descriptor: 'A', country: 'usa' } },
      'INVALID_INPUT',
    ],
    [
      'clearing',
      { cardTransactionId: 'CardTransaction:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70', amount: -1 },
      'INVALID_AMOUNT',
    ],
    [
      'return',
      { cardTransactionId: 'CardTransaction:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70', amount: 0 },
      'INVALID_AMOUNT',
    ],
    ['clearing', { cardTransactionId: 'nonsense', amount: 1 }, 'INVALID_INPUT'],
  ])('%s of %j is refused with %s', async (what, body, code) => {
    const api = await cardApi(server, { balance: 0 })
    const card = await api.activeCard()
    expect(await api.simulate(card.id, what, body)).toMatchObject({ status: 400, body: { code } })
  })

  it('needs a transaction of this card', async () => {
    const api = await cardApi(server)
    const [one, two] = [await api.activeCard(), await api.activeCard()]
    const { id } = await api.authorize(one.id, 100)
    expect(await clear(api, two.id, id, 100)).toMatchObject({
      status: 404,
      body: { code: 'TRANSACTION_NOT_FOUND' },
    })
    const other = await cardApi(server)
    expect(await clear(other, one.id, id, 100)).toMatchObject({
      status: 404,
      body: { code: 'REFERENCE_NOT_FOUND' },
    })
  })

  it('twice at once claims once', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000)
    await server.settle()
    const answers = await Promise.all(Array.from({ length: 5 }, () => clear(api, card.id, id, 1_000)))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 400, 400, 400, 400])
    expect(await api.after(id)).toMatchObject({
      settledAmount: { amount: 1_000 },
      settlementSummary: { count: 1 },
    })
  })
})

describe('the list of transactions', () => {
  it('mixes payments and purchases by time, filters them, and pages through both', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const made: string[] = []
    await server.pass(5)
    for (let index = 0; index < 4; index++) {
      made.push((await api.authorize(card.id, 100 + index, { descriptor: `SHOP ${index}` })).id)
      await server.pass(5)
      await api.call('POST', `/sandbox/internal-accounts/${api.usd.id}/fund`, { amount: 500 })
      await server.pass(5)
    }
    const all = (await api.call('GET', '/transactions')).body
    expect(all.totalCount).toBe(9)
    expect(all.data.map(({ type }: { type: string }) => type)).toEqual([
      'INCOMING',
      'CARD',
      'INCOMING',
      'CARD',
      'INCOMING',
      'CARD',
      'INCOMING',
      'CARD',
      'INCOMING',
    ])
    for (const sortOrder of ['asc', 'desc']) {
      const seen: string[] = []
      let cursor = ''
      do {
        const page = (await api.call('GET', `/transactions?limit=2&sortOrder=${sortOrder}${cursor}`)).body
        seen.push(...page.data.map(({ id }: { id: string }) => id))
        cursor = page.nextCursor ? `&cursor=${encodeURIComponent(page.nextCursor)}` : ''
        expect(page.totalCount).toBe(9)
      } while (cursor)
      const ids = all.data.map(({ id }: { id: string }) => id)
      expect(seen).toEqual(sortOrder === 'asc' ? ids.reverse() : ids)
    }
    const ids = async (query: string) =>
      (await api.call('GET', `/transactions?${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await ids('type=CARD&sortOrder=asc')).toEqual(made)
    expect(await ids('status=AUTHORIZED&sortOrder=asc')).toEqual(made)
    expect(await ids(`senderAccountIdentifier=${api.usd.id}&sortOrder=asc`)).toEqual(made)
    expect(await ids(`receiverAccountIdentifier=${api.usd.id}&type=CARD`)).toEqual([])
    expect(await ids(`customerId=${api.customer.id}&type=CARD&type=INCOMING`)).toHaveLength(9)
    expect(await ids('reference=nothing')).toEqual([])
  })

  it('knows what a purchase cannot be asked', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 100)
    for (const decision of ['approve', 'reject']) {
      expect(await api.call('POST', `/transactions/${id}/${decision}`)).toMatchObject({
        status: 409,
        body: { code: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL' },
      })
    }
    expect(await api.call('POST', `/transactions/${id}/cancel`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT' },
    })
    expect(await api.call('POST', `/transactions/${id}/confirm`)).toMatchObject({ status: 200, body: { id } })
    const other = await cardApi(server)
    expect(await other.call('GET', `/transactions/${id}`)).toMatchObject({ status: 404 })
  })
})
