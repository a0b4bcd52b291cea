import { refreshStatistics } from '@corridor/engine/mechanisms/db/statistics.ts'
import type { CorridorClient } from '@corridor/sdk/path-client.ts'
import { must, openTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { type Asked, genericPlan } from './plans.ts'

const server = await openTestServer()

type Platform = Awaited<ReturnType<TestServer['platform']>>

const owners = Array.from(
  { length: 10 },
  (_, owner) => `Customer:00000000-0000-7000-8000-00000000000${owner}`,
)

/** Transactions in one statement: one in ten per owner, a few sharing each millisecond. */
async function insertTransactions(
  platform: Platform,
  { from, count }: { from: number; count: number },
): Promise<void> {
  const text = `
    insert into transactions (platform_id, environment, id, status, type, direction, owner_id,
      platform_customer_id, sent_amount, sent_currency, received_amount, received_currency, source,
      destination, sender_identifiers, receiver_identifiers, reference, flow, details, created_at, updated_at)
    select $1::uuid, $2::text, 'Transaction:' || lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000',
      'COMPLETED', 'INCOMING', 'CREDIT', 'Customer:00000000-0000-7000-8000-00000000000' || n % 10,
      'c-' || n % 10, 100, 'USD', 100, 'USD', '{"sourceType":"REALTIME_FUNDING","currency":"USD"}',
      '{"destinationType":"ACCOUNT","accountId":"InternalAccount:00000000-0000-7000-8000-000000000001","currency":"USD"}',
      '{}', array['InternalAccount:00000000-0000-7000-8000-000000000001'], 'REF-' || n, '{}', '{}',
      timestamptz '2025-10-01T00:00:00Z' + (n / 4) * interval '1 millisecond', '2025-10-02T00:00:00Z'
    from generate_series($3::int, $3::int + $4::int - 1) n`
  await server.engine.database.read(platform, { name: 'test.insertTransactions', text }, [
    platform.platformId,
    platform.environment,
    from,
    count,
  ])
}

async function startWith(count: number) {
  const platform = await server.platform()
  // Other platforms' rows lie in the same table; a plan that reads them would show.
  await insertTransactions(await server.platform(), { from: 0, count: 2_000 })
  await insertTransactions(platform, { from: 0, count })
  return { platform, api: server.client(platform) }
}

/** Every id on every page, in order; `between` runs after each page. */
async function readAll(
  api: CorridorClient,
  query: object,
  between: (page: number) => Promise<void> = async () => {},
): Promise<{ ids: string[]; pages: number; totals: number[] }> {
  const ids: string[] = []
  const totals: number[] = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page = await must(
      api.GET('/transactions', {
        params: { query: { limit: 100, ...query, ...(cursor ? { cursor } : {}) } as never },
      }),
    )
    ids.push(...page.data.map(({ id }) => id))
    totals.push(page.totalCount)
    cursor = page.nextCursor
    pages++
    await between(pages)
  } while (cursor)
  return { ids, pages, totals }
}

/** The statements that lists of transactions consist of while `work` runs. */
async function watch(work: () => Promise<unknown>): Promise<Asked[]> {
  const { database } = server.engine
  const { read } = database
  const asked: Asked[] = []
  database.read = ((book, statement, parameters = []) => {
    if (/^(transactions\.list|lists\.totals)/.test(statement.name)) asked.push({ statement, parameters })
    return read.call(database, book, statement, parameters)
  }) as typeof read
  try {
    await work()
  } finally {
    database.read = read
  }
  return asked
}

/** The statements of the two pages, in order. */
function pagesOf(asked: readonly Asked[]): { pages: (Asked & { number: number })[]; others: number } {
  const pages = asked
    .filter((each) => each.statement.name.endsWith(' page'))
    .map((each, number) => ({ ...each, number }))
  expect(pages).toHaveLength(2)
  return { pages, others: asked.length - pages.length }
}

