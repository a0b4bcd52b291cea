import { ok, silentLog } from '@corridor/kernel'
import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Book } from '../../vocabulary/scope.ts'
import { statement } from '../db/driver.ts'
import { type JobHandler, jobHandler, type Sweep } from '../feature/bound.ts'
import type { Engine } from '../feature/engine.ts'
import { noLimits } from '../http/rate-limits.ts'
import { createClock } from './clock.ts'
import { createJobRunner } from './runner.ts'
import { createSignal } from './signal.ts'
import { createSlots, slotLimits } from './slots.ts'

let books: TestBooks
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
})
afterAll(() => books.database.close())

const done = ok({ result: () => null })

/** A process whose jobs of kind `hangs` never end until told to, while those of `works` end at once. */
function startProcess(sweeps: Sweep[] = []) {
  const { database, applier, world } = books
  const clock = createClock(database, world)
  let letGo = () => {}
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const begun: Record<string, number> = {}
  const handlers = ['hangs', 'works'].map((kind) =>
    jobHandler({
      kind,
      run: (async (_engine, { platformId }) => {
        const name = `${kind} ${platformId}`
        begun[name] = (begun[name] ?? 0) + 1
        if (kind === 'hangs') await isLetGo
        return done
      }) satisfies JobHandler['run'],
    }),
  )
  const runner = createJobRunner({ database, applier, clock, handlers, sweeps, finishStep: async () => {} })
  const engine = {
    world: { ...world, now: () => world.now(), log: silentLog },
    database,
    applier,
    clock,
    jobs: runner,
    signals: { jobs: createSignal() },
    settings: { baseUrl: '', rateLimits: noLimits, jobLeaseMs: 60_000 },
  } as unknown as Engine
  const startDue = () => runner.startDue(engine, new AbortController().signal)
  return {
    engine,
    runner,
    begunIn: (kind: string, book: Book) => begun[`${kind} ${book.platformId}`] ?? 0,
    startDue,
    /** As the loop does: again whenever something ends. */
    async startUntil(isEnough: () => boolean | Promise<boolean>) {
      await expect
        .poll(
          async () => {
            await startDue()
            return isEnough()
          },
          { timeout: 20_000, interval: 10 },
        )
        .toBe(true)
    },
    async end() {
      letGo()
      await runner.finish()
    },
  }
}

async function enqueue(book: Book, kind: string, count: number): Promise<void> {
  const jobs = Array.from({ length: count }, () => ({ kind, payload: {} }))
  await books.applier.apply(books.scope(book), { jobs, result: () => null })
}

describe('background work', () => {
  it('that hangs in one book leaves other books, and other work of its own, their pace', async () => {
    const [stuck, healthy] = [await books.open(), await books.open()]
    // More than are looked at in one go, and all of them older than what is behind.
    await enqueue(stuck, 'hangs', 300)
    books.world.passMs(1_000)
    await enqueue(stuck, 'works', 40)
    await enqueue(healthy, 'works', 40)
    const process = startProcess()
    await process.startUntil(
      () => process.begunIn('works', healthy) === 40 && process.begunIn('works', stuck) === 40,
    )
    expect(process.begunIn('hangs', stuck)).toBe(slotLimits.perSlot)
    await process.end()
    await process.startUntil(async () => (await books.rows(stuck, 'jobs')).length === 0)
    await process.runner.finish()
  })

  it('that hangs in very many books leaves every further book a place of its own', async () => {
    const slots = createSlots()
    const bookOf = (n: number): Book => ({ platformId: String(n), environment: 'SANDBOX' })
    let taken = 0
    for (let n = 0; n < 50; n++) {
      while (slots.roomOf(bookOf(n), 'hangs') > 0) {
        slots.take(bookOf(n), 'hangs', 0)
        taken++
      }
    }
    expect(taken).toBe(slotLimits.perKind + 50 - slotLimits.perKind / slotLimits.perSlot)
    expect(slots.taken().fullKinds).toEqual(['hangs'])
    expect(slots.roomOf(bookOf(99), 'hangs')).toBe(1)
    expect(slots.roomOf(bookOf(0), 'works')).toBe(slotLimits.perSlot)
  })

  it('that hangs for ever is given up, and its place is free again', () => {
    const slots = createSlots()
    const book: Book = { platformId: 'a', environment: 'SANDBOX' }
    const ends = Array.from({ length: slotLimits.perSlot }, (_, at) => slots.take(book, 'hangs', at))
    expect(slots.roomOf(book, 'hangs')).toBe(0)
    expect(slots.giveUp(3)).toBe(3)
    expect(slots.roomOf(book, 'hangs')).toBe(3)
    // Coming back late it ends nobody else's.
    for (const end of ends) end()
    expect(slots.roomOf(book, 'hangs')).toBe(slotLimits.perSlot)
    expect(slots.room()).toBe(slotLimits.total)
  })
})

