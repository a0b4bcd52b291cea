import { ok } from '@corridor/kernel'
import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Book } from '../../vocabulary/scope.ts'
import { createDatabase } from './database.ts'
import { isSqlError, statement } from './driver.ts'

/**
 * What a statement can do that was never meant to be run: in a transaction of one book, with whatever SQL, before it
 * turns to the rows of another (ADR 21). On PostgreSQL the session belongs to a login that owns nothing; the embedded
 * database has one login, a superuser, who can take every role off.
 */
const isEmbedded = !process.env.CORRIDOR_TEST_DATABASE_URL

let books: TestBooks
let victim: Book
let customerId: string
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
  victim = await books.open()
  customerId = await addCustomer(victim)
})
afterAll(() => books.database.close())

async function addCustomer(book: Book): Promise<string> {
  const id = books.world.id('Customer')
  await books.database.system((connection) =>
    connection.query(statement('test.addCustomer', insertCustomer), [book.platformId, book.environment, id]),
  )
  return id
}

const insertCustomer = `insert into customers (platform_id, environment, id, customer_type, platform_customer_id, uma_address,
     status, currencies, created_at, updated_at)
   values ($1, $2, $3::text, 'BUSINESS', $3::text, $3::text, 'PENDING', '{}', '2026-01-01', '2026-01-01')
   returning id`

const attacks = {
  read: 'select id from customers where platform_id = $1 and environment = $2 and $3::text is not null',
  change: `update customers set status = 'APPROVED' where platform_id = $1 and environment = $2
     and $3::text is not null returning id`,
  remove: 'delete from customers where platform_id = $1 and environment = $2 and id = $3 returning id',
  add: insertCustomer,
}

/** How many rows of the victim were touched, or the code of the refusal. */
async function attack(book: Book, trick: string, kind: keyof typeof attacks): Promise<number | string> {
  try {
    const done = await books.database.transact<number, never>(book, async (connection) => {
      await connection.script(trick)
      const id = kind === 'add' ? books.world.id('Customer') : customerId
      const parameters = [victim.platformId, victim.environment, id]
      return ok((await connection.query(statement(`test.${kind}`, attacks[kind]), parameters)).length)
    })
    return done.ok ? done.value : 'failed'
  } catch (error) {
    if (isSqlError(error)) return error.code
    throw error
  }
}

const refusedByRole = '42501'
const none = { read: 0, change: 0, remove: 0, add: refusedByRole }
const all = (code: string) => ({ read: code, change: code, remove: code, add: code })

/** What each of them would be without the door: that the attacks themselves work. */
it('reaches the rows of a book with its claim', async () => {
  for (const [kind, reached] of [
    ['read', 1],
    ['change', 1],
    ['add', 1],
  ] as const) {
    expect(await attack(victim, 'select 1', kind), kind).toBe(reached)
  }
})

