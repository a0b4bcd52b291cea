import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { refreshStatistics } from '@corridor/engine/mechanisms/db/statistics.ts'
import { countedAtMost } from '@corridor/engine/mechanisms/lists/list.ts'
import { sumUpTotals } from '@corridor/engine/mechanisms/lists/totals.ts'
import { failed } from '@corridor/kernel'
import {
  createCustomer,
  createPayee,
  must,
  openTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { type Asked, genericPlan } from './plans.ts'

/** What lists say of how many there are, without counting them. */

const server = await openTestServer()
const { database } = server.engine

type Platform = Awaited<ReturnType<TestServer['platform']>>

const insertTransactions = statement(
  'test.insertTransactions',
  `insert into transactions (platform_id, environment, id, status, type, direction, owner_id, platform_customer_id, sent_amount,
     sent_currency, received_amount, received_currency, source, destination, sender_identifiers,
     receiver_identifiers, reference, flow, details, created_at, updated_at)
   select $1::uuid, $2::text, 'Transaction:' || lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000',
     'COMPLETED', 'INCOMING', 'CREDIT', 'Customer:00000000-0000-7000-8000-00000000000' || n % 10, 'c-0', 100, 'USD', 100, 'USD',
     '{"sourceType":"REALTIME_FUNDING","currency":"USD"}',
     '{"destinationType":"ACCOUNT","accountId":"InternalAccount:00000000-0000-7000-8000-000000000001","currency":"USD"}',
     '{}', '{}', 'REF-' || n, '{}', '{}', timestamptz '2025-10-01T00:00:00Z' + n * interval '1 millisecond', '2025-10-02T00:00:00Z'
   from generate_series($3::int, $3::int + $4::int - 1) n`,
)
const insert = ({ platformId, environment }: Platform, from: number, count: number) => [
  platformId,
  environment,
  from,
  count,
]

async function totalOf(platform: Platform, query: object = {}): Promise<number> {
  const api = server.client(platform)
  return (await must(api.GET('/transactions', { params: { query: query as never } }))).totalCount
}

const keptRows = statement(
  'test.keptRows',
  'select count(*) as count from list_totals where platform_id = $1 and environment = $2 and list = $3',
)
async function keptRowsOf(platform: Platform): Promise<number> {
  const [row] = await database.read<{ count: bigint }>(platform, keptRows, [
    platform.platformId,
    platform.environment,
    'transactions',
  ])
  return Number(row!.count)
}

describe('the total of a list', () => {
  it('is that of what was committed, before and after it is summed up', async () => {
    const platform = await server.platform()
    for (const from of [0, 100, 200])
      await database.read(platform, insertTransactions, insert(platform, from, 100))
    await database.transact(platform, async (connection) => {
      await connection.query(insertTransactions, insert(platform, 300, 50))
      return failed('no')
    })
    expect(await totalOf(platform)).toBe(300)
    expect(await keptRowsOf(platform)).toBe(3)
    await Promise.all([sumUpTotals(database), sumUpTotals(database)])
    expect(await keptRowsOf(platform)).toBe(1)
    expect(await totalOf(platform)).toBe(300)
    await database.read(platform, insertTransactions, insert(platform, 300, 7))
    await sumUpTotals(database)
    expect(await keptRowsOf(platform)).toBe(1)
    expect(await totalOf(platform)).toBe(307)
    // Another platform has none of them.
    expect(await totalOf(await server.platform())).toBe(0)
  })

  it('is exact for the whole list, and stops at the bound where filters leave more', async () => {
    const platform = await server.platform()
    const count = countedAtMost + 5
    await database.read(platform, insertTransactions, insert(platform, 0, count))
    expect(await totalOf(platform)).toBe(count)
    const last = new Date(Date.parse('2025-10-01T00:00:00Z') + countedAtMost - 2).toISOString()
    expect(await totalOf(platform, { endDate: last })).toBe(countedAtMost - 1)
    expect(await totalOf(platform, { status: ['COMPLETED'] })).toBe(countedAtMost)
    expect(await totalOf(platform, { status: ['FAILED'] })).toBe(0)
  })

  it('follows rows that are deleted, of each list by its own rule', async () => {
    const platform = await server.platform()
    const api = server.client(platform)
    const [ana, ben] = [await createCustomer(api), await createCustomer(api)]
    const payees = [
      await createPayee(api, 'PHP', '1234567890', { customerId: ana.id }),
      await createPayee(api, 'PHP', '1234567891', { customerId: ana.id }),
      await createPayee(api, 'PHP', '1234567892'),
    ]
    const totals = async () => ({
      customers: (await must(api.GET('/customers'))).totalCount,
      withDeleted: (await must(api.GET('/customers', { params: { query: { isIncludingDeleted: true } } })))
        .totalCount,
      payees: (await must(api.GET('/customers/external-accounts'))).totalCount,
      ofAna: (
        await must(api.GET('/customers/external-accounts', { params: { query: { customerId: [ana.id] } } }))
      ).totalCount,
      ofPlatform: (await must(api.GET('/platform/external-accounts'))).totalCount,
    })
    expect(await totals()).toEqual({ customers: 2, withDeleted: 2, payees: 2, ofAna: 2, ofPlatform: 1 })
    await must(api.DELETE('/customers/{customerId}', { params: { path: { customerId: ben.id } } }))
    const path = (payee: { id: string }) => ({ params: { path: { externalAccountId: payee.id } } })
    expect(
      (await api.DELETE('/customers/external-accounts/{externalAccountId}', path(payees[0]!))).response
        .status,
    ).toBe(204)
    expect(
      (await api.DELETE('/platform/external-accounts/{externalAccountId}', path(payees[2]!))).response.status,
    ).toBe(204)
    await sumUpTotals(database)
    expect(await totals()).toEqual({ customers: 1, withDeleted: 2, payees: 1, ofAna: 1, ofPlatform: 0 })
    const { data, totalCount } = await must(api.GET('/customers/internal-accounts'))
    expect(data.length).toBe(totalCount)
    expect(totalCount).toBeGreaterThan(0)
  })
  it('is reached by its key among those of other platforms, and counts in the order of an index', async () => {
    const platform = await server.platform()
    await database.read(platform, insertTransactions, insert(platform, 0, 10_000))
    await sumUpTotals(database)
    await refreshStatistics(database)
    const { read } = database
    const asked: Asked[] = []
    database.read = ((book, statement, parameters = []) => {
      if (/^lists\.totals|^transactions\.list.* count$/.test(statement.name))
        asked.push({ statement, parameters })
      return read.call(database, book, statement, parameters)
    }) as typeof read
    await totalOf(platform)
    await totalOf(platform, { customerId: ['Customer:00000000-0000-7000-8000-000000000000'] })
    await totalOf(platform, { startDate: '2025-10-01T00:00:01Z' })
    database.read = read
    const used = []
    const [kept, ...counts] = asked
    for (const each of counts) {
      const nodes = await genericPlan(database, platform, each)
      used.push(nodes.map((node) => node['Index Name']).filter(Boolean))
      expect(nodes.filter((node) => /Sort|Seq Scan on transactions/.test(node['Node Type']))).toEqual([])
    }
    expect(kept!.statement.name).toBe('lists.totals')
    expect(used).toEqual([['transactions_by_owner'], ['transactions_listed']])
  })
})
