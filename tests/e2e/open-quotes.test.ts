import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'

const server = await openTestServer()

type Platform = Awaited<ReturnType<typeof server.platform>>

async function payer(platform: Platform) {
  const api = server.client(platform)
  const customer = await createCustomer(api, { currencies: ['USD'] })
  const account = await internalAccountOf(api, customer.id, 'USD')
  await fund(api, account.id, 500_000)
  const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
  return { api, customer, quote: () => createQuote(api, quoteBody(account, payee, 10_000)) }
}

describe('the list of open quotes', () => {
  it('has those that may still be executed, newest first, page by page', async () => {
    const platform = await server.platform()
    const { api, quote } = await payer(platform)
    const list = (query: object = {}) => must(api.GET('/quotes', { params: { query: query as never } }))
    expect(await list()).toMatchObject({ data: [], hasMore: false, totalCount: 0 })
    const first = await quote()
    await server.pass(1_000)
    const second = await quote()
    const page = await list({ limit: 1 })
    expect(page).toMatchObject({ data: [{ id: second.id, status: 'PENDING' }], hasMore: true, totalCount: 2 })
    expect((await list({ limit: 1, cursor: page.nextCursor })).data).toMatchObject([{ id: first.id }])
    expect((await list({ sortOrder: 'asc' })).data.map(({ id }) => id)).toEqual([first.id, second.id])

    await must(execute(api, second.id))
    expect((await list()).data.map(({ id }) => id)).toEqual([first.id])
    await server.advance(platform, 24 * 3_600_000)
    expect(await list()).toMatchObject({ data: [], totalCount: 0 })
  })

  it('has those of one customer where one is named, and none of another platform', async () => {
    const platform = await server.platform()
    const [ana, ben] = [await payer(platform), await payer(platform)]
    const mine = await ana.quote()
    await ben.quote()
    const query = { customerId: ana.customer.id } as never
    expect((await must(ana.api.GET('/quotes', { params: { query } }))).data).toMatchObject([{ id: mine.id }])
    const other = server.client(await server.platform())
    expect((await must(other.GET('/quotes'))).data).toEqual([])
    const wrong = await ana.api.GET('/quotes', { params: { query: { customerId: 'Ana' } as never } })
    expect(wrong.response.status).toBe(400)
  })
})
