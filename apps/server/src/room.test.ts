import { isUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import type { Connection, Driver, Lane } from '@corridor/engine/mechanisms/db/driver.ts'
import { openPglite } from '@corridor/engine/mechanisms/db/pglite.ts'
import { expect, it } from 'vitest'
import { leastFreeBytes, whileThereIsRoom } from './room.ts'

/** A guarded driver, whose one session says what it was told, and what is free. */
function guarded() {
  const asked: string[] = []
  const connection = { script: async (text: string) => void asked.push(text) } as Connection
  const driver = {
    kind: 'pglite',
    async use<T>(lane: Lane, work: (connection: Connection) => Promise<T>) {
      const answer = await work(connection)
      asked.push(lane)
      return answer
    },
    ended: async () => {},
    close: async () => {},
  } as unknown as Driver
  const disk = { now: 0, free: leastFreeBytes as number | Error, looks: 0 }
  const probe = () => {
    disk.looks++
    if (disk.free instanceof Error) throw disk.free
    return disk.free
  }
  const { use } = whileThereIsRoom(driver, '/data', { probe, now: () => disk.now })
  const ask = (lane: Lane) =>
    use(lane, async () => {}).then(
      () => 'answered',
      (error: unknown) => (isUnavailable(error) ? 'unavailable' : error),
    )
  return { asked, disk, ask }
}

it('asks an embedded database for nothing but reading while its disk is full, and goes on by itself', async () => {
  const { asked, disk, ask } = guarded()
  expect(await ask('write')).toBe('answered')
  disk.free = leastFreeBytes - 1
  // Looked at now and then only.
  expect(await ask('write')).toBe('answered')
  disk.now += 100
  expect(await ask('write')).toBe('unavailable')
  for (const lane of ['read', 'system', 'maintenance', 'read'] as const) {
    expect(await ask(lane)).toBe('answered')
  }
  const full = ['read', 'set default_transaction_read_only = on', 'system', 'maintenance', 'read']
  expect(asked.splice(0)).toEqual(['write', 'write', ...full])
  expect(disk.looks).toBe(2)
  disk.free = leastFreeBytes
  disk.now += 100
  expect(await ask('write')).toBe('answered')
  expect(asked).toEqual(['set default_transaction_read_only = off', 'write'])
})

it('takes a disk that cannot be looked at for a full one', async () => {
  const { disk, ask } = guarded()
  disk.free = Object.assign(new Error('EIO: i/o error, statfs'), { code: 'EIO' })
  expect(await ask('write')).toBe('unavailable')
  expect(await ask('write')).toBe('unavailable')
  disk.free = leastFreeBytes
  disk.now += 100
  expect(await ask('write')).toBe('answered')
})

it('knows a session that reads alone for one that may write later', async () => {
  const driver = await openPglite({})
  let free = 0
  const { use } = whileThereIsRoom(driver, '/data', { probe: () => free, now: () => (free === 0 ? 0 : 100) })
  const text = 'create table notes (id int)'
  const write = () =>
    use('system', (connection) => connection.script(text)).then(
      () => 'written',
      (error: unknown) => isUnavailable(error),
    )
  expect(await write()).toBe(true)
  const one = { name: 'test.one', text: 'select 1 as one' }
  expect(await use('system', (connection) => connection.query(one))).toEqual([{ one: 1 }])
  free = leastFreeBytes
  expect(await write()).toBe('written')
  await driver.close()
}, 60_000)
