import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Connection, statement } from './driver.ts'
import { expectRows } from './expect-rows.ts'

const isEmbedded = !process.env.CORRIDOR_TEST_DATABASE_URL

let books: TestBooks
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
})
afterAll(() => books.database.close())

/** As they were before anything was said about them. */
const forget = `
  delete from pg_statistic where starelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace);
  do $$ declare name text; begin
    for name in select attrelid::regclass from pg_attribute where attoptions is not null and attname = 'platform_id' loop
      execute format('alter table %s alter platform_id reset (n_distinct), alter environment reset (n_distinct)', name);
    end loop;
  end $$`
const tables = statement(
  'test.expect.tables',
  `select relname as name, relforcerowsecurity as forced,
     (select array_agg(conname || ' ' || pg_get_constraintdef(oid) order by conname) from pg_constraint where conrelid = c.oid)
       as constraints,
     (select array_agg(tgname || ' ' || tgenabled::text order by tgname) from pg_trigger where tgrelid = c.oid) as triggers,
     pg_relation_size(c.oid) as size
   from pg_class c where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1`,
)
const expectations = statement(
  'test.expect.expectations',
  `select c.relname as name, a.attoptions::text as options,
     exists (select from pg_statistic where starelid = c.oid and staattnum = a.attnum) as looked
   from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'platform_id'
   where relkind = 'r' and relnamespace = current_schema()::regnamespace and c.relname not like 'corridor%'
     and exists (select from pg_attribute e where e.attrelid = c.oid and e.attname = 'environment') and c.relname <> 'books'`,
)
interface Expectation {
  readonly name: string
  readonly options: string
  readonly looked: boolean
}

const asOwner = <T>(work: (connection: Connection) => Promise<T>) => books.database.asLogin(work)

it('gives each table of a new installation statistics, and leaves it as it was', async () => {
  await asOwner(async (connection) => {
    const before = await connection.query(tables)
    await connection.script(forget)
    await connection.script(expectRows)
    const found = await connection.query<Expectation>(expectations)
    expect(found.length).toBeGreaterThan(70)
    expect(found.filter(({ options, looked }) => options !== '{n_distinct=2}' || !looked)).toEqual([])
    expect(await connection.query(tables)).toEqual(before)
  })
})

it('looks at the rows of an installation that has some, beside processes that write', async () => {
  const book = await books.open()
  const insert = statement(
    'test.expect.insert',
    `insert into ledger_accounts (platform_id, environment, id, currency, must_not_go_negative, moved_at)
     values ($1, $2, $3, 'EUR', true, '2026-01-01') returning id`,
  )
  const add = (id: string) => books.database.write(book, insert, [book.platformId, book.environment, id])
  await add('avail:1')
  await asOwner((connection) => connection.script(forget))
  const look = () => asOwner((connection) => connection.script(`set lock_timeout = '2s'; ${expectRows}`))
  if (isEmbedded) await look()
  else {
    await books.database.system(async (connection) => {
      await connection.script('begin')
      await connection.query(insert, [book.platformId, book.environment, 'avail:2'])
      await connection.script('select from quotes')
      await look()
      await connection.script('commit')
    })
  }
  await asOwner(async (connection) => {
    await connection.script('reset lock_timeout')
    const found = await connection.query<Expectation>(expectations)
    expect(found.filter(({ options }) => options !== '{n_distinct=2}')).toEqual([])
    expect(found.filter(({ looked }) => looked).map(({ name }) => name)).toContain('ledger_accounts')
    expect(found.filter(({ looked }) => looked).map(({ name }) => name)).not.toContain('quotes')
  })
})
