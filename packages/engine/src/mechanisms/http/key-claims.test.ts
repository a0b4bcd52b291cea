import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { simWorld } from '@corridor/testkit/sim-world.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Scope } from '../../vocabulary/scope.ts'
import { claimKey } from './key-claims.ts'

let books: TestBooks
let book: Scope
const world = simWorld(1)
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
  book = await books.scope(await books.open())
})
afterAll(() => books.database.close())

const claim = (id: string) => claimKey(books.database, world, book, id)
const inProgress = { failure: { code: 'CONFLICT', details: { reason: 'REQUEST_IN_PROGRESS' } } }
async function end(claimed: Awaited<ReturnType<typeof claim>>): Promise<void> {
  if (!claimed.ok) throw new Error('was not claimed')
  await claimed.value()
}

it('gives a key to one at a time, and to the next once it is given back', async () => {
  const [first, second] = await Promise.all([claim('one'), claim('one')])
  expect([first, second].filter(({ ok }) => ok)).toHaveLength(1)
  expect([first, second].find(({ ok }) => !ok)).toMatchObject(inProgress)
  await end(first.ok ? first : second)
  await end(await claim('one'))
  expect(await books.rows(book, 'idempotency_claims')).toEqual([])
})

it('keeps a key for as long as the work takes', async () => {
  const working = await claim('long')
  for (let each = 0; each < 8; each++) {
    world.passMs(9_000)
    // The extension is on its way.
    await expect.poll(async () => (await leaseOf('long')) - world.now()).toBeGreaterThan(29_000)
    expect(await claim('long')).toMatchObject(inProgress)
  }
  await end(working)
})

it('frees the key of a process that has died after half a minute, and what that still does ends no claim but its own', async () => {
  const dead = await claim('died')
  const { write } = books.database
  books.database.write = (async () => {
    throw new Error('cut off')
  }) as typeof write
  await end(dead)
  books.database.write = write
  world.passMs(29_999)
  expect(await claim('died')).toMatchObject(inProgress)
  world.passMs(1)
  const next = await claim('died')
  expect(next.ok).toBe(true)
  await end(dead)
  expect(await claim('died')).toMatchObject(inProgress)
  await end(next)
})

async function leaseOf(id: string): Promise<number> {
  const rows = await books.rows(book, 'idempotency_claims')
  const row = rows.find((each) => (each as { id: string }).id === id) as
    | { lease_end: string | Date }
    | undefined
  return row ? new Date(row.lease_end).getTime() : 0
}
