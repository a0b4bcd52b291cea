import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isUnavailable } from './availability.ts'
import { statement } from './driver.ts'
import { DamagedDatabase, makeCluster, openPglite } from './pglite.ts'

const path = mkdtempSync(join(tmpdir(), 'corridor-damage-'))
const whole = join(path, 'whole')
beforeAll(() => makeCluster(whole), 120_000)
afterAll(() => rmSync(path, { recursive: true, force: true }))

it.each<[string, (directory: string) => void]>([
  ['has no control file', (directory) => rmSync(join(directory, 'global/pg_control'))],
  ['has an empty control file', (directory) => truncateSync(join(directory, 'global/pg_control'))],
  ['has lost its tables', (directory) => rmSync(join(directory, 'base'), { recursive: true })],
  ['was made by another version', (directory) => writeFileSync(join(directory, 'PG_VERSION'), '12')],
  ['has lost the file that says what it is', (directory) => rmSync(join(directory, 'PG_VERSION'))],
])('an embedded database that %s is called damaged, by its place', async (name, damage) => {
  const directory = join(path, name)
  cpSync(whole, directory, { recursive: true })
  damage(directory)
  const opening = openPglite({ directory })
  await expect(opening).rejects.toThrow(directory)
  await expect(opening).rejects.toBeInstanceOf(DamagedDatabase)
})

it('an embedded database lets five thousand wait and refuses the next, until there is room', async () => {
  const driver = await openPglite({ directory: join(path, 'busy'), template: whole })
  let finish: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    finish = resolve
  })
  let begun: () => void = () => {}
  const isHeld = new Promise<void>((resolve) => {
    begun = resolve
  })
  const first = driver.use('write', () => {
    begun()
    return held
  })
  await isHeld
  let done = 0
  const waiting = Array.from({ length: 5_000 }, () => driver.use('read', async () => void done++))
  const beyond = await driver.use('read', async () => 'served').catch((error: unknown) => error)
  expect(beyond).toMatchObject({ name: 'DatabaseUnavailable', reason: 'BUSY' })
  expect(isUnavailable(beyond)).toBe(true)
  finish()
  await Promise.all([first, ...waiting])
  expect(done).toBe(5_000)
  expect(await driver.use('read', async () => 'served')).toBe('served')
  await driver.close()
})

it('an embedded database answers in the order in which it is asked, whoever waits and whatever fails in between', async () => {
  const driver = await openPglite({ directory: join(path, 'order'), template: whole })
  const answers = await driver.use('write', (connection) => {
    const ask = (text: string, parameters: unknown[] = []) =>
      connection.query<{ value: unknown }>(statement(text.slice(0, 60), text), parameters).then(
        (rows) => rows.map(({ value }) => value),
        (error: { code: string }) => error.code,
      )
    return Promise.all([
      ask('select $1::int8 + 1 as value', [1n]),
      connection.script('begin'),
      ask('create table kept (id int)'),
      ask('insert into kept values ($1), ($2) returning id as value', [1, 2]),
      ask('select $1::int as value', ['no number']),
      ask('select count(*) as value from kept'),
      connection.script('rollback'),
      ask("select to_regclass('kept') as value"),
      ask('select $1::boolean as value', [true]),
      ask('select $1::text[] as value', [['a', null]]),
      ask('select $1::int as value', []),
      ask('select $1::int8 + 1 as value', [2n]),
    ])
  })
  expect(answers).toEqual([
    [2n],
    undefined,
    [],
    [1, 2],
    '22P02',
    '25P02',
    undefined,
    [null],
    [true],
    [['a', null]],
    '08P01',
    [3n],
  ])
  await driver.close()
  await expect(driver.use('read', (connection) => connection.script('select 1'))).rejects.toThrow('closed')
})

it('an embedded database that gives up serves nobody any more, and is there again after a new start', async () => {
  const directory = join(path, 'given up')
  const driver = await openPglite({ directory, template: whole })
  const aborted = Object.assign(new Error('Aborted()'), { name: 'RuntimeError' })
  const givingUp = driver.use('write', () => Promise.reject(aborted))
  for (const answer of [givingUp, driver.use('read', async () => 'served')]) {
    expect(isUnavailable(await answer.catch((error: unknown) => error))).toBe(true)
  }
  await driver.close()
  const again = await openPglite({ directory })
  expect(await again.use('read', async () => 'served')).toBe('served')
  await again.close()
})

it('an empty folder is no damage: a database is made there, and no other beside it', async () => {
  const directory = join(path, 'empty')
  mkdirSync(directory)
  const driver = await openPglite({ directory, template: whole })
  const names = { name: 'test.databases', text: 'select datname as name from pg_database' }
  expect(await driver.use('read', (connection) => connection.query(names))).toEqual([{ name: 'postgres' }])
  await driver.close()
  expect(readdirSync(join(directory, 'base'))).toHaveLength(1)
})
