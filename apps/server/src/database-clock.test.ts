import { claimKey } from '@corridor/engine/mechanisms/http/key-claims.ts'
import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { simWorld } from '@corridor/testkit/sim-world.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseClock, inDatabaseTime } from './database-clock.ts'

let books: TestBooks
let driver: Parameters<typeof databaseClock>[0]
const ended = new AbortController()
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
  driver = { use: (_mode, work) => books.database.system(work) }
})
afterAll(async () => {
  ended.abort()
  await books.database.close()
})

const minuteMs = 60_000

/** The clocks of a machine that is wrong by so much. */
function wrongBy(ms: number) {
  const clocks = { offsetMs: ms, now: () => Date.now() + clocks.offsetMs, steady: () => performance.now() }
  return clocks
}

/** A process on such a machine. */
const processOn = (clocks: ReturnType<typeof wrongBy>) =>
  inDatabaseTime({ ...simWorld(1), sleep: () => new Promise(() => {}) }, driver, ended.signal, clocks)

describe('the time of a process', () => {
  it.each([0, 10 * minuteMs, -10 * minuteMs])(
    'is that of the database on a machine that is %i ms ahead',
    async (ms) => {
      const world = await processOn(wrongBy(ms))
      expect(Math.abs(world.now() - Date.now())).toBeLessThan(1_000)
    },
  )

  it('does not jump when the clock of the machine is set', async () => {
    const clocks = wrongBy(0)
    const world = await processOn(clocks)
    clocks.offsetMs = 10 * minuteMs
    expect(Math.abs(world.now() - Date.now())).toBeLessThan(1_000)
  })

  it('follows a database whose clock is set, and stays where it is within a tenth of a second', async () => {
    let databaseMs = 1_000_000
    const query = async () => [{ nowMs: BigInt(databaseMs) }]
    const fixed = { use: (_mode: string, work: (connection: object) => unknown) => work({ query }) }
    const clock = await databaseClock(fixed as never, { now: () => 0, steady: () => 5 })
    databaseMs += 90
    await clock.measure()
    expect(clock.now()).toBe(1_000_000)
    databaseMs += 2 * minuteMs
    await clock.measure()
    expect(clock.now()).toBe(1_000_090 + 2 * minuteMs)
  })

  it('is told to the operator where the machine is wrong', async () => {
    const warned: object[] = []
    const world = simWorld(1)
    const log = { ...world.log, warn: (fields: object) => void warned.push(fields) }
    const sleep = () => new Promise<void>(() => {})
    await inDatabaseTime({ ...world, sleep, log }, driver, ended.signal, wrongBy(minuteMs))
    expect(warned).toEqual([{ aheadMs: expect.closeTo(minuteMs, -4) }])
  })
})

describe('the key that another process works on', () => {
  it.each([
    ['ahead', 10 * minuteMs],
    ['behind', -10 * minuteMs],
  ])('is not taken over by a process whose machine is ten minutes %s', async (name, ms) => {
    const book = await books.scope(await books.open())
    const [right, wrong] = [await processOn(wrongBy(0)), await processOn(wrongBy(ms))]
    const inProgress = { ok: false, failure: { details: { reason: 'REQUEST_IN_PROGRESS' } } }
    const claim = (world: typeof right, id: string) => claimKey(books.database, world, book, id)
    expect(await claim(right, `a ${name}`)).toMatchObject({ ok: true })
    expect(await claim(wrong, `a ${name}`)).toMatchObject(inProgress)
    expect(await claim(wrong, `b ${name}`)).toMatchObject({ ok: true })
    expect(await claim(right, `b ${name}`)).toMatchObject(inProgress)
  })
})
