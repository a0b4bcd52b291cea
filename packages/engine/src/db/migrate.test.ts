import { expect, it } from 'vitest'
import { createDatabase } from './database.ts'
import { statement } from './driver.ts'
import { migrate } from './migrate.ts'
import { openPglite } from './pglite.ts'
import { openPostgresql } from './postgresql.ts'

const first = { name: '0001_a.sql', sql: 'create table a (id int); insert into a values (1)' }
const second = { name: '0002_b.sql', sql: 'create table b (id int)' }
const broken = { name: '0003_c.sql', sql: 'create table c (id int); select 1/0' }
const tables = statement(
  'test.tables',
  "select relname as name from pg_class where relname in ('a', 'b', 'c') and relkind = 'r' order by 1",
)

it('applies what is missing, once, and refuses a file that was changed afterwards', async () => {
  const database = createDatabase(await openPglite({}))
  const names = async () =>
    (await database.system((connection) => connection.query<{ name: string }>(tables))).map(
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

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL

it.skipIf(!serverUrl)('lets two processes start at the same moment', async () => {
  const name = `corridor_migrations_${process.pid}`
  const admin = createDatabase(openPostgresql({ url: serverUrl! }))
  await admin.system((connection) => connection.script(`create database ${name}`))
  const url = new URL(serverUrl!)
  url.pathname = `/${name}`
  const starters = [1, 2, 3].map(() => createDatabase(openPostgresql({ url: url.href })))
  const slow = { ...first, sql: `${first.sql}; select pg_sleep(0.2)` }
  const done = await Promise.all(starters.map((database) => migrate(database, [slow, second])))
  expect(done.flat().sort()).toEqual(['0001_a.sql', '0002_b.sql'])
  await Promise.all(starters.map((database) => database.close()))
  await admin.system((connection) => connection.script(`drop database ${name} with (force)`))
  await admin.close()
})