const claims: [string, () => string, Record<keyof typeof attacks, number | string>][] = [
  ['nothing', () => 'select 1', none],
  ['a claim it made up', () => `select set_config('corridor.claim', '${'0'.repeat(64)}', true)`, none],
  ['no claim', () => "select set_config('corridor.claim', '', true)", none],
  [
    'the settings of before',
    () =>
      `set corridor.platform = '${victim.platformId}'; set corridor.environment = '${victim.environment}'`,
    none,
  ],
  ['the role of the system', () => 'set role corridor_system', none],
  ['the role of the system by a function', () => "select set_config('role', 'corridor_system', false)", none],
  ['the role of agents', () => 'set role corridor_bound', none],
  ['a second key', () => 'select corridor_open()', all('23502')],
  [
    'a key for another session',
    () => "insert into corridor_sessions (pid, key) values (1, '')",
    all('42501'),
  ],
  [
    'a key of another time',
    () => "insert into corridor_sessions (started_at, key) values ('2000-01-01', sha256(''))",
    all('42501'),
  ],
  ['reading the key', () => 'select key from corridor_sessions', all('42501')],
  ['reading claims', () => 'select token from corridor_claims', all('42501')],
  [
    'reading claims as the system',
    () => 'set role corridor_system; select token from corridor_claims',
    all('42501'),
  ],
  [
    'writing a claim',
    () => `insert into corridor_claims (pid, platform_id, environment, customer_id)
           values (pg_backend_pid(), '${victim.platformId}', '${victim.environment}', '')`,
    all('42501'),
  ],
  [
    'making a claim without the key',
    () =>
      `select corridor_make_claim('${'0'.repeat(64)}', '${victim.platformId}', '${victim.environment}', '', false)`,
    all('42501'),
  ],
  ['switching the policies off', () => 'set row_security = off', all('42501')],
  ['dropping a policy', () => 'drop policy one_book on customers', all('42501')],
  ['letting the owner go free', () => 'alter table customers no force row level security', all('42501')],
  ['a table that stands before another', () => 'create temporary table customers (id text)', all('42501')],
  ['a table by a query', () => 'select 1 as id into temporary customers', all('42501')],
  ['a function of its own', () => "create function f() returns int language sql as 'select 1'", all('42501')],
]

it.each(claims)('%s opens no other book', async (_, trick, expected) => {
  const book = await books.open()
  for (const kind of ['read', 'change', 'remove', 'add'] as const) {
    expect(await attack(book, trick(), kind), kind).toBe(expected[kind])
  }
})

describe.skipIf(isEmbedded)('a login that owns nothing', () => {
  it.each([
    ['reset role', none],
    ["select set_config('role', 'none', false)", none],
    ['reset role; set corridor.claim = default', none],
    ['reset role; select key from corridor_sessions', all('42501')],
    ['reset role; select token from corridor_claims', all('42501')],
    ['reset role; select corridor_open()', all('23505')],
    ['reset session authorization', none],
    ['set session authorization postgres', all('42501')],
    ['reset role; alter table customers disable row level security', all('42501')],
    ['reset role; create temporary table customers (id text)', all('42501')],
  ])('%s opens no other book', async (trick, expected) => {
    const book = await books.open()
    for (const kind of ['read', 'change', 'remove', 'add'] as const) {
      expect(await attack(book, trick, kind), kind).toBe(expected[kind as keyof typeof expected])
    }
  })
})

it('what a statement leaves behind in a session ends where the next book begins', async () => {
  const ids = statement('test.ids', 'select id from customers')
  // Where the database gives everybody this right, it cannot always be taken from them.
  const mayMakeTables = (isSo: boolean) =>
    books.database.asLogin((connection) =>
      connection.script(
        `do $$ begin execute format('${isSo ? 'grant temporary on database %I to' : 'revoke temporary on database %I from'} corridor_app', current_database()); end $$`,
      ),
    )
  await mayMakeTables(true)
  for (const left of [
    "select set_config('role', 'corridor_system', false)",
    "select set_config('search_path', 'pg_catalog', false)",
    "select set_config('corridor.claim', 'x', false)",
    'create temporary table customers (id text)',
    'create temporary table corridor_claim (platform_id uuid, environment text, customer_id text)',
  ]) {
    const book = await books.open()
    const other = await books.open()
    await addCustomer(other)
    await books.database.transact(other, async (connection) => {
      await connection.script(left)
      return ok(null)
    })
    const id = await addCustomer(book)
    // The connection that was just given back is the next to be lent.
    const found = await books.database.transact<{ id: string }[], never>(book, async (connection) =>
      ok(await connection.query<{ id: string }>(ids)),
    )
    expect(found).toEqual(ok([{ id }]))
  }
  await mayMakeTables(false)
})

