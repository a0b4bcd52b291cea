import {
  createCustomer,
  createPayee,
  createQuote,
  fund,
  internalAccountOf,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'

const second = 1_000

const server = await openTestServer()

describe('the sandbox clock', () => {
  it('belongs to one platform, only moves forward, and is not there in production', async () => {
    const [mine, theirs] = [await server.platform(), await server.platform()]
    const start = (await server.client(mine).GET('/sandbox/clock')).data!
    expect(start.offsetSeconds).toBe(0)
    await server.client(mine).POST('/sandbox/clock/advance', { body: { seconds: 90 } })
    const twice = await server.client(mine).POST('/sandbox/clock/advance', { body: { seconds: 0 } })
    expect(twice.data).toEqual({
      now: new Date(Date.parse(start.now) + 90 * second).toISOString(),
      offsetSeconds: 90,
    })
    expect((await server.client(theirs).GET('/sandbox/clock')).data).toEqual(start)
    const both = await Promise.all(
      [30, 40].map((seconds) => server.client(mine).POST('/sandbox/clock/advance', { body: { seconds } })),
    )
    expect(both.map(({ data }) => data!.offsetSeconds)).toContain(160)
    const back = await server.client(mine).POST('/sandbox/clock/advance', { body: { seconds: -1 } })
    expect(back.error).toMatchObject({ code: 'INVALID_INPUT' })

    const production = server.client(await server.platform({ environment: 'PRODUCTION' }))
    expect((await production.GET('/sandbox/clock')).error).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  })

  it('says what it comes to next, in order, and of nobody else', async () => {
    const [mine, theirs] = [await server.platform(), await server.platform()]
    const api = server.client(mine)
    const upcoming = async () => (await api.GET('/sandbox/clock/upcoming')).data!
    const { id: customerId } = await createCustomer(api)
    await server.settle()
    expect(await upcoming()).toEqual({ upcoming: [], hasMore: false })

    const usd = await internalAccountOf(api, customerId, 'USD')
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'USD', '000123456003', { customerId })
    const paid = await createQuote(api, quoteBody(usd, payee, 1_000, { immediatelyExecute: true }))
    const open = await createQuote(api, quoteBody(usd, payee, 2_000))
    await server.settle()

    const { upcoming: data } = await upcoming()
    const times = data.map(({ dueAt }) => Date.parse(dueAt))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(data).toContainEqual({ kind: 'quotes.expire', subjectId: open.id, dueAt: open.expiresAt })
    expect(data).toContainEqual(
      expect.objectContaining({ kind: 'payments.advance', subjectId: paid.transactionId }),
    )
    expect((await server.client(theirs).GET('/sandbox/clock/upcoming')).data).toEqual({
      upcoming: [],
      hasMore: false,
    })

    const seconds = Math.ceil((Math.max(...times) - (await server.now(mine))) / second)
    await api.POST('/sandbox/clock/advance', { body: { seconds } })
    expect(
      (await upcoming()).upcoming.filter(({ dueAt }) => Date.parse(dueAt) <= Math.max(...times)),
    ).toEqual([])
    const expired = await api.GET('/quotes/{quoteId}', { params: { path: { quoteId: open.id } } })
    expect(expired.data).toMatchObject({ status: 'EXPIRED' })

    const production = server.client(await server.platform({ environment: 'PRODUCTION' }))
    expect((await production.GET('/sandbox/clock/upcoming')).error).toMatchObject({ status: 403 })
  })

  it('shows fifty, and says that there are more', async () => {
    const platform = await server.platform()
    const api = server.client(platform)
    const { id: customerId } = await createCustomer(api)
    const usd = await internalAccountOf(api, customerId, 'USD')
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'USD', '000123456789', { customerId })
    for (let made = 0; made < 51; made++) await createQuote(api, quoteBody(usd, payee, 100 + made))
    const { data } = await api.GET('/sandbox/clock/upcoming')
    expect([data!.upcoming.length, data!.hasMore]).toEqual([50, true])
  })
})
