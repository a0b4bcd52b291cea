import { tmpdir } from 'node:os'
import { DatabaseUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import { createDatabase } from '@corridor/engine/mechanisms/db/database.ts'
import type { Connection, Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import { installationBook } from '@corridor/engine/vocabulary/scope.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { expect, it } from 'vitest'
import { readinessOf, sharedFor } from './readiness.ts'

/** A server that answers each script as told. */
function driverThat(answer: (text: string) => void): Driver {
  const connection = { script: async (text: string) => answer(text) } as Connection
  return {
    kind: 'postgresql',
    use: (_lane, work) => work(connection),
    ended: async () => {},
    server: () => '',
    whenDurable: () => undefined,
    confirm: async () => {},
    close: async () => {},
  }
}

const nothing = async () => {}

const isSort = (text: string) => text.includes('work_mem')
const sqlError = (code: string) => Object.assign(new Error('could not write'), { code })

it('is ready while the database answers and has room', async () => {
  expect(
    await readinessOf(
      driverThat(() => {}),
      nothing,
      [tmpdir()],
    )(),
  ).toBeUndefined()
})

it.each([
  ['DATABASE_DISK_FULL', 'has no room for a sort', isSort, sqlError('53100')],
  ['DATABASE_ERROR', 'refuses the sort for another reason', isSort, sqlError('42501')],
  ['DATABASE_UNAVAILABLE', 'takes no more connections', () => true, sqlError('53300')],
  ['DATABASE_UNAVAILABLE', 'is away', () => true, new DatabaseUnavailable('AWAY', 'gone')],
] as const)('says %s when the database %s', async (reason, _why, isTime, error) => {
  const driver = driverThat((text) => {
    if (isTime(text)) throw error
  })
  expect(await readinessOf(driver, nothing, [])()).toBe(reason)
})

it('says DISK_FULL where that is why the database takes nothing', async () => {
  const driver = driverThat(() => {
    throw new DatabaseUnavailable('AWAY', 'no room')
  })
  expect(await readinessOf(driver, nothing, ['/full'], async () => 1024)()).toBe('DISK_FULL')
})

it('says DISK_FULL when a folder has no room, or nothing can be written there', async () => {
  const driver = driverThat(() => {})
  const full = readinessOf(driver, nothing, ['/fits', '/full'], async (folder) =>
    folder === '/full' ? 1024 : 2 ** 40,
  )
  expect(await full()).toBe('DISK_FULL')
  const failing = (code: string) =>
    readinessOf(driver, nothing, ['/data'], () => Promise.reject(Object.assign(new Error('no'), { code })))
  expect(await failing('ENOSPC')()).toBe('DISK_FULL')
  expect(await failing('EDQUOT')()).toBe('DISK_FULL')
  // A folder that is made with the first file.
  expect(await failing('ENOENT')()).toBeUndefined()
})

it('says DATABASE_ERROR where the database answers and every request would fail', async () => {
  const driver = await openTestDatabase()
  const database = createDatabase(driver)
  const read = () =>
    database.read(installationBook, { name: 'test.book', text: 'select 1 as found from books' }, [])
  const readiness = readinessOf(driver, read, [])
  await driver.use('maintenance', (connection) =>
    connection.script('reset role; alter function corridor_make_claim rename to corridor_make_claim_away'),
  )
  expect(await readiness()).toBe('DATABASE_ERROR')
  await driver.close()
})

it('checks once for all who ask within a second, also while the check runs and where it fails', async () => {
  let now = 0
  const checks: ((reason: string | undefined) => void)[] = []
  const check = sharedFor(
    1_000,
    () => now,
    () => new Promise<string | undefined>((resolve) => checks.push(resolve)),
  )
  const ask = (count: number) => Promise.all(Array.from({ length: count }, check))
  const first = ask(500)
  expect(checks).toHaveLength(1)
  now = 1_500
  checks[0]!('DATABASE_UNAVAILABLE')
  expect(new Set(await first)).toEqual(new Set(['DATABASE_UNAVAILABLE']))
  now = 2_499
  expect(await check()).toBe('DATABASE_UNAVAILABLE')
  expect(checks).toHaveLength(1)
  now = 2_500
  const next = ask(2)
  expect(checks).toHaveLength(2)
  checks[1]!(undefined)
  expect(await next).toEqual([undefined, undefined])
})
