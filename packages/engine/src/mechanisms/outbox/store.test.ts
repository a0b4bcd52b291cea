import { ok } from '@corridor/kernel'
import { expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import type { Connection, Statement } from '../db/driver.ts'
import { claimEvents } from './store.ts'

const book = { platformId: '01890000-0000-7000-8000-000000000001', environment: 'SANDBOX' } as const

const event = (seq: bigint, resourceId: string) => ({ id: `Webhook:${seq}`, seq, resourceId, endpoint: 'x' })

/** A database whose updates return their rows as another plan would: from the end. */
const database = {
  async transact(_book: unknown, work: (connection: Connection) => Promise<unknown>) {
    const query = async ({ name }: Statement) => {
      if (name === 'outbox.enter') return [{ isHeard: false, isMuted: false }]
      if (name === 'outbox.countUnderWay') {
        return [{ all: 0n, questions: 0n, retries: 0n, hasQuestions: true, hasRetries: true }]
      }
      if (name === 'outbox.claimQuestions') return [event(2n, 'b'), event(1n, 'c')]
      if (name === 'outbox.claimRetries') return [event(4n, 'd'), event(3n, 'e')]
      return [event(5n, 'h'), event(7n, 'g'), event(6n, 'f')]
    }
    const result = (await work({ query } as unknown as Connection)) as { value: unknown }
    return ok(result.value)
  },
} as unknown as Database

it('hands out what is claimed in one order, whatever plan the database had for it', async () => {
  const claim = { now: 0, leaseUntil: 60_000, room: 16, cursor: '' }
  const claimed = await claimEvents(database, book, claim)
  // Questions and retries as they were written, then the heads of resources as they are gone round.
  expect(claimed.map(({ seq }) => Number(seq))).toEqual([1, 2, 3, 4, 6, 7, 5])
})