describe('10,000 transactions', () => {
  it.each(['desc', 'asc'])('page to the end in %s order while new ones arrive', async (sortOrder) => {
    const count = 10_000
    const { platform, api } = await startWith(count)
    let made = count
    const { ids, pages, totals } = await readAll(api, { sortOrder }, async (page) => {
      if (page > 90) return
      await insertTransactions(platform, { from: made, count: 7 })
      made += 7
    })
    expect(new Set(ids).size).toBe(ids.length)
    const index = (id: string) =>
      Number.parseInt(id.slice('Transaction:'.length, 'Transaction:'.length + 8), 16)
    const numbers = ids.map(index).sort((a, b) => a - b)
    // Newest first shows what was there at the beginning; oldest first meets the new ones at its end.
    const expected = sortOrder === 'desc' ? count : made
    expect(numbers).toEqual(Array.from({ length: expected }, (_, n) => n))
    expect(pages).toBe(Math.ceil(expected / 100))
    expect([totals[0], totals.at(-1)]).toEqual([count, expected])
  })

  it('page the tenth of them that one customer has', async () => {
    const { api } = await startWith(10_000)
    const { ids, pages } = await readAll(api, { customerId: owners[3] })
    expect(new Set(ids).size).toBe(1_000)
    expect(pages).toBe(10)
  })

  it.each([
    ['no statistics', false],
    ['statistics', true],
  ])('are read page by page from an index in its order, with %s', async (_what, hasStatistics) => {
    const { platform, api } = await startWith(10_000)
    if (hasStatistics) await refreshStatistics(server.engine.database)
    const reached = {
      transactions_listed: [{}, { sortOrder: 'asc' }, { startDate: '2025-10-01T00:00:00.500Z' }],
      transactions_by_owner: [{ customerId: owners[3] }, { customerId: owners[3], sortOrder: 'asc' }],
    }
    for (const [index, queries] of Object.entries(reached)) {
      for (const query of queries) {
        const asked = await watch(async () => {
          const first = await must(api.GET('/transactions', { params: { query: query as never } }))
          const next = { ...query, cursor: first.nextCursor }
          await must(api.GET('/transactions', { params: { query: next as never } }))
        })
        const { pages, others } = pagesOf(asked)
        // Newest first, only the first page counts.
        expect(others).toBe('sortOrder' in query ? 2 : 1)
        for (const { number, ...page } of pages) {
          const nodes = await genericPlan(server.engine.database, platform, page)
          const about = `${JSON.stringify(query)} ${JSON.stringify(nodes)}`
          expect(nodes.map((node) => node['Index Name']).filter(Boolean), about).toEqual([index])
          const kinds = nodes.map((node) => node['Node Type'])
          expect(kinds, about).toContain('Index Scan')
          // A later page starts where the one before it ended instead of reading up to there.
          const scan = nodes.find((node) => node['Index Name'])
          expect(scan!['Index Cond']!.includes('ROW(created_at, id)'), about).toBe(number === 1)
          expect(
            kinds.filter((kind) => /Sort|Seq|Bitmap/.test(kind)),
            about,
          ).toEqual([])
        }
      }
    }
  })

  it('of several customers or of several statuses are one statement each, from an index', async () => {
    const { platform, api } = await startWith(10_000)
    await refreshStatistics(server.engine.database)
    for (const query of [
      { customerId: [owners[3], owners[4], owners[5]] },
      { customerId: [owners[3], owners[4]], status: ['COMPLETED', 'FAILED'], sortOrder: 'asc' },
      { status: ['COMPLETED', 'FAILED'] },
    ]) {
      const asked = await watch(async () => {
        const first = await must(api.GET('/transactions', { params: { query: query as never } }))
        const next = { ...query, cursor: first.nextCursor }
        await must(api.GET('/transactions', { params: { query: next as never } }))
      })
      for (const { number, ...page } of pagesOf(asked).pages) {
        const nodes = await genericPlan(server.engine.database, platform, page)
        const scans = nodes.filter((node) => node['Index Name'])
        const about = `${JSON.stringify(query)} ${JSON.stringify(nodes)}`
        expect(
          scans.map((node) => node['Index Name']),
          about,
        ).toEqual(['transactions_listed'])
        expect(scans[0]!['Index Cond']!.includes('ROW(created_at, id)'), about).toBe(number === 1)
        expect(nodes.filter((node) => /Sort|Seq|Bitmap/.test(node['Node Type']))).toEqual([])
      }
    }
  })
})
