import { openTestServer } from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { cardApi } from './card-api.ts'
import { stablecoinApi } from './stablecoin-api.ts'

// Cards 1 and 2 from their bad side: each a clear error, and nothing moved.

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

type Api = Awaited<ReturnType<typeof cardApi>>

/** All that could have moved. */
async function state({ platform, call }: Api, cardId: string) {
  return {
    books: await server.ledgerBalances(platform),
    events: (await server.events(platform)).length,
    card: (await call('GET', `/cards/${cardId}`)).body,
    transactions: (await call('GET', '/transactions?type=CARD')).body.data,
  }
}

const usd = { code: 'USD' }
const merchant = { descriptor: 'CORNER CAFE' }
const beyond = 2 ** 53

describe('a spending limit', () => {
  it.each([0, -1, 1.5, beyond, 1e300, '100', true, [], {}])(
    'of %j is refused, new or changed',
    async (limit) => {
      const api = await cardApi(server, { balance: 0 })
      const card = await api.activeCard()
      const before = await state(api, card.id)
      const body = { maxSpendPerTransaction: limit }
      const refused = {
        status: 400,
        body: { code: 'INVALID_INPUT', details: { field: 'maxSpendPerTransaction' } },
      }
      expect(await api.issue(body)).toMatchObject(refused)
      expect(await api.call('PATCH', `/cards/${card.id}`, body)).toMatchObject(refused)
      expect(await state(api, card.id)).toEqual(before)
    },
  )
})

describe('a simulated amount', () => {
  it.each([
    'authorization',
    'financial_authorization',
    'credit_authorization',
    'credit_authorization_advice',
    'financial_credit_authorization',
  ])('of %s that is no amount moves nothing', async (kind) => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const before = await state(api, card.id)
    for (const [amount, code] of [
      [0, 'INVALID_AMOUNT'],
      [-1, 'INVALID_AMOUNT'],
      [0.5, 'INVALID_AMOUNT'],
      [beyond, 'INVALID_AMOUNT'],
      ['5', 'INVALID_INPUT'],
      [undefined, 'INVALID_INPUT'],
    ] as const) {
      const answer = await api.simulate(card.id, kind, { amount, currency: usd, merchant })
      expect([amount, answer.status, answer.body.code]).toEqual([amount, 400, code])
    }
    expect(await state(api, card.id)).toEqual(before)
  })

  it.each(['clearing', 'return', 'authorization_advice'])(
    'of %s that is no amount moves nothing',
    async (what) => {
      const api = await cardApi(server)
      const card = await api.activeCard()
      const { id } = await api.authorize(card.id, 1_000)
      await server.settle()
      await api.simulate(card.id, 'clearing', { cardTransactionId: id, amount: 400 })
      const before = await state(api, card.id)
      for (const amount of [-1, 0.5, beyond, '5', null, undefined]) {
        const answer = await api.simulate(card.id, what, { cardTransactionId: id, amount })
        expect([amount, answer.status]).toEqual([amount, 400])
      }
      expect(await state(api, card.id)).toEqual(before)
    },
  )
})

describe('a claim', () => {
  it('that comes to more than can be told with those before it moves nothing', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const most = 9_000_000_000_000_000
    const { id } = await api.authorize(card.id, most, { kind: 'credit_authorization' })
    const claim = { cardTransactionId: id, amount: most - 1 }
    expect(await api.simulate(card.id, 'clearing', claim)).toMatchObject({ status: 202 })
    const before = await state(api, card.id)
    expect(await api.simulate(card.id, 'clearing', claim)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_AMOUNT', details: { field: 'amount' } },
    })
    expect(await state(api, card.id)).toEqual(before)
  })
})

describe('a clearing larger than its authorization by one unit', () => {
  it('charges the unit where it is there', async () => {
    const api = await cardApi(server, { balance: 1_001 })
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000)
    await server.settle()
    await api.simulate(card.id, 'clearing', { cardTransactionId: id, amount: 1_001 })
    expect(await api.after(id)).toMatchObject({
      status: 'SETTLED',
      pullSummary: { count: 2, totalAmount: 1_001 },
    })
    expect((await api.account()).totalBalance.amount).toBe(0)
  })

  it('takes nothing that is not there: one unit is owed, for the operator', async () => {
    const api = await cardApi(server, { balance: 1_000 })
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 1_000)
    await server.settle()
    await api.simulate(card.id, 'clearing', { cardTransactionId: id, amount: 1_001 })
    expect(await api.after(id)).toMatchObject({
      status: 'EXCEPTION',
      pullSummary: { count: 2, totalAmount: 1_000 },
    })
    expect((await api.account()).totalBalance.amount).toBe(0)
    expect(await server.ledgerBalances(api.platform)).toMatchObject({
      'cardnet:USD': 1_001n,
      'cardexc:USD': -1n,
    })
    const before = await state(api, card.id)
    expect(await api.simulate(card.id, 'clearing', { cardTransactionId: id, amount: 1 })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: { currentStatus: 'EXCEPTION' } },
    })
    expect(await state(api, card.id)).toEqual(before)
  })
})

