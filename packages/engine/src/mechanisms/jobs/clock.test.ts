import { expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { createClock } from './clock.ts'

const book = { platformId: '0199dccc-4a80-7075-8ba7-ec4ac97f6b99', environment: 'SANDBOX' } as const

/** A database that lets a read go on when it is told to, with what it found when it began. */
function heldDatabase() {
  const row = { offsetMs: 0n, isMarked: false }
  let server = 'one'
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const database = {
    server: () => server,
    async read() {
      const found = { ...row }
      await held
      return [found]
    },
    system: (work: (connection: unknown) => unknown) =>
      work({
        async query(_: unknown, [, , wanted]: readonly bigint[]) {
          if (wanted !== undefined && wanted > row.offsetMs) row.offsetMs = wanted
          return [{ ...row }]
        },
      }),
  }
  return {
    database: database as unknown as Database,
    row,
    release,
    failOver(offsetMs: bigint) {
      server = 'two'
      row.offsetMs = offsetMs
    },
  }
}

it('does not go back where it was read while it was moved', async () => {
  const { database, release } = heldDatabase()
  const clock = createClock(database, { now: () => 0 })
  const reading = clock.now(book)
  await clock.moveTo(book, 60_000)
  release()
  await reading
  expect(await clock.now(book)).toBe(60_000)
})

it('does not forget a mark that was set while it was read', async () => {
  const { database, row, release } = heldDatabase()
  const clock = createClock(database, { now: () => 0 })
  const reading = clock.isMarked(book)
  row.isMarked = true
  clock.forget(book)
  release()
  expect(await reading).toBe(false)
  expect(await clock.isMarked(book)).toBe(true)
})

it('forgets the offset of the previous server after a failover', async () => {
  const { database, release, failOver } = heldDatabase()
  release()
  const clock = createClock(database, { now: () => 0 })
  await clock.moveTo(book, 60_000)
  failOver(0n)
  expect(clock.knownNow(book)).toBeUndefined()
  expect(await clock.now(book)).toBe(0)
})
