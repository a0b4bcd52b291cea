import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import {
  createCustomer,
  createPayee,
  fund,
  internalAccountOf,
  openTestServer,
} from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { basic } from '../e2e/raw-calls.ts'
import { type Asked, genericPlan } from './plans.ts'

/** How a search reaches what it finds in a book that is full. */

const server = await openTestServer()
const { database } = server.engine
const many = 4_000

/** Copies of a row of this book, each with names of its own and without what is sealed for the row alone. */
async function filling(table: string, changes: string) {
  const columns = await server.rows(
    `select attname as name from pg_attribute
     where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  const names = columns.map(({ name }) => name as string)
  return statement(
    `test.fill ${table}`,
    `insert into ${table} (${names.join(', ')})
     select ${names.map((name) => `(made.t).${name}`).join(', ')} from (
       select jsonb_populate_record(x.t, jsonb_build_object(
         'id', split_part((x.t).id, ':', 1) || ':' || gen_random_uuid(), ${changes})) as t
       from (select t from ${table} t where platform_id = $1 and environment = $2 limit 1) x,
         generate_series(1, ${many}) n offset 0) made`,
  )
}

const fillings = {
  customers: `'platform_customer_id', 'many-' || n, 'uma_address', '$many' || n || '@many.example', 'email_hash', 'e' || n,
    'phone_hash', 'p' || n, 'name_hash', 'n' || n % 50, 'personal', null`,
  external_accounts: `'platform_account_id', 'many-' || n, 'number_hash', 'n' || n, 'ending_hash', 'e' || n % 50,
    'duplicate_key', 'd' || n, 'details', null`,
  transactions: `'reference', 'R' || n, 'created_at', (x.t).created_at + n * interval '1 second'`,
}

it('finds by its indexes, and reads the latest payments alone where there is none', async () => {
  const platform = await server.platform()
  const api = server.client(platform)
  const customer = await createCustomer(api, { platformCustomerId: 'acme-1' })
  await createPayee(api, 'MXN', '032180000118359719', { customerId: customer.id, platformAccountId: 'rent' })
  await fund(api, (await internalAccountOf(api, customer.id, 'USD')).id, 1_000)
  const book = [platform.platformId, platform.environment]
  for (const [table, changes] of Object.entries(fillings)) {
    await database.write(platform, await filling(table, changes), book)
    await database.maintenance((connection) => connection.script(`select corridor_analyze('${table}')`))
  }

  const asked = new Map<string, Asked>()
  const { read } = database
  database.read = ((...[whose, text, parameters = []]: Parameters<typeof read>) => {
    if (text.name.startsWith('search.')) asked.set(text.name, { statement: text, parameters })
    return read.call(database, whose, text, parameters)
  }) as typeof read
  for (const text of [customer.id, 'many-1', '10.00 USD']) {
    const query = `${server.baseUrl}/search?q=${encodeURIComponent(text)}`
    const answer = await server.fetch(query, { headers: { authorization: basic(platform) } })
    expect(((await answer.json()) as { data: unknown[] }).data.length, text).toBeGreaterThan(0)
  }
  database.read = read
  expect([...asked.keys()].sort()).toEqual([
    'search.beginnings',
    'search.ids',
    'search.latest',
    'search.values',
  ])

  const full = Object.keys(fillings)
  for (const [name, each] of asked) {
    const nodes = await genericPlan(database, platform, each)
    const scans = nodes.filter((node) => full.includes(node['Relation Name'] ?? ''))
    const about = `${name} ${JSON.stringify(scans)}`
    expect(scans.length, about).toBeGreaterThan(0)
    for (const scan of scans) {
      expect(scan['Node Type'], about).toMatch(/^(Index Scan|Bitmap Heap Scan)$/)
    }
    const conditions = nodes.filter((node) => node['Index Cond'] !== undefined)
    for (const { 'Index Name': index = '', 'Index Cond': condition = '' } of conditions) {
      const isOfFull = full.some((table) => index.startsWith(table))
      // Not by the book alone, which would be all of it, but for the latest.
      if (!isOfFull) continue
      if (name === 'search.latest') expect(index).toBe('transactions_listed')
      else
        expect(condition, about).toMatch(
          /\((id|\w+_hash|\(?\w+_id\)?(::text)?|uma_address|\w*reference)\)? (=|>=)/,
        )
    }
  }
})
