import { ok } from '@corridor/kernel'
import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Decision, NewJob } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { type JobHandler, jobHandler } from '../feature/bound.ts'
import type { Engine } from '../feature/engine.ts'
import { noLimits } from '../http/rate-limits.ts'
import { endLeasesOfTheDead } from './claims.ts'
import { createClock } from './clock.ts'
import { type Attempt, createJobRunner, type OwnedJob } from './runner.ts'
import { createSignal } from './signal.ts'
import { findTogether } from './together.ts'

let books: TestBooks
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
})
afterAll(() => books.database.close())

const leaseMs = 60_000
const done: Decision = { result: () => null }

/** A worker in a process of its own on the shared database; what it does is in the test's hands. */
function worker(run: JobHandler['run'], { maxAttempts = 20 } = {}) {
  const { database, applier, world } = books
  const clock = createClock(database, world)
  const handlers = [jobHandler({ kind: 'test', run, maxAttempts })]
  const runner = createJobRunner({
    database,
    applier,
    clock,
    handlers,
    sweeps: [],
    finishStep: async () => {},
  })
  const settings = { baseUrl: '', rateLimits: noLimits, jobLeaseMs: leaseMs }
  const signals = { jobs: createSignal() }
  const engine = { world, database, applier, clock, jobs: runner, settings, signals } as unknown as Engine
  return { engine, runner, runDue: () => runner.runDue(engine) }
}

/** Work that lasts until the test lets go of it, attempt by attempt. */
function heldWork() {
  const attempts: { finish: (decision?: Decision) => void; fail: () => void; isFirst: boolean }[] = []
  let begun: (() => void)[] = []
  const run = async (_engine: Engine, _scope: unknown, _payload: unknown, attempt: Attempt) => {
    const isFirst = await attempt.isFirst()
    return new Promise<ReturnType<typeof ok<Decision>>>((resolve, reject) => {
      attempts.push({
        isFirst,
        finish: (decision = done) => resolve(ok(decision)),
        fail: () => reject(new Error('no answer')),
      })
      for (const tell of begun) tell()
      begun = []
    })
  }
  return {
    run,
    attempts,
    async begins(count: number) {
      while (attempts.length < count) await new Promise<void>((resolve) => begun.push(resolve))
      return attempts[count - 1]!
    },
  }
}

const enqueue = (book: Book, job: Partial<NewJob> = {}) =>
  books.applier.apply(books.scope(book), {
    jobs: [{ kind: 'test', key: 'payment', payload: {}, ...job }],
    result: () => null,
  })
const told = (type: string): Decision => ({
  events: [{ type, resourceId: 'r', subjectId: null, data: {} }],
  result: () => null,
})
const events = async (book: Book) => {
  const rows = await books.rows<{ type: string }>(book, 'events', 'seq')
  return rows.map(({ type }) => type)
}
const jobs = (book: Book) => books.rows<Record<string, unknown>>(book, 'jobs')

