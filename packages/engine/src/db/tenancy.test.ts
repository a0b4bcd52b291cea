import { createTestBooks, openTestDatabase, type TestBooks } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { statement } from './driver.ts'

/** What the schema must have so that no table of a later migration is left outside the two locks (ADR 8). */

let books: TestBooks
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
})
afterAll(() => books.database.close())

/** Rows of nobody in particular. */
const ofTheInstallation = ['corridor_migrations', 'installation_keys', 'platforms']
/** One name space for all platforms: keyed by the name, which is all that they are reached by. */
const nameSpaces = ['uma_addresses', 'uma_domains']

const listTables = statement(
  'test.listTables',
  `select c.relname as name, c.relrowsecurity as "isProtected",
     (select string_agg(a.attname, ' ' order by k.position)
      from pg_index i cross join unnest(i.indkey::int2[]) with ordinality k(number, position)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
      where i.indrelid = c.oid and i.indisprimary) as key,
     (select string_agg(pg_get_expr(p.polqual, c.oid), ' or ') from pg_policy p where p.polrelid = c.oid) as policy,
     exists (select from information_schema.role_table_grants g
             where g.table_name = c.relname and g.grantee = 'corridor_app') as "isGranted"
   from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
   order by c.relname`,
)

it('every table of a tenant is keyed by its book and shows the rows of one book alone', async () => {
  interface Table {
    name: string
    isProtected: boolean
    key: string | null
    policy: string | null
    isGranted: boolean
  }
  const tables = await books.database.system((connection) => connection.query<Table>(listTables))
  const named = (names: string[]) => tables.filter(({ name }) => names.includes(name))
  expect(named(ofTheInstallation).map(({ name, isGranted }) => [name, isGranted])).toEqual(
    ofTheInstallation.map((name) => [name, false]),
  )
  expect(named(nameSpaces).map(({ key }) => key)).toEqual(['environment address', 'environment domain'])

  const tenants = tables.filter(({ name }) => ![...ofTheInstallation, ...nameSpaces].includes(name))
  expect(tenants.length).toBeGreaterThan(20)
  for (const { name, isProtected, key, policy } of tenants) {
    expect(key, name).toMatch(/^(id )?platform_id environment\b/)
    expect(isProtected, name).toBe(true)
    expect(policy, name).toBe(tenants[0]!.policy)
  }
  expect(tenants[0]!.policy).toMatch(
    /\(platform_id, environment\) = .*corridor\.platform.*corridor\.environment/s,
  )
})
