import { DatabaseUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import { type Connection, type Driver, newSession } from '@corridor/engine/mechanisms/db/driver.ts'
import type { WantedDurability } from '@corridor/engine/mechanisms/db/durability.ts'
import { expect, it } from 'vitest'
import { StartRefused } from './config.ts'
import { checkDurability, durabilityOf, lackOf } from './durability.ts'

const disk = { fsync: 'on', synchronousCommit: 'on', standbyNames: '' }
const standby = { ...disk, standbyNames: 'ANY 1 (a, b)' }

it.each([
  ['disk', disk],
  ['disk', { ...disk, synchronousCommit: 'local' }],
  ['disk', standby],
  ['standby', standby],
  ['standby', { ...standby, synchronousCommit: 'remote_apply' }],
] as const)('%s is given by %j', (wanted, settings) => {
  expect(lackOf(wanted, settings)).toBeUndefined()
})

it.each([
  ['disk', { ...disk, fsync: 'off' }, 'fsync is off'],
  ['disk', { ...disk, synchronousCommit: 'off' }, 'synchronous_commit is off'],
  ['standby', disk, 'synchronous_standby_names is empty'],
  ['standby', { ...standby, standbyNames: ' ' }, 'synchronous_standby_names is empty'],
  ['standby', { ...standby, synchronousCommit: 'local' }, 'synchronous_commit is local'],
  ['standby', { ...standby, synchronousCommit: 'remote_write' }, 'synchronous_commit is remote_write'],
  ['standby', { ...standby, fsync: 'off' }, 'fsync is off'],
] as const)('%s is not given by %j: %s', (wanted, settings, lack) => {
  expect(lackOf(wanted, settings)).toContain(lack)
})

/** A server with these settings and as many standbys; `confirm` is how it confirms. */
function driverWith(
  settings: typeof disk,
  { standbys = 1n, confirm }: { standbys?: bigint; confirm?: () => Promise<void> | undefined } = {},
): Driver {
  const connection: Connection = {
    session: newSession(),
    pipelines: true,
    query: async <R>() => [{ ...settings, standbys }] as R[],
    script: async () => {},
  }
  return {
    kind: 'postgresql',
    use: (_lane, work) => work(connection),
    ended: async () => {},
    server: () => 'one',
    whenDurable: () => confirm?.(),
    confirm: async () => {},
    close: async () => {},
  }
}

async function start(driver: Driver, wanted: WantedDurability | undefined): Promise<string[]> {
  const warnings: string[] = []
  await checkDurability(driver, wanted, { warn: (_fields, text) => void warnings.push(text) })
  return warnings
}

it.each([
  ['disk', { ...disk, fsync: 'off' }, 'fsync is off'],
  ['standby', disk, 'synchronous_standby_names is empty'],
] as const)('%s refuses to start on %j', async (wanted, settings, why) => {
  const refused = start(driverWith(settings), wanted)
  await expect(refused).rejects.toThrow(StartRefused)
  await expect(refused).rejects.toThrow(why)
})

it('starts where the database gives what is asked, or nothing is asked', async () => {
  expect(await start(driverWith(disk), 'disk')).toEqual([])
  expect(await start(driverWith(standby), 'standby')).toEqual([])
  expect(await start(driverWith(disk, { standbys: 0n }), undefined)).toEqual([])
})

it('warns of a standby that no commit waits for, unless that was accepted', async () => {
  expect(await start(driverWith(disk), undefined)).toEqual([expect.stringContaining('does not wait for it')])
  expect(await start(driverWith(disk), 'disk')).toEqual([])
})

it('asks nothing of the embedded database', async () => {
  const embedded: Driver = { ...driverWith(disk), kind: 'pglite' }
  expect(await start(embedded, undefined)).toEqual([])
  await expect(start(embedded, 'disk')).rejects.toThrow('the embedded database provides')
})

const away = async () => {
  throw new DatabaseUnavailable('AWAY', 'no standby')
}

it.each([
  [undefined, 'standby', standby, {}],
  [undefined, undefined, disk, {}],
  ['NOT_DURABLE', 'standby', disk, {}],
  ['NOT_DURABLE', 'disk', { ...disk, synchronousCommit: 'off' }, {}],
  ['STANDBY_AWAY', 'standby', standby, { confirm: away }],
  ['STANDBY_AWAY', undefined, standby, { confirm: away }],
] as const)('/readyz says %s for %s on %j', async (reason, wanted, settings, how) => {
  expect(await durabilityOf(driverWith(settings, how), wanted)()).toBe(reason)
})

it('/readyz does not blame the standby for a failover', async () => {
  let current = 'one'
  const driver: Driver = {
    ...driverWith(standby),
    server: () => current,
    whenDurable() {
      current = 'two'
      return away()
    },
  }
  expect(await durabilityOf(driver, undefined)()).toBe('DATABASE_UNAVAILABLE')
})