describe('a job that is asked for while it runs', () => {
  it('runs once more after that', async () => {
    const book = await books.open()
    const work = heldWork()
    const { runDue } = worker(work.run)
    await enqueue(book)
    const running = runDue()
    const first = await work.begins(1)
    await enqueue(book)
    expect(await jobs(book)).toHaveLength(1)
    first.finish()
    const second = await work.begins(2)
    // It has been finished in between, so this is a job like a new one.
    expect(second.isFirst).toBe(true)
    second.finish()
    expect(await running).toBe(2)
    expect(await jobs(book)).toEqual([])
  })

  it('at a later time runs then, and as early as the earlier of that and what it left itself', async () => {
    const book = await books.open()
    const now = books.world.now()
    const work = heldWork()
    const { runDue } = worker(work.run)
    await enqueue(book)
    const running = runDue()
    const first = await work.begins(1)
    await enqueue(book, { runAt: now + 3_000 })
    await enqueue(book, { runAt: now + 2_000 })
    first.finish({ jobs: [{ kind: 'test', key: 'payment', payload: {}, runAt: now + 9_000 }], ...done })
    expect(await running).toBe(1)
    expect(await jobs(book)).toMatchObject([
      { run_at: now + 2_000, due_at: now + 2_000, attempts: 0, claim: null, woken_at: null },
    ])
    books.world.passMs(2_000)
    const later = runDue()
    ;(await work.begins(2)).finish()
    await later
  })

  it('by the same batch that finishes it is asked for all the same', async () => {
    const book = await books.open()
    const work = heldWork()
    const { runDue } = worker(work.run)
    await enqueue(book)
    const running = runDue()
    const first = await work.begins(1)
    // Both wait for the lanes of the book, and go together.
    const gates = [1, 2].map(() => books.applier.apply(books.scope(book), told('GATE')))
    const asked = enqueue(book)
    first.finish()
    await Promise.all([...gates, asked])
    ;(await work.begins(2)).finish()
    expect(await running).toBe(2)
  })

  it('is as new afterwards: nothing that failed before counts for it', async () => {
    const book = await books.open()
    const work = heldWork()
    const { runDue } = worker(work.run)
    await enqueue(book)
    for (const attempt of [1, 2]) {
      const running = runDue()
      ;(await work.begins(attempt)).fail()
      await running
      books.world.passMs(60_000)
    }
    expect(await jobs(book)).toMatchObject([{ attempts: 2, outcomes: 2 }])
    const running = runDue()
    const third = await work.begins(3)
    await enqueue(book, { runAt: books.world.now() + 1_000 })
    third.finish()
    await running
    expect(await jobs(book)).toMatchObject([{ attempts: 0, outcomes: 0, last_error: null }])
    books.world.passMs(1_000)
    const again = runDue()
    ;(await work.begins(4)).finish()
    await again
  })

  it('and fails runs when it was asked for, not after its back-off', async () => {
    const book = await books.open()
    const now = books.world.now()
    const work = heldWork()
    const { runDue } = worker(work.run)
    await enqueue(book)
    const running = runDue()
    const first = await work.begins(1)
    await enqueue(book, { runAt: now + 10 })
    first.fail()
    await running
    expect(await jobs(book)).toMatchObject([{ due_at: now + 10, attempts: 1, woken_at: null, claim: null }])
    books.world.passMs(10)
    const again = runDue()
    const second = await work.begins(2)
    expect(second.isFirst).toBe(false)
    second.finish()
    await again
  })

  it('and is dead with this attempt leaves a successor', async () => {
    const book = await books.open()
    const work = heldWork()
    const { runDue } = worker(work.run, { maxAttempts: 1 })
    await enqueue(book, { payload: { transactionId: 'Transaction:1' } })
    const running = runDue()
    const first = await work.begins(1)
    await enqueue(book)
    first.fail()
    const second = await work.begins(2)
    const rows = await jobs(book)
    expect(rows.filter(({ dead_at }) => dead_at !== null)).toHaveLength(1)
    expect(rows.filter(({ dead_at }) => dead_at === null)).toMatchObject([
      { key: 'payment', payload: { transactionId: 'Transaction:1' }, attempts: 1 },
    ])
    second.finish()
    await running
  })

  it('is brought forward when it waits for another attempt', async () => {
    const book = await books.open()
    const work = heldWork()
    const { runDue, runner, engine } = worker(work.run)
    await enqueue(book)
    const running = runDue()
    ;(await work.begins(1)).fail()
    await running
    expect(await runner.runKey(engine, book, 'payment')).toBe(0)
    await enqueue(book)
    const again = runner.runKey(engine, book, 'payment')
    const second = await work.begins(2)
    expect(second.isFirst).toBe(false)
    second.finish()
    expect(await again).toBe(1)
  })
})

