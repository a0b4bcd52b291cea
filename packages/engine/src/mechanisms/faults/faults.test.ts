import { ok } from '@corridor/kernel'
import { expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import type { Connection, Statement } from '../db/driver.ts'
import type { Clock } from '../jobs/clock.ts'
import { createFaults } from './faults.ts'

const book = { platformId: '01890000-0000-7000-8000-000000000001', environment: 'SANDBOX' } as const
const said = { match: {}, probability: 0.99999999, after: 0, seed: '7', params: {}, hidden: false }

/** What is drawn of the World by one hit, in a transaction that is repeated so often. */
async function hitWith(repeats: number) {
  let drawn = 0
  const query = async ({ name }: Statement) => {
    if (name === 'faults.lockCounters')
      return [{ id: 'Fault:1', seen: 0n, hits: 0n, window: null, isDeleted: false }]
    return name === 'faults.countEncounters' ? [{ faultId: 'Fault:1', seen: 1n }] : []
  }
  const database = {
    read: async () => [{ id: 'Fault:1', kind: 'ERROR', target: 'API', said }],
    async transact(_book: unknown, work: (connection: Connection) => Promise<unknown>) {
      for (let repeat = 0; repeat < repeats; repeat++) await work({ query } as unknown as Connection)
      return ok(((await work({ query } as unknown as Connection)) as { value: unknown }).value)
    },
    write: async () => [],
  } as unknown as Database
  const faults = createFaults({
    database,
    clock: { now: async () => 0 } as unknown as Clock,
    world: { uuid: () => `id ${++drawn}` },
    operationIds: new Set(),
  })
  const hits = await faults.hit(book, 'API', { id: 'listTokens' })
  return { drawn, ids: hits.map(({ activationId }) => activationId) }
}

it('makes the same of a hit whose transaction has to be repeated', async () => {
  const once = await hitWith(0)
  expect(once.ids).toHaveLength(1)
  expect(await hitWith(2)).toEqual(once)
})
