import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { operate } from './onboarding.ts'
import { paymentApi } from './payment-api.ts'

// Accounts 3.3, 13: money that names nobody is moved by the people who run the installation, who say why.

const server = await openTestServer()

async function start() {
  const payments = await paymentApi(server)
  const { api, platform, usd } = payments
  await api.POST('/sandbox/inbound-payments', {
    body: {
      currency: 'USD',
      amount: 700,
      railReference: 'w-1',
      reference: 'NOBODY',
      accountHolderName: 'Rosa Diaz',
    },
  })
  const { platformId, environment } = platform
  const list = async (status = '') => {
    const query = `platformId=${platformId}&environment=${environment}${status && `&status=${status}`}`
    return (await operate(server, 'GET', `/suspense?${query}`)).body.data
  }
  const [item] = await list('WAITING')
  const decide = (what: 'assign' | 'return', body: object) =>
    operate(server, 'POST', `/suspense/${item.id}/${what}`, body)
  return { ...payments, list, item, decide, usd }
}

describe('money with an unknown reference', () => {
  it('is listed, and credited to the account that the operator names', async () => {
    const { list, item, decide, usd, platform, balance, transaction } = await start()
    expect(item).toMatchObject({
      kind: 'UNMATCHED',
      currency: 'USD',
      amount: 700,
      decimals: 2,
      payerReference: 'NOBODY',
    })
    const body = { accountId: usd.id, reason: 'The payer called: wrong digit' }
    const decided = { id: item.id, status: 'CREDITED', reason: body.reason, decidedBy: 'operator' }
    expect(await decide('assign', body)).toMatchObject({ status: 200, body: decided })
    expect(await balance()).toBe(700)
    expect(await transaction(item.id)).toMatchObject({ type: 'INCOMING', status: 'COMPLETED' })
    expect(await server.ledgerBalances(platform)).not.toHaveProperty('susp:USD')
    expect([await list('WAITING'), await list()]).toMatchObject([[], [decided]])
    for (const again of [await decide('assign', body), await decide('return', { reason: 'Once more' })]) {
      expect(again).toMatchObject({ status: 409, body: { details: { reason: 'RESOLVED' } } })
    }
  })

  it('is given back by the rail that brought it', async () => {
    const { item, decide, platform } = await start()
    const reason = 'Nobody claimed it'
    expect(await decide('return', { reason })).toMatchObject({
      status: 200,
      body: { id: item.id, status: 'SENT_BACK', reason },
    })
    expect(await server.ledgerBalances(platform)).toEqual({})
  })

  it('stays where it is without a reason, for another book, another currency or an account that is frozen', async () => {
    const { decide, usd, list, customer, api } = await start()
    expect((await decide('assign', { accountId: usd.id })).status).toBe(400)
    expect((await decide('return', { reason: ' ' })).status).toBe(400)
    const reason = 'It looked right'
    const other = await start()
    expect((await decide('assign', { accountId: other.usd.id, reason })).status).toBe(404)
    const { data } = await api.GET('/internal-account', {
      params: { query: { customerId: customer.id as never, currency: 'EUR' } },
    })
    const eur = data!.data[0]!.id
    expect(await decide('assign', { accountId: eur, reason })).toMatchObject({
      status: 409,
      body: { details: { reason: 'CURRENCY' } },
    })
    await operate(server, 'POST', `/internal-accounts/${usd.id}/freeze`)
    expect(await decide('assign', { accountId: usd.id, reason })).toMatchObject({
      status: 409,
      body: { details: { reason: 'ACCOUNT_NOT_ACTIVE' } },
    })
    expect(await list('WAITING')).toHaveLength(1)
    expect((await operate(server, 'POST', '/suspense/Transaction:x/return', { reason })).status).toBe(404)
  })

  it('is listed page by page, each item once, however much there is', async () => {
    const { api, platform } = await start()
    for (let index = 2; index <= 23; index++) {
      await api.POST('/sandbox/inbound-payments', {
        body: { currency: 'USD', amount: index, railReference: `w-${index}`, reference: 'NOBODY' },
      })
    }
    const { platformId, environment } = platform
    const query = `platformId=${platformId}&environment=${environment}&status=WAITING`
    const read = async (more: string) => (await operate(server, 'GET', `/suspense?${query}${more}`)).body
    const first = await read('')
    expect(first).toMatchObject({ hasMore: true, totalCount: 23 })
    expect(first.data).toHaveLength(20)
    const rest = await read(`&cursor=${encodeURIComponent(first.nextCursor)}`)
    expect(rest).toMatchObject({ hasMore: false, totalCount: 23 })
    const amounts = [...first.data, ...rest.data].map(({ amount }: { amount: number }) => amount)
    expect(amounts).toEqual([...Array.from({ length: 22 }, (_, index) => 23 - index), 700])
    const oldest = await read('&limit=2&sortOrder=asc')
    expect(oldest.data.map(({ amount }: { amount: number }) => amount)).toEqual([700, 2])
    expect((await operate(server, 'GET', `/suspense?${query}&cursor=x`)).status).toBe(400)
    // The cursor is that of this book and of these filters.
    const other = `platformId=${platformId}&environment=${environment}`
    const cursor = encodeURIComponent(first.nextCursor)
    expect((await operate(server, 'GET', `/suspense?${other}&cursor=${cursor}`)).status).toBe(400)
  })

  it('is moved once by two who decide at the same moment', async () => {
    const { decide, usd } = await start()
    const answers = await Promise.all([
      decide('assign', { accountId: usd.id, reason: 'one' }),
      decide('return', { reason: 'two' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})
