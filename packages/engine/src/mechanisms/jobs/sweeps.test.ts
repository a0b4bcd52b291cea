import { makeWorld, silentLog } from '@corridor/kernel'
import { expect, it } from 'vitest'
import { DatabaseUnavailable } from '../db/availability.ts'
import { createSweeper, type Sweep } from './sweeps.ts'
import { createUnderWay } from './under-way.ts'

const plain = makeWorld({
  now: () => 0,
  randomBytes: (count) => new Uint8Array(count),
  fetch,
  log: silentLog,
  sleep: async () => {},
})

/** How often one row is tried whose sweep meets an absent database the first two times. */
async function triesOf(world: object): Promise<number> {
  let tries = 0
  const sweep = {
    kind: 'test.sweep',
    run: async () => {
      if (++tries < 3) throw new DatabaseUnavailable('AWAY', 'no time for a second')
      return { ok: false, failure: { code: 'OVER' } }
    },
  } as unknown as Sweep<never>
  const { slots, begin, finish } = createUnderWay<never>()
  const parts = { applier: {} as never, sweeps: [sweep], slots, advancing: new Set<string>(), begin, finish }
  const book = { platformId: 'p', environment: 'SANDBOX' } as const
  await createSweeper<never>(parts).run({ world } as never, sweep, { book, id: 'a', now: 0 })
  return tries
}

it('begins what met an absent database again in its turn, and leaves it for later where there are no turns', async () => {
  expect(await triesOf(plain)).toBe(1)
  expect(await triesOf({ ...plain, within: <T>(_purpose: string, work: () => T) => work() })).toBe(3)
})