describe('the same simulation twice at once', () => {
  const twice = async (api: Api, cardId: string, what: string, body: object) => {
    const answers = await Promise.all([1, 2].map(() => api.simulate(cardId, what, body)))
    return answers.map(({ status }) => status).sort()
  }

  it('authorizes what is there once', async () => {
    const api = await cardApi(server, { balance: 1_000 })
    const card = await api.activeCard()
    expect(await twice(api, card.id, 'authorization', { amount: 1_000, currency: usd, merchant })).toEqual([
      202, 202,
    ])
    expect((await state(api, card.id)).transactions).toHaveLength(1)
    expect((await api.account()).balance.amount).toBe(0)
  })

  it('returns, reverses and ends once', async () => {
    const api = await cardApi(server, { balance: 1_000 })
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 600)
    await server.settle()
    const about = { cardTransactionId: id }
    await api.simulate(card.id, 'clearing', { ...about, amount: 600 })
    expect(await twice(api, card.id, 'return', { ...about, amount: 600 })).toEqual([202, 400])
    expect((await api.account()).balance.amount).toBe(1_000)
    expect(await twice(api, card.id, 'return_reversal', about)).toEqual([202, 400])
    expect((await api.account()).balance.amount).toBe(400)
    const open = await api.authorize(card.id, 400, { descriptor: 'ELSEWHERE' })
    expect(await twice(api, card.id, 'clearing', { cardTransactionId: open.id, amount: 0 })).toEqual([
      202, 400,
    ])
    expect((await api.account()).balance.amount).toBe(400)
  })

  it('changes the authorized amount as once', async () => {
    const api = await cardApi(server, { balance: 1_000 })
    const card = await api.activeCard()
    const { id } = await api.authorize(card.id, 400)
    const raised = { cardTransactionId: id, amount: 1_000 }
    expect(await twice(api, card.id, 'authorization_advice', raised)).toEqual([202, 202])
    expect(await api.after(id)).toMatchObject({ authorizedAmount: { amount: 1_000 } })
    expect((await api.account()).balance.amount).toBe(0)
  })
})

describe('credentials of a provider', () => {
  it.each([
    [{ apiClientId: 'bad_002' }, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID'],
    [{ apiClientSecret: '' }, 'INVALID_INPUT'],
    [{ apiClientSecret: 'x'.repeat(10_000) }, 'INVALID_INPUT'],
    [{ apiClientSecret: 7 }, 'INVALID_INPUT'],
    [{ apiClientSecret: null }, 'INVALID_INPUT'],
    [{ apiClientSecret: 'a\u0000b' }, 'INVALID_INPUT'],
    [{ apiClientId: '', apiClientSecret: '' }, 'INVALID_INPUT'],
  ])('%j link nothing, and the secret is not repeated', async (more, code) => {
    const { link, get } = await stablecoinApi(server, { link: false })
    const answer = await link('fine', more)
    expect(answer).toMatchObject({ status: 400, body: { code } })
    expect(JSON.stringify(answer.body)).not.toContain('x'.repeat(100))
    expect(await get('/stablecoin-provider-accounts')).toMatchObject({ data: [], totalCount: 0 })
  })
})

it('a coin whose name is no code is minted all the same', async () => {
  const { register, post, get, bank, wallet } = await stablecoinApi(server)
  const { body: coin } = await register('a:b c')
  const minted = await post(`/stablecoins/${coin.id}/mints`, {
    amount: '10000',
    fundingSource: { type: 'ACH_DEBIT', externalAccountId: bank.id },
    destination: { accountId: wallet.id },
  })
  await server.pass(2_000)
  expect(await get(`/stablecoin-operations/${minted.body.id}`)).toMatchObject({ status: 'COMPLETED' })
})

it('a card without a name takes after its holder, and its digits too', async () => {
  const api = await cardApi(server, { balance: 0 })
  const { platformCardId: _, ...card } = await api.activeCard()
  const suffix = api.customer.id.slice(-3)
  const sum = [...suffix].reduce((total, char) => total + char.charCodeAt(0), 0)
  const digits = /^\d{3}$/.test(suffix) ? suffix : String(sum % 1000).padStart(3, '0')
  expect(card.last4).toBe(`4${digits}`)
})
