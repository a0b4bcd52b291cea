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
      isFrozen: false,
      ran: [],
      ranCount: 0,
      counts: [],
      isThere: true,
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

  /** A platform with a payment that settles after six minutes, and a quote that expires before. */
  async function withWork() {
    const platform = await server.platform()
    const api = server.client(platform)
    const { id: customerId } = await createCustomer(api)
    const usd = await internalAccountOf(api, customerId, 'USD')
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'USD', '000123456003', { customerId })
    const quotes = []
    for (const amount of [1_000, 1_001]) quotes.push(await createQuote(api, quoteBody(usd, payee, amount)))
    await createQuote(api, quoteBody(usd, payee, 2_000, { immediatelyExecute: true }))
    await server.settle()
    const advance = async (body: { seconds?: number; until?: 'NEXT' | 'QUIET' }) =>
      (await api.POST('/sandbox/clock/advance', { body })).data!
    const upcoming = async () => (await api.GET('/sandbox/clock/upcoming')).data!.upcoming
    return { platform, api, quotes, advance, upcoming }
  }

  it('goes to what is due next, and no farther', async () => {
    const { quotes, advance, upcoming, platform } = await withWork()
    for (const due of await upcoming()) {
      const now = await server.now(platform)
      if (Date.parse(due.dueAt) <= now) continue
      const moved = await advance({ until: 'NEXT' })
      expect(moved).toMatchObject({ now: due.dueAt, isThere: true })
      expect(moved.ran).toContainEqual(due)
      expect(moved.ran.every(({ dueAt }) => dueAt <= moved.now)).toBe(true)
      expect(moved.ranCount).toBe(moved.ran.length)
    }
    expect(quotes).toHaveLength(2)
  })

  it('goes on until nothing is left, tells what happened in order, and then stays', async () => {
    const { quotes, api, advance, upcoming } = await withWork()
    const moved = await advance({ until: 'QUIET' })
    const times = moved.ran.map(({ dueAt }) => dueAt)
    expect(times).toEqual([...times].sort())
    expect(moved).toMatchObject({ isThere: true, ranCount: times.length, now: times.at(-1) })
    for (const { id, expiresAt } of quotes) {
      expect(moved.ran).toContainEqual({ kind: 'quotes.expire', subjectId: id, dueAt: expiresAt })
    }
    expect(await upcoming()).toEqual([])
    const [transaction] = (await api.GET('/transactions')).data!.data
    expect(transaction).toMatchObject({ status: 'COMPLETED' })
    for (const until of ['NEXT', 'QUIET'] as const) {
      expect(await advance({ until })).toMatchObject({ now: moved.now, ran: [], ranCount: 0, isThere: true })
    }
  })

  it('goes no farther than it may', async () => {
    const { advance, upcoming } = await withWork()
    const before = await upcoming()
    const start = await advance({ seconds: 0 })
    for (const until of ['NEXT', 'QUIET'] as const) {
      expect(await advance({ until, seconds: 5 })).toMatchObject({ now: start.now, ranCount: 0 })
    }
    expect(await upcoming()).toEqual(before)
  })

  it('shows the first fifty of what happened and counts all', async () => {
    const { api, advance } = await withWork()
    const customers = (await api.GET('/customers')).data!.data
    const usd = await internalAccountOf(api, customers[0]!.id, 'USD')
    const payee = await createPayee(api, 'USD', '000123456789', { customerId: customers[0]!.id })
    for (let made = 0; made < 50; made++) await createQuote(api, quoteBody(usd, payee, 100 + made))
    const moved = await advance({ until: 'QUIET' })
    expect(moved.ran).toHaveLength(50)
    expect(moved.ranCount).toBeGreaterThanOrEqual(52)
    // The counts are of all, not of those that are shown.
    expect(moved.counts.reduce((sum, { count }) => sum + count, 0)).toBe(moved.ranCount)
    expect(moved.counts).toContainEqual({ kind: 'quotes.expire', count: 52 })
  })

  it('wants to be told how far', async () => {
    const api = server.client(await server.platform())
    const refused = async (body: object) => {
      const { error } = await api.POST('/sandbox/clock/advance', { body })
      expect(error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
      return (error!.details as { errors: { field: string }[] }).errors.map(({ field }) => field)
    }
    expect(await refused({})).toEqual(['seconds'])
    expect(await refused({ until: 'SOON' })).toEqual(['until'])
    expect(await refused({ until: 'SOON', seconds: -1 })).toEqual(
      expect.arrayContaining(['until', 'seconds']),
    )
    expect(await refused({ until: 'NEXT', seconds: 31_622_401 })).toEqual(['seconds'])
  })
})
