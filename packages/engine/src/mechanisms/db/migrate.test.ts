import { expect, it } from 'vitest'
import { createDatabase } from './database.ts'
import { statement } from './driver.ts'
import { MigrationRefused, migrate } from './migrate.ts'
import { openPglite } from './pglite.ts'
import { openPostgresql } from './postgresql.ts'

const first = { name: '0001_a.sql', sql: 'create table a (id int); insert into a values (1)' }
const second = { name: '0002_b.sql', sql: 'create table b (id int)' }
const broken = { name: '0003_c.sql', sql: 'create table c (id int); select 1/0' }
const tables = statement(
  'test.tables',
  "select relname as name from pg_class where relname in ('a', 'b', 'c') and relkind = 'r' order by 1",
)

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
/** These tests open the embedded database in every run, so one run is enough. */
const itEmbedded = it.skipIf(serverUrl)

itEmbedded('applies what is missing, once, and refuses a file that was changed afterwards', async () => {
  const database = createDatabase(await openPglite({}))
  const names = async () =>
    (await database.asLogin((connection) => connection.query<{ name: string }>(tables))).map(
      ({ name }) => name,
    )
  expect(await migrate(database, [first])).toEqual(['0001_a.sql'])
  expect(await migrate(database, [first, second])).toEqual(['0002_b.sql'])
  expect(await migrate(database, [first, second])).toEqual([])

  const changed = { ...first, sql: 'create table a (id bigint)' }
  await expect(migrate(database, [changed, second])).rejects.toThrow('0001_a.sql was changed')

  await expect(migrate(database, [first, second, broken])).rejects.toThrow('0003_c.sql failed')
  expect(await names()).toEqual(['a', 'b'])
  const repaired = { ...broken, sql: 'create table c (id int)' }
  expect(await migrate(database, [first, second, repaired])).toEqual(['0003_c.sql'])
  expect(await names()).toEqual(['a', 'b', 'c'])
  await database.close()
})

itEmbedded.each([
  [
    'two files with one number',
    [],
    ['0001_a.sql', '0002_b.sql', '0002_c.sql'],
    '0002_b.sql and 0002_c.sql have the same number',
  ],
  [
    'a file below one that has been applied',
    ['0001_a.sql', '0003_c.sql'],
    ['0001_a.sql', '0002_b.sql', '0003_c.sql'],
    'migration 0002_b.sql comes before one',
  ],
  [
    'a database newer than the program',
    ['0001_a.sql', '0002_b.sql'],
    ['0001_a.sql'],
    'newer than this program, which does not know 0002_b.sql',
  ],
  ['a file without a number', [], ['a.sql'], 'a.sql has no name like'],
])('refuses %s, and changes nothing', async (_, before, now, reason) => {
  const database = createDatabase(await openPglite({}))
  const files = (names: readonly string[]) =>
    names.map((name) => ({ name, sql: `create table t_${name.replace(/\W/g, '_')} (id int)` }))
  await migrate(database, files(before))
  const count = statement('test.count', "select count(*)::int as n from pg_class where relname like 't\\_%'")
  const made = () => database.asLogin((connection) => connection.query(count))
  const unchanged = await made()
  await expect(migrate(database, files(now))).rejects.toThrow(reason)
  await expect(migrate(database, files(now))).rejects.toBeInstanceOf(MigrationRefused)
  expect(await made()).toEqual(unchanged)
  await database.close()
})

itEmbedded(
  'lets numbers leave gaps, and knows the one pair of the first release that shares one',
  async () => {
    const database = createDatabase(await openPglite({}))
    const file = (name: string) => ({ name, sql: 'select 1' })
    const pair = ['0003_customers.sql', '0003_ownership_challenges.sql'].map(file)
    // A start that was killed between the two goes on with the second.
    expect(await migrate(database, pair.slice(0, 1))).toEqual(['0003_customers.sql'])
    expect(await migrate(database, pair)).toEqual(['0003_ownership_challenges.sql'])
    expect(await migrate(database, [...pair, file('0007_x.sql')])).toEqual(['0007_x.sql'])
    await database.close()
  },
)

it.skipIf(!serverUrl)('lets two processes start at the same moment', async () => {
  const name = `corridor_migrations_${process.pid}`
  const admin = createDatabase(openPostgresql({ url: serverUrl! }))
  await admin.asLogin((connection) => connection.script(`create database ${name}`))
  const url = new URL(serverUrl!)
  url.pathname = `/${name}`
  const starters = [1, 2, 3].map(() => createDatabase(openPostgresql({ url: url.href })))
  const slow = { ...first, sql: `${first.sql}; select pg_sleep(0.2)` }
  const done = await Promise.all(starters.map((database) => migrate(database, [slow, second])))
  expect(done.flat().sort()).toEqual(['0001_a.sql', '0002_b.sql'])
  await Promise.all(starters.map((database) => database.close()))
  await admin.asLogin((connection) => connection.script(`drop database ${name} with (force)`))
  await admin.close()
})