describe('a worker whose lease has ended', () => {
  /** One worker that has a job for longer than its lease, and another that has taken the job over. */
  async function overtaken() {
    const book = await books.open()
    const late = heldWork()
    const successor = heldWork()
    await enqueue(book)
    const lateRun = worker(late.run).runDue()
    const lateAttempt = await late.begins(1)
    books.world.passMs(leaseMs)
    const successorRun = worker(successor.run).runDue()
    const attempt = await successor.begins(1)
    return { book, late, lateRun, lateAttempt, successorRun, attempt }
  }

  it('does not finish the job of its successor, and nothing it decided is written', async () => {
    const { book, lateRun, lateAttempt, successorRun, attempt } = await overtaken()
    expect(attempt.isFirst).toBe(false)
    lateAttempt.finish(told('LATE'))
    await lateRun
    expect(await jobs(book)).toHaveLength(1)
    expect(await events(book)).toEqual([])
    attempt.finish(told('DONE'))
    await successorRun
    expect(await jobs(book)).toEqual([])
    expect(await events(book)).toEqual(['DONE'])
  })

  it('does not postpone the job of its successor', async () => {
    const { book, lateRun, lateAttempt, successorRun, attempt } = await overtaken()
    const [before] = await jobs(book)
    lateAttempt.fail()
    await lateRun
    expect(await jobs(book)).toEqual([before])
    attempt.finish()
    await successorRun
  })

  it('does not touch a job that is gone', async () => {
    const { book, lateRun, lateAttempt, successorRun, attempt } = await overtaken()
    attempt.finish(told('DONE'))
    await successorRun
    await enqueue(book, { runAt: books.world.now() + 1 })
    lateAttempt.finish(told('LATE'))
    await lateRun
    expect(await events(book)).toEqual(['DONE'])
    expect(await jobs(book)).toMatchObject([{ attempts: 0 }])
    books.world.passMs(1)
    expect(await worker(async () => ok(done)).runDue()).toBe(1)
  })

  it('is not asked to decide again when the facts have changed', async () => {
    const { book, late, lateRun, lateAttempt, successorRun, attempt } = await overtaken()
    const row = { table: 'tokens' as const, id: 'Token:none', set: {} }
    lateAttempt.finish({ updates: [row], ...done })
    await lateRun
    expect(late.attempts).toHaveLength(1)
    expect(await jobs(book)).toHaveLength(1)
    attempt.finish()
    await successorRun
  })

  it('shares its batch with others, who are not held back by it', async () => {
    const { book, lateRun, lateAttempt, successorRun, attempt } = await overtaken()
    const gates = [1, 2].map(() => books.applier.apply(books.scope(book), told('GATE')))
    lateAttempt.finish(told('LATE'))
    const other = books.applier.apply(books.scope(book), told('OTHER'))
    await Promise.all([...gates, other, lateRun])
    expect(await events(book)).toEqual(['GATE', 'GATE', 'OTHER'])
    attempt.finish()
    await successorRun
  })
})

describe('a lease', () => {
  it('is extended while the work goes on, and by nobody afterwards', async () => {
    const book = await books.open()
    const work = heldWork()
    const { runDue, runner, engine } = worker(work.run)
    const other = worker(async () => ok(told('OTHER')))
    await enqueue(book)
    const running = runDue()
    const attempt = await work.begins(1)
    for (let third = 0; third < 9; third++) {
      books.world.passMs(leaseMs / 3)
      await runner.extendLeases(engine)
      expect(await other.runDue()).toBe(0)
    }
    attempt.finish(told('DONE'))
    await running
    expect(await events(book)).toEqual(['DONE'])
    await enqueue(book)
    await runner.extendLeases(engine)
    expect(await other.runDue()).toBe(1)
  })

  it('is not extended for ever: what hangs is taken over', async () => {
    const book = await books.open()
    const work = heldWork()
    const { runDue, runner, engine } = worker(work.run)
    await enqueue(book)
    const hanging = runDue()
    const attempt = await work.begins(1)
    books.world.passMs(15 * 60_000)
    await runner.extendLeases(engine)
    expect(await worker(async () => ok(told('OTHER'))).runDue()).toBe(1)
    attempt.finish(told('LATE'))
    await hanging
    expect(await events(book)).toEqual(['OTHER'])
  })
})

