import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Scope } from '../../vocabulary/scope.ts'
import { batchedLoad } from './batched-loads.ts'
import { statement } from './driver.ts'

/** What the schema must have so that no table of a later migration is left outside the two locks (ADR 8). */

let books: TestBooks
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
})
afterAll(() => books.database.close())

/** Rows of nobody in particular. */
const ofTheInstallation = ['corridor_migrations', 'installation_keys', 'keyrings', 'platforms']
/** What a session may see; only the functions of migration 0037 read them. */
const ofTheDoor = ['corridor_claims', 'corridor_sessions']
/** One name space for all platforms: keyed by the name. */
const nameSpaces = ['uma_addresses', 'uma_domains']

const listTables = statement(
  'test.listTables',
  `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as "isProtected",
     (select string_agg(a.attname, ' ' order by k.position)
      from pg_index i cross join unnest(i.indkey::int2[]) with ordinality k(number, position)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
      where i.indrelid = c.oid and i.indisprimary) as key,
     (select string_agg(pg_get_expr(p.polqual, c.oid), ' or ') from pg_policy p
      where p.polrelid = c.oid and p.polname = 'one_book') as policy,
     (select string_agg(pg_get_expr(p.polqual, c.oid), ' or ') from pg_policy p
      where p.polrelid = c.oid and p.polname = 'one_book_bound') as "boundPolicy",
     (select pg_get_expr(p.polqual, c.oid) from pg_policy p
      where p.polrelid = c.oid and p.polname = 'all_books') as "systemPolicy",
     array(select p.polname::text from pg_policy p where p.polrelid = c.oid order by 1) as policies,
     array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0) as columns,
     exists (select from information_schema.role_table_grants g
             where g.table_name = c.relname and g.grantee in ('corridor_app', 'corridor_bound', 'PUBLIC')) as "isGranted"
   from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
   order by c.relname`,
)

interface Table {
  name: string
  isProtected: boolean
  key: string | null
  policy: string | null
  boundPolicy: string | null
  systemPolicy: string | null
  policies: string[]
  columns: string[]
  isGranted: boolean
}
const allTables = () => books.database.system((connection) => connection.query<Table>(listTables))

it('every table holds everybody to its policies, its owner too, and has those that it should have', async () => {
  const tables = await allTables()
  expect(tables.length).toBeGreaterThan(40)
  for (const { name, isProtected, systemPolicy, policies } of tables) {
    expect(isProtected, name).toBe(true)
    const isByGrant = ofTheDoor.includes(name) || name === 'corridor_migrations'
    const isOfTenant = !isByGrant && !ofTheInstallation.includes(name)
    const expected = isByGrant ? ['by_grant'] : ['all_books']
    if (isOfTenant) expected.push('one_book', 'one_book_bound')
    expect(policies, name).toEqual(
      nameSpaces.includes(name) ? ['all_books', 'looked_up', ...expected.slice(1)] : expected,
    )
    if (!isByGrant)
      expect(systemPolicy, name).toMatch(/\(\( SELECT c\.environment.*corridor_claim c\) = 'SYSTEM'/s)
  }
})

it('every table of a tenant is keyed by its book and shows the rows of one book alone', async () => {
  const tables = await allTables()
  const named = (names: string[]) => tables.filter(({ name }) => names.includes(name))
  const untouched = [...ofTheInstallation, ...ofTheDoor].sort()
  expect(named(untouched).map(({ name, isGranted }) => [name, isGranted])).toEqual(
    untouched.map((name) => [name, false]),
  )
  expect(named(nameSpaces).map(({ key }) => key)).toEqual(['environment address', 'environment domain'])

  const tenants = tables.filter(({ name }) => !untouched.includes(name))
  expect(tenants.length).toBeGreaterThan(20)
  for (const { name, key, policy, boundPolicy, columns } of tenants) {
    if (!nameSpaces.includes(name)) expect(key, name).toMatch(/^(id )?platform_id environment\b/)
    expect(policy, name).toBe(tenants[0]!.policy)
    // The ids of these two are customers' own.
    const isCustomer = ['customers', 'sca_customers'].includes(name)
    const owner = isCustomer ? 'id' : columns.find((column) => ['owner_id', 'customer_id'].includes(column))
    expect(boundPolicy, name).toContain(
      owner === undefined
        ? '(platform_id, environment) = ( SELECT c.platform_id'
        : `(platform_id, environment, ${owner}) = ( SELECT c.platform_id`,
    )
    expect(boundPolicy, name).toContain("c.customer_id <> ''")
  }
  expect(tenants[0]!.policy).toMatch(
    /\(platform_id, environment\) = \( SELECT c\.platform_id,\s+c\.environment\s+FROM corridor_claim c\s+WHERE \(c\.customer_id = ''/,
  )
})

it('an actor that is bound to a customer sees that customer and nobody else, in every table of customers', async () => {
  const book = await books.open()
  const ids = [1, 2].map(() => books.world.id('Customer')) as [string, string]
  for (const id of ids) {
    const parameters = [book.platformId, book.environment, id]
    await books.database.system((connection) => connection.query(insertCustomer, parameters))
  }
  const all = statement('test.customers', 'select id from customers where platform_id = $1 order by id')
  const load = batchedLoad<{ id: string }>(statement('test.load', loadCustomers))
  const unbound = books.scope(book)
  const bound = { ...unbound, actor: { ...unbound.actor, customerId: ids[1] } }
  const seenBy = async (scope: Scope) => ({
    listed: (await books.database.read<{ id: string }>(scope, all, [book.platformId])).map(({ id }) => id),
    // Asked at once, so that they would share a statement if they could.
    loaded: (await load(books.database, scope, ids)).map(({ id }) => id).sort(),
  })
  const everybody = { listed: [...ids].sort(), loaded: [...ids].sort() }
  const itself = { listed: [ids[1]], loaded: [ids[1]] }
  expect(await Promise.all([seenBy(unbound), seenBy(bound), seenBy(unbound)])).toEqual([
    everybody,
    itself,
    everybody,
  ])
  const nobody = { ...bound, actor: { ...bound.actor, customerId: "x'; reset role; --" } }
  await expect(seenBy(nobody)).rejects.toThrow('bound to the id of a customer')
})

const loadCustomers =
  'select id from customers where platform_id = $1 and environment = $2 and id = any($3::text[])'
const insertCustomer = statement(
  'test.insertCustomer',
  `insert into customers (platform_id, environment, id, customer_type, platform_customer_id, uma_address, status,
     currencies, created_at, updated_at)
   values ($1, $2, $3::text, 'BUSINESS', $3::text, $3::text, 'PENDING', '{}', '2026-01-01', '2026-01-01')`,
)
