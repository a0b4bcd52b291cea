import { type Driver, type Statement, statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { expect, it } from 'vitest'
import { openTestDatabase } from './database.ts'
import { startTestServer } from './server.ts'

const countPlatforms = statement('testkit.platforms', 'select count(*) from platforms')
const findOdd = statement('testkit.odd', "select to_regclass('odd') is not null as found")
const ask = (driver: Driver, asked: Statement) =>
  driver.use('maintenance', (connection) => connection.query(asked))

it('hands out a database without rows of another file, and serves it', async () => {
  const first = await startTestServer()
  await first.platform()
  await first.close()
  const second = await startTestServer()
  const driver = await openTestDatabase()
  expect(await ask(driver, countPlatforms)).toEqual([{ count: 0n }])
  await driver.close()
  await second.platform()
  expect(await second.rows('select count(*) from platforms')).toEqual([{ count: 1n }])
  await second.close()
})

it('hands out no database whose tables a file has changed', async () => {
  const changed = await openTestDatabase()
  await changed.use('maintenance', (connection) => connection.script('create table odd (id int)'))
  await changed.close()
  const next = await openTestDatabase()
  expect(await ask(next, findOdd)).toEqual([{ found: false }])
  await next.close()
})

it('serves nothing once it is closed', async () => {
  const driver = await openTestDatabase()
  await driver.close()
  await expect(ask(driver, countPlatforms)).rejects.toThrow()
})