describe('a job that its writer owns', () => {
  const write = async (book: Book, job: OwnedJob) =>
    books.applier.apply(books.scope(book), { jobs: [job], result: () => null })
  const step = (n: number, runAt?: number): NewJob => ({
    kind: 'test',
    key: 'payment',
    payload: { n },
    ...(runAt === undefined ? {} : { runAt }),
  })

  it('is taken by nobody else from the moment it is written, nor are the steps that follow', async () => {
    const book = await books.open()
    const steps: number[] = []
    const background = worker(async () => ok(told('STOLEN')))
    const request = worker(async (_engine, scope, { n }: { n: number }) => {
      steps.push(n)
      expect(await background.runDue()).toBe(0)
      expect(await background.runner.runKey(background.engine, book, 'payment')).toBe(0)
      return ok({ ...told(`STEP ${n}`), jobs: [n < 3 ? step(n + 1) : step(4, scope.now + 1)] })
    })
    const first = request.runner.own(request.engine, step(1))
    books.woken()
    await write(book, first)
    expect(books.woken()).toEqual([])
    expect(await background.runDue()).toBe(0)
    await request.runner.runOwned(request.engine, book, first)
    expect(steps).toEqual([1, 2, 3])
    expect(await events(book)).toEqual(['STEP 1', 'STEP 2', 'STEP 3'])
    // What has to wait is anybody's.
    books.world.passMs(1)
    expect(await background.runDue()).toBe(1)
  })

  it('is resumed by others when its owner has died, once its lease has ended', async () => {
    const book = await books.open()
    const seen: boolean[] = []
    const background = worker(async (_engine, _scope, _payload, { isFirst }) => {
      seen.push(await isFirst())
      return ok(told('RESUMED'))
    })
    await write(book, background.runner.own(background.engine, step(1)))
    books.world.passMs(leaseMs - 1)
    expect(await background.runDue()).toBe(0)
    books.world.passMs(1)
    expect(await background.runDue()).toBe(1)
    expect(seen).toEqual([false])
    expect(await jobs(book)).toEqual([])
  })

  it('is resumed at once by a process that knows that all others have died', async () => {
    const book = await books.open()
    const background = worker(async () => ok(told('RESUMED')))
    await write(book, background.runner.own(background.engine, step(1)))
    expect(await background.runDue()).toBe(0)
    await endLeasesOfTheDead(background.engine)
    expect(await background.runDue()).toBe(1)
    expect(await events(book)).toEqual(['RESUMED'])
  })

  it('that fails is postponed, for anybody', async () => {
    const book = await books.open()
    const request = worker(async () => {
      throw new Error('no answer')
    })
    const owned = request.runner.own(request.engine, step(1))
    await write(book, owned)
    await request.runner.runOwned(request.engine, book, owned)
    expect(await jobs(book)).toMatchObject([{ attempts: 1, claim: null, last_error: 'no answer' }])
    books.world.passMs(1_200)
    expect(await worker(async () => ok(done)).runDue()).toBe(1)
  })

  it('is not lost to somebody who asks for it meanwhile, in whatever batch', async () => {
    const book = await books.open()
    let asked: Promise<unknown>[] = []
    const request = worker(async (_engine, _scope, { n }: { n: number }) => {
      const gates = [1, 2].map(() => books.applier.apply(books.scope(book), told('GATE')))
      if (n === 3) asked = [...gates, enqueue(book)]
      return ok({ ...told(`STEP ${n}`), jobs: n < 3 ? [step(n + 1)] : [] })
    })
    const first = request.runner.own(request.engine, step(1))
    await write(book, first)
    await request.runner.runOwned(request.engine, book, first)
    await Promise.all(asked)
    expect(await jobs(book)).toMatchObject([{ attempts: 0, claim: null, key: 'payment' }])
    expect(await worker(async () => ok(done)).runDue()).toBe(1)
  })

  it('is not waited for longer than ten seconds, and goes on', async () => {
    const book = await books.open()
    const work = heldWork()
    const { runner, engine } = worker(work.run)
    const owned = runner.own(engine, step(1))
    await write(book, owned)
    const waiting = runner.runOwned(engine, book, owned)
    const attempt = await work.begins(1)
    books.world.passMs(10_000)
    await waiting
    expect(await jobs(book)).toHaveLength(1)
    attempt.finish(told('DONE'))
    await runner.finish()
    expect(await events(book)).toEqual(['DONE'])
  })

  it('takes over one that waits, and is remembered by one that runs', async () => {
    const book = await books.open()
    const now = books.world.now()
    const { runner, engine } = worker(async () => ok(done))
    await enqueue(book, { runAt: now + 60_000 })
    const mine = runner.own(engine, step(1))
    await write(book, mine)
    expect(await jobs(book)).toMatchObject([{ id: mine.owner.id, claim: mine.owner.claim, attempts: 1 }])
    await write(book, runner.own(engine, step(1)))
    expect(await jobs(book)).toMatchObject([{ id: mine.owner.id, claim: mine.owner.claim, woken_at: now }])
    await runner.runOwned(engine, book, mine)
    expect(await runner.runDue(engine)).toBe(1)
  })
})

describe('what runs together', () => {
  it('is of the kind that was asked for, and nothing where another comes first by now', async () => {
    const book = await books.open()
    const runAt = books.world.now()
    await enqueue(book, { kind: 'other', key: 'first', runAt })
    await enqueue(book, { key: 'second', runAt: runAt + 1 })
    await enqueue(book, { key: 'third', runAt: runAt + 2 })
    const find = (kind: string) =>
      findTogether(
        books.database,
        book,
        { leastDelayMs: () => 1_000, run: async () => ({ alone: [], left: [] }) },
        {
          kind,
          until: runAt + 10,
          atMost: 10,
        },
      )
    expect(await find('test')).toEqual([])
    expect((await find('other')).map(({ kind }) => kind)).toEqual(['other'])
  })
})