describe('a sweep', () => {
  const token = (index: number) => ({
    table: 'tokens' as const,
    row: {
      id: `Token:${index}`,
      name: 'n',
      client_id: books.world.uuid(),
      secret_hash: '',
      permissions: ['VIEW'],
      created_at: new Date(books.world.now()).toISOString(),
      updated_at: new Date(books.world.now() + index).toISOString(),
    },
  })
  /** Rows of one book that are not removed yet. */
  const sweepOf = (book: Book, kind: string, run: Sweep['run']): Sweep => ({
    kind,
    due: statement(
      `test.${kind} ${book.platformId}`,
      `select platform_id as "platformId", environment, id from tokens
       where platform_id = '${book.platformId}' and deleted_at is null and updated_at <= $1 order by updated_at limit $2`,
    ),
    dueOfBook: statement(
      `test.${kind} of ${book.platformId}`,
      `select id, updated_at as "runAt" from tokens where platform_id = $1 and environment = $2
         and deleted_at is null and updated_at <= $3 and id <> all($4::text[]) order by updated_at limit 1`,
    ),
    upcomingOfBook: statement(
      `test.${kind} to come of ${book.platformId}`,
      `select id, updated_at as "runAt" from tokens where platform_id = $1 and environment = $2
         and deleted_at is null order by updated_at limit $3`,
    ),
    run,
  })
  const remove: Sweep['run'] = async (_engine, scope, id) => {
    const set = { deleted_at: new Date(scope.now).toISOString() }
    return ok({ updates: [{ table: 'tokens', id, version: 1n, set }], result: () => null })
  }
  const left = async (book: Book) =>
    (await books.rows<{ deleted_at: unknown }>(book, 'tokens')).filter((row) => row.deleted_at === null)
      .length

  it('that throws, or changes nothing, neither spins nor blocks the others nor the rows behind', async () => {
    const [broken, idle, healthy] = [await books.open(), await books.open(), await books.open()]
    for (const book of [broken, idle, healthy]) {
      const inserts = Array.from({ length: 70 }, (_, index) => token(index))
      await books.applier.apply(books.scope(book), { inserts, result: () => null })
    }
    books.world.passMs(1_000)
    let tries = 0
    const process = startProcess([
      {
        ...sweepOf(broken, 'unreadable', remove),
        due: statement('test.unreadable', 'select 1 / 0, $1::timestamptz, $2::int'),
      },
      sweepOf(broken, 'throws', async (_engine, _scope, id) => {
        tries++
        // All but the last ten, which are behind more rows than are looked at in one go.
        if (Number(id.split(':')[1]) < 60) throw new Error('it breaks')
        return remove(_engine, _scope, id)
      }),
      sweepOf(idle, 'idles', async () => done),
      sweepOf(healthy, 'works', remove),
    ])
    await process.runner.runDue(process.engine)
    expect(await left(healthy)).toBe(0)
    expect(await left(broken)).toBe(60)
    expect(tries).toBe(70)
    // It is tried again, later and later.
    await process.runner.runDue(process.engine)
    expect(tries).toBe(70)
    books.world.passMs(5_000)
    await process.runner.runDue(process.engine)
    expect(tries).toBe(130)
    books.world.passMs(5_000)
    await process.runner.runDue(process.engine)
    expect(tries).toBe(130)
  })

  it('does not keep a clock from moving either', async () => {
    const book = await books.open()
    const inserts = Array.from({ length: 3 }, (_, index) => token(index))
    await books.applier.apply(books.scope(book), { inserts, result: () => null })
    const before = books.world.now()
    const process = startProcess([
      sweepOf(book, 'first', async (_engine, scope, id) => {
        if (id === 'Token:0') throw new Error('it breaks')
        return id === 'Token:1' ? done : remove(_engine, scope, id)
      }),
    ])
    const { now } = await process.runner.advance(process.engine, book, { ms: 60_000 })
    expect(now).toBeGreaterThanOrEqual(before + 60_000)
    expect(await left(book)).toBe(2)
  })
})
