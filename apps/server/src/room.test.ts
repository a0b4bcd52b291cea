import { isUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import type { Driver, Lane } from '@corridor/engine/mechanisms/db/driver.ts'
import { expect, it } from 'vitest'
import { leastFreeBytes, whileThereIsRoom } from './room.ts'

it('asks an embedded database for nothing but reading while its disk is full, and goes on by itself', async () => {
  const asked: Lane[] = []
  const driver = {
    kind: 'pglite',
    use: async (lane: Lane) => void asked.push(lane),
    ended: async () => {},
    close: async () => {},
  } as unknown as Driver
  let [now, free, looks] = [0, leastFreeBytes, 0]
  const probe = () => {
    looks++
    return free
  }
  const guarded = whileThereIsRoom(driver, '/data', { probe, now: () => now })
  const ask = (lane: Lane) =>
    guarded
      .use(lane, async () => {})
      .then(
        () => 'answered',
        (error: unknown) => (isUnavailable(error) ? 'unavailable' : error),
      )
  expect(await ask('write')).toBe('answered')
  free = leastFreeBytes - 1
  // Looked at now and then only.
  expect(await ask('write')).toBe('answered')
  now += 100
  for (const lane of ['write', 'system', 'maintenance'] as const) expect(await ask(lane)).toBe('unavailable')
  expect(await ask('read')).toBe('answered')
  expect(asked).toEqual(['write', 'write', 'read'])
  expect(looks).toBe(2)
  free = leastFreeBytes
  now += 100
  expect(await ask('write')).toBe('answered')
})