it('an actor that is bound to a customer cannot become one that is not', async () => {
  const book = await books.open()
  const [mine] = [await addCustomer(book), await addCustomer(book)]
  const scope = books.scope(book)
  const bound = { ...scope, actor: { ...scope.actor, customerId: mine } }
  const ids = statement('test.ids', 'select id from customers')
  const seen = async (trick: string) => {
    const found = await books.database.transact<{ id: string }[], never>(bound, async (connection) => {
      await connection.script(trick)
      return ok(await connection.query<{ id: string }>(ids))
    })
    return found.ok && found.value.map(({ id }) => id)
  }
  expect(await seen('select 1')).toEqual([mine])
  expect(await seen('set local role corridor_app')).toEqual([])
  expect(await seen('set local role corridor_system')).toEqual([])
  if (!isEmbedded) expect(await seen('set local role none')).toEqual([mine])
})

it('a name is looked up by who knows it, and its row belongs to its book', async () => {
  const [book, other] = [await books.open(), await books.open()]
  const add = (of: Book) =>
    books.database.write(
      of,
      statement(
        'test.nameAndDomain',
        "with d as (insert into uma_domains (environment, domain, platform_id) values ($1, $2, $2::uuid)) insert into uma_addresses (environment, address, platform_id, customer_id) values ($1, '$' || $2, $2::uuid, 'c')".replaceAll(
          '$2, ',
          '$2::text, ',
        ),
      ),
      [of.environment, of.platformId],
    )
  await add(book)
  await add(other)
  const address = `$${other.platformId}`
  const read = <R>(text: string, parameters: unknown[] = []) =>
    books.database.read<R>(book, statement(`test ${text}`.slice(0, 60), text), parameters)
  for (const table of ['uma_domains', 'uma_addresses']) {
    expect(await read(`select platform_id from ${table}`)).toEqual([{ platform_id: book.platformId }])
    expect(await read(`delete from ${table} where platform_id = $1 returning 1`, [other.platformId])).toEqual(
      [],
    )
  }
  expect(await read('select corridor_domain_holder($1) as holder', [other.platformId])).toEqual([
    { holder: other.platformId },
  ])
  expect(await read('select platform_id from corridor_address_holders(array[$1::text])', [address])).toEqual([
    { platform_id: other.platformId },
  ])
  // Nor does a name of the other environment exist.
  const production = { ...book, environment: 'PRODUCTION' as const }
  const holders = statement('test.holders', 'select 1 from corridor_address_holders(array[$1::text])')
  expect(await books.database.read(production, holders, [address])).toEqual([])
})

it('a session remembers a bounded number of claims and serves any number of books', async () => {
  const count = statement('test.claims.count', 'select count(*) as n from customers')
  const claimsHeld = statement(
    'test.claimsHeld',
    'select max(n) as n from (select count(*) as n from corridor_claims group by pid) c',
  )
  for (let i = 0; i < 2_050; i++) {
    const book: Book = { platformId: books.world.uuid(), environment: 'SANDBOX' }
    expect(await books.database.read(book, count)).toEqual([{ n: 0n }])
  }
  expect(await books.database.read(victim, count)).toEqual([{ n: 2n }])
  const [held] = await books.database.asLogin((connection) => connection.query<{ n: bigint }>(claimsHeld))
  expect(held!.n).toBeLessThanOrEqual(2_001n)
}, 60_000)

it.skipIf(isEmbedded)('a session that began while another one was beginning keeps its claims', async () => {
  const driver = await openTestDatabase()
  const database = createDatabase(driver)
  const look = statement('test.sessionsThere', 'select count(*) as n from pg_stat_get_activity(null)')
  const begin = statement('test.beginSession', 'select corridor_open()')
  const ask = statement('test.whoeverSees', 'select corridor_claim.environment from corridor_claim')
  const seen = () => database.system((connection) => connection.query(ask))
  await driver.use('read', async (slow) => {
    // Whoever begins has looked round who is there, and the server lets others run before it goes on.
    await slow.script('begin')
    await slow.query(look)
    expect(await seen()).toEqual([{ environment: 'SYSTEM' }])
    await slow.query(begin)
    await slow.script('commit')
  })
  expect(await seen()).toEqual([{ environment: 'SYSTEM' }])
  await database.close()
})
