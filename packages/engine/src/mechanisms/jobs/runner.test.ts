import { failed, ok } from '@corridor/kernel'
import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewJob } from '../../vocabulary/decision.ts'
import { fail } from '../../vocabulary/errors.ts'
import type { Book, Scope } from '../../vocabulary/scope.ts'
import { DatabaseUnavailable } from '../db/availability.ts'
import { statement } from '../db/driver.ts'
import { type JobHandler, jobHandler, type Sweep } from '../feature/bound.ts'
import type { Engine } from '../feature/engine.ts'
import { noLimits } from '../http/rate-limits.ts'
import { createClock } from './clock.ts'
import { createJobRunner } from './runner.ts'
import { createSignal } from './signal.ts'

let books: TestBooks
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
})
afterAll(() => books.database.close())

const minuteMs = 60_000

/** A process: a runner with a handler of its own on the shared database. */
function startProcess(run: JobHandler['run'], options: { maxAttempts?: number; sweeps?: Sweep[] } = {}) {
  const { database, applier, world } = books
  const clock = createClock(database, world)
  const { sweeps = [], ...limits } = options
  const handlers = [jobHandler({ kind: 'test', run, ...limits })]
  const finishStep = async () => {}
  const runner = createJobRunner({ database, applier, clock, handlers, sweeps, finishStep })
  const settings = { baseUrl: '', rateLimits: noLimits, jobLeaseMs: minuteMs }
  const signals = { jobs: createSignal() }
  const engine = { world, database, applier, clock, jobs: runner, settings, signals } as unknown as Engine
  return {
    engine,
    clock,
    runDue: () => runner.runDue(engine),
    runKey: (book: Book, key: string) => runner.runKey(engine, book, key),
    advance: (book: Book, ms: number) => runner.advance(engine, book, { ms }),
  }
}

async function enqueue(book: Book, ...jobs: Omit<NewJob, 'kind'>[]): Promise<void> {
  await books.applier.apply(books.scope(book), {
    jobs: jobs.map((job) => ({ kind: 'test', ...job })),
    result: () => null,
  })
}

const done = ok({ result: () => null })
const turn = () => new Promise((resolve) => setImmediate(resolve))

function gate() {
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  return { isOpen, open }
}

describe('jobs', () => {
  it('keep the outside world of the server on which they were claimed', async () => {
    const book = await books.open()
    let server = 'one'
    const seen: unknown[] = []
    const { engine, runDue, runKey } = startProcess(async (mine) => {
      server = 'two'
      seen.push(mine.adapters)
      return done
    })
    const database = { ...engine.database, server: () => server }
    Object.assign(engine, { database, adaptersSince: (name: string) => `since ${name}` })
    await enqueue(book, { payload: {} })
    await runDue()
    await enqueue(book, { payload: {}, key: 'a' })
    await runKey(book, 'a')
    expect(seen).toEqual(['since one', 'since two'])
  })

  it('run once, with their effect, and are gone with it', async () => {
    const book = await books.open()
    const seen: unknown[] = []
    const { runDue } = startProcess(async (_engine, scope: Scope, payload) => {
      seen.push([scope.actor.id, scope.now, payload])
      return ok({
        events: [{ type: 'DONE', resourceId: 'r', subjectId: null, data: {} }],
        result: () => null,
      })
    })
    await enqueue(book, { payload: { n: 1 } })
    expect(await runDue()).toBe(1)
    expect(await runDue()).toBe(0)
    expect(seen).toEqual([['job:test', books.world.now(), { n: 1 }]])
    expect(await books.rows(book, 'jobs')).toEqual([])
    expect(await books.rows(book, 'events')).toHaveLength(1)
  })

  it('wait for their time', async () => {
    const book = await books.open()
    const { runDue } = startProcess(async () => done)
    await enqueue(book, { payload: {}, runAt: books.world.now() + 1000 })
    expect(await runDue()).toBe(0)
    books.world.passMs(1000)
    expect(await runDue()).toBe(1)
  })

  it('are one per key while one is pending', async () => {
    const book = await books.open()
    await enqueue(
      book,
      { payload: { n: 1 }, key: 'k' },
      { payload: { n: 2 }, key: 'k' },
      { payload: {}, key: 'l' },
    )
    await enqueue(book, { payload: { n: 3 }, key: 'k' })
    const rows = await books.rows<{ key: string; payload: object }>(book, 'jobs', 'key')
    expect(rows).toMatchObject([{ key: 'k', payload: { n: 1 } }, { key: 'l' }])
    const { runDue } = startProcess(async () => done)
    await runDue()
    await enqueue(book, { payload: { n: 4 }, key: 'k' })
    expect(await runDue()).toBe(1)
  })

  it('come back when the process that took them died, and not before its lease ends', async () => {
    const book = await books.open()
    await enqueue(book, { payload: {} })
    let taken = () => {}
    const isTaken = new Promise<void>((resolve) => {
      taken = resolve
    })
    // It takes the job and is never heard of again.
    void startProcess(() => {
      taken()
      return new Promise(() => {})
    }).runDue()
    await isTaken
    const survivor = startProcess(async () => done)
    expect(await survivor.runDue()).toBe(0)
    books.world.passMs(minuteMs)
    expect(await survivor.runDue()).toBe(1)
    expect(await books.rows(book, 'jobs')).toEqual([])
  })

  it('are retried with growing delays, keep the error, and are dead after their attempts', async () => {
    const book = await books.open()
    const { runDue } = startProcess(
      async () => {
        throw new Error('the bank is closed')
      },
      { maxAttempts: 4 },
    )
    await enqueue(book, { payload: {}, key: 'k' })
    const delays: number[] = []
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await runDue()).toBe(1)
      const [row] = await books.rows<{ due_at: number; attempts: number; last_error: string }>(book, 'jobs')
      expect(row).toMatchObject({ attempts: attempt, last_error: 'the bank is closed', dead_at: null })
      delays.push(row!.due_at - books.world.now())
      books.world.passMs(delays.at(-1)!)
    }
    delays.forEach((delay, index) => {
      expect(delay).toBeGreaterThanOrEqual(800 * 2 ** index)
      expect(delay).toBeLessThanOrEqual(1200 * 2 ** index)
    })
    expect(await runDue()).toBe(1)
    expect(await books.rows(book, 'jobs')).toMatchObject([{ attempts: 4, dead_at: books.world.now() }])
    books.world.passMs(24 * 60 * minuteMs)
    expect(await runDue()).toBe(0)
    // A dead job does not stand in the way of its successor.
    await enqueue(book, { payload: {}, key: 'k' })
    expect(await books.rows(book, 'jobs')).toHaveLength(2)
    await startProcess(async () => done).runDue()
  })

  it('are dead too when each attempt takes the process with it', async () => {
    const book = await books.open()
    await enqueue(book, { payload: {} })
    let ran = 0
    const { runDue } = startProcess(
      async () => {
        ran++
        return done
      },
      { maxAttempts: 3 },
    )
    const crashed = statement(
      'test.crashed',
      'update jobs set attempts = 3, due_at = $3 where platform_id = $1 and environment = $2',
    )
    const at = new Date(books.world.now()).toISOString()
    await books.database.system((connection) =>
      connection.query(crashed, [book.platformId, book.environment, at]),
    )
    await runDue()
    expect(ran).toBe(0)
    expect(await books.rows(book, 'jobs')).toMatchObject([{ dead_at: books.world.now() }])
  })

  it('that nobody hears of again are dead after five attempts, and not after twenty', async () => {
    const book = await books.open()
    await enqueue(book, { payload: {} })
    let taken = 0
    for (let attempt = 1; attempt <= 5; attempt++) {
      // Each process takes the job and freezes with it.
      const process = startProcess(() => {
        taken++
        return new Promise(() => {})
      })
      void process.runDue()
      while (taken < attempt) await new Promise((resolve) => setImmediate(resolve))
      books.world.passMs(minuteMs)
    }
    expect(await startProcess(async () => done).runDue()).toBe(1)
    const [row] = await books.rows<{ attempts: number }>(book, 'jobs')
    expect(row).toMatchObject({
      attempts: 6,
      dead_at: books.world.now(),
      last_error: 'its attempts ended without an outcome',
    })
  })

  it('that fail after far more than their time are dead at once', async () => {
    const book = await books.open()
    await enqueue(book, { payload: {} })
    const { runDue } = startProcess(async () => {
      books.world.passMs(16 * minuteMs)
      throw new Error('too late')
    })
    await runDue()
    expect(await books.rows(book, 'jobs')).toMatchObject([
      { attempts: 1, last_error: 'too late', dead_at: books.world.now() },
    ])
  })

  it('that return a failure are retried like those that throw', async () => {
    const book = await books.open()
    let answers = 0
    const { runDue } = startProcess(async () => (answers++ === 0 ? failed(fail('CONFLICT')) : done))
    await enqueue(book, { payload: {} })
    await runDue()
    expect(await books.rows(book, 'jobs')).toMatchObject([{ attempts: 1 }])
    books.world.passMs(1200)
    await runDue()
    expect(await books.rows(book, 'jobs')).toEqual([])
  })

  it('of one key run on demand, up to those that are not due', async () => {
    const book = await books.open()
    const steps: unknown[] = []
    const { runKey } = startProcess(async (_engine, scope, payload: { step: number }) => {
      steps.push(payload.step)
      const next = { kind: 'test', key: 'payment', payload: { step: payload.step + 1 } }
      return ok({ jobs: [payload.step < 3 ? next : { ...next, runAt: scope.now + 1 }], result: () => null })
    })
    await enqueue(book, { payload: { step: 1 }, key: 'payment' }, { payload: { step: 9 }, key: 'other' })
    expect(await runKey(book, 'payment')).toBe(3)
    expect(steps).toEqual([1, 2, 3])
    const left = await books.rows<{ payload: { step: number } }>(book, 'jobs')
    expect(left.map(({ payload }) => payload.step).sort()).toEqual([4, 9])
    await startProcess(async () => done).advance(book, 1)
  })
})

describe('advancing the clock of a book', () => {
  it('comes to what failed as well, at the time at which it is tried again', async () => {
    const book = await books.open()
    const times: number[] = []
    const { advance, runDue, engine } = startProcess(async (_engine, { now }) => {
      times.push(now)
      if (times.length < 5) throw new Error('nobody answers')
      return done
    })
    const start = books.world.now()
    await enqueue(book, { payload: {}, key: 'Thing:1' })
    await runDue()
    expect(times).toEqual([start])
    const [again] = await engine.jobs.upcoming(book, 5)
    expect(again).toMatchObject({ kind: 'test', subject: 'Thing:1' })
    expect(again!.dueAt).toBeGreaterThan(start)

    expect(await advance(book, 60_000)).toMatchObject({ ranCount: 4, isThere: true })
    expect(times).toHaveLength(5)
    expect(times[1]).toBe(again!.dueAt)
    // Each waits for longer than the one before.
    const waits = times.slice(1).map((time, index) => time - times[index]!)
    for (const [index, ms] of waits.entries()) {
      expect(ms / (1000 * 2 ** index)).toBeGreaterThanOrEqual(0.8)
      expect(ms / (1000 * 2 ** index)).toBeLessThanOrEqual(1.2)
    }
    expect(books.world.now()).toBe(start)
  })

  it('is not waited for by what met an absent database, where what is due has its turn', async () => {
    const book = await books.open()
    let tries = 0
    const { engine } = startProcess(async () => {
      if (++tries < 25) throw new DatabaseUnavailable('AWAY', 'no time for a second')
      return done
    })
    const world = { ...books.world, within: <T>(_purpose: string, work: () => T) => work() }
    await enqueue(book, { payload: {}, key: 'Thing:1' })
    const start = books.world.now()
    await engine.jobs.runDue({ ...engine, world } as never)
    // More often than a job is tried before it is given up, and at the moment at which it was due.
    expect({ tries, now: books.world.now() }).toEqual({ tries: 25, now: start })
    expect(await books.rows(book, 'jobs')).toEqual([])
  })

  it('moves on past what fails each time, and leaves it for later', async () => {
    const book = await books.open()
    const { advance, runDue, engine } = startProcess(async () => {
      throw new Error('nobody answers')
    })
    await enqueue(book, { payload: {}, key: 'Thing:1' })
    await runDue()
    expect(await advance(book, 10_000)).toMatchObject({ isThere: true })
    const [again] = await engine.jobs.upcoming(book, 5)
    // It is due by real time as well, as soon as the clock that was moved says.
    expect(await engine.jobs.nextDueAt(books.world.now())).toBe(again!.dueAt - 10_000)
    await advance(book, 24 * 60 * minuteMs)
    expect(await engine.jobs.upcoming(book, 5)).toEqual([])
  })

  it('runs what falls due in the order of its time, each at its own moment', async () => {
    const book = await books.open()
    const start = books.world.now()
    const seen: unknown[] = []
    const { advance, clock } = startProcess(async (_engine, scope, payload: { name: string }) => {
      seen.push([payload.name, scope.now - start])
      if (payload.name !== 'b') return done
      return ok({
        jobs: [{ kind: 'test', payload: { name: 'after b' }, runAt: scope.now + 500 }],
        result: () => null,
      })
    })
    await enqueue(
      book,
      { payload: { name: 'c' }, runAt: start + 3000 },
      { payload: { name: 'a' }, runAt: start + 1000 },
      { payload: { name: 'b' }, runAt: start + 2000 },
      { payload: { name: 'later' }, runAt: start + 9000 },
    )
    expect(await advance(book, 5000)).toMatchObject({ ranCount: 4, now: start + 5000, isThere: true })
    expect(seen).toEqual([
      ['a', 1000],
      ['b', 2000],
      ['after b', 2500],
      ['c', 3000],
    ])
    expect(await clock.now(book)).toBe(start + 5000)
    // Other books keep their time, and the job that is left keeps its distance.
    expect(await clock.now(await books.open())).toBe(start)
    expect(await books.rows(book, 'jobs')).toMatchObject([{ run_at: start + 9000, due_at: start + 4000 }])
    await advance(book, 4000)
    expect(seen.at(-1)).toEqual(['later', 9000])
  })

  it('waits for what the loop has begun in the book, and counts what it ran itself', async () => {
    const book = await books.open()
    const seen: string[] = []
    const slow = gate()
    const { advance, runDue } = startProcess(async (_engine, _scope, { name }: { name: string }) => {
      seen.push(name)
      if (name === 'slow') await slow.isOpen
      seen.push(`${name} ended`)
      return done
    })
    await enqueue(
      book,
      { payload: { name: 'slow' } },
      { payload: { name: 'later' }, runAt: books.world.now() + 1000 },
    )
    const running = runDue()
    while (seen.length === 0) await turn()
    const moving = advance(book, 5000)
    for (let turns = 0; turns < 100; turns++) await turn()
    expect(seen).toEqual(['slow'])
    slow.open()
    expect(await moving).toMatchObject({ ranCount: 1, counts: [{ kind: 'test', count: 1 }], isThere: true })
    await running
    expect(seen).toEqual(['slow', 'slow ended', 'later', 'later ended'])
  })

  it('goes on without what hangs', async () => {
    const book = await books.open()
    const seen: string[] = []
    const hanging = gate()
    const { advance, runDue } = startProcess(async (_engine, _scope, { name }: { name: string }) => {
      seen.push(name)
      if (name === 'hangs') await hanging.isOpen
      return done
    })
    await enqueue(
      book,
      { payload: { name: 'hangs' } },
      { payload: { name: 'later' }, runAt: books.world.now() + 60_000 },
    )
    const running = runDue()
    while (seen.length === 0) await turn()
    const moving = advance(book, 60_000)
    for (let turns = 0; turns < 20; turns++) await turn()
    books.world.passMs(10_000)
    expect(await moving).toMatchObject({ ranCount: 1, isThere: true })
    expect(seen).toEqual(['hangs', 'later'])
    hanging.open()
    await running
  })

  it('leaves nothing of the book to another process meanwhile', async () => {
    const book = await books.open()
    const elsewhere = await books.open()
    const seen: string[] = []
    const other = startProcess(async (_engine, _scope, { name }: { name: string }) => {
      seen.push(`other ${name}`)
      return done
    })
    const { advance } = startProcess(async (_engine, _scope, { name }: { name: string }) => {
      if (seen.length === 0) expect(await other.runDue()).toBe(1)
      seen.push(name)
      return done
    })
    const runAt = books.world.now() + 1000
    await enqueue(book, { payload: { name: 'first' }, runAt }, { payload: { name: 'second' }, runAt })
    await enqueue(elsewhere, { payload: { name: 'elsewhere' } })
    expect(await advance(book, 5000)).toMatchObject({ ranCount: 2 })
    expect(seen[0]).toBe('other elsewhere')
    expect(seen.slice(1).sort()).toEqual(['first', 'second'])
    expect(await books.rows(book, 'jobs')).toEqual([])
  })

  it('is moved by one process after the other', async () => {
    const book = await books.open()
    const start = books.world.now()
    const begun = gate()
    const slow = gate()
    const first = startProcess(async () => {
      begun.open()
      await slow.isOpen
      return done
    })
    const seen: number[] = []
    const second = startProcess(async (_engine, scope) => {
      seen.push(scope.now - start)
      return done
    })
    await enqueue(book, { payload: {}, runAt: start + 1000 }, { payload: {}, runAt: start + 9000 })
    const moving = first.advance(book, 5000)
    await begun.isOpen
    const then = second.advance(book, 5000)
    for (let turns = 0; turns < 20; turns++) {
      await turn()
      books.world.passMs(1)
    }
    expect(seen).toEqual([])
    slow.open()
    expect(await moving).toMatchObject({ ranCount: 1 })
    let isOver = false
    void then.finally(() => {
      isOver = true
    })
    while (!isOver) {
      books.world.passMs(20)
      // As long as a question to the database takes.
      await books.rows(book, 'jobs')
    }
    expect(await then).toMatchObject({ ranCount: 1, isThere: true })
    expect(seen).toHaveLength(1)
    expect(seen[0]).toBeGreaterThanOrEqual(9000)
  })

  it('that could not be let go of is moved on by the same process', async () => {
    const book = await books.open()
    const { engine, advance } = startProcess(async () => done)
    const { database } = engine
    const system: typeof database.system = (work) =>
      database.system((connection) =>
        work({
          ...connection,
          query: (asked, parameters) =>
            asked.name === 'jobs.leaveHold'
              ? Promise.reject(new Error('the database is away'))
              : connection.query(asked, parameters),
        }),
      )
    Object.assign(engine, { database: { ...database, system } })
    await expect(advance(book, 1000)).rejects.toThrow('the database is away')
    Object.assign(engine, { database })
    expect(await books.rows(book, 'jobs')).toHaveLength(1)
    expect(await advance(book, 1000)).toMatchObject({ isThere: true })
    expect(await books.rows(book, 'jobs')).toEqual([])
  })

  it('does not count what a request ran in between', async () => {
    const book = await books.open()
    const { engine, clock, advance } = startProcess(async () => done)
    const start = books.world.now()
    await enqueue(book, { payload: {}, key: 'k', runAt: start + 1000 })
    const { raiseTo } = clock
    let isFirst = true
    clock.raiseTo = async (...raised) => {
      await raiseTo(...raised)
      if (isFirst) expect(await engine.jobs.runKey(engine, book, 'k')).toBe(1)
      isFirst = false
    }
    expect(await advance(book, 5000)).toMatchObject({ ran: [], ranCount: 0, counts: [], isThere: true })
  })

  it('that whoever moved it left when he died goes on: what is left waits no longer than it says', async () => {
    const book = await books.open()
    const start = books.world.now()
    const begun = gate()
    const dying = startProcess(() => {
      begun.open()
      return new Promise(() => {})
    })
    await enqueue(
      book,
      { payload: { name: 'cut off' }, runAt: start + 3_600_000 },
      { payload: { name: 'soon' }, runAt: start + 3_600_500 },
      { payload: { name: 'later' }, runAt: start + 9_000_000 },
    )
    void dying.advance(book, 7_200_000)
    await begun.isOpen
    books.world.passMs(minuteMs)
    const seen: string[] = []
    const { runDue } = startProcess(async (_engine, _scope, { name }: { name: string }) => {
      seen.push(name)
      return done
    })
    await runDue()
    expect(seen.sort()).toEqual(['cut off', 'soon'])
    expect(await books.rows(book, 'jobs')).toMatchObject([
      { run_at: start + 9_000_000, due_at: start + 5_400_000 },
    ])
  })

  it('is news that another process hears late: what it runs meanwhile runs at its own time all the same', async () => {
    const book = await books.open()
    const start = books.world.now()
    const seen: number[] = []
    const other = startProcess(async (_engine, scope) => {
      seen.push(scope.now - start)
      return done
    })
    // It has just looked what time it is, and does not look again for two seconds.
    expect(await other.clock.now(book)).toBe(start)
    await enqueue(book, { payload: {}, key: 'a', runAt: start + 60_000 })
    await startProcess(async () => done).clock.moveTo(book, start + 60_000)
    expect(await other.runDue()).toBe(1)
    expect(seen).toEqual([60_000])
  })

  it('runs sweeps at their moment too, and a sweep that is due in any book', async () => {
    const book = await books.open()
    const start = books.world.now()
    const at = (ms: number) => new Date(start + ms).toISOString()
    const rows = [1000, 3000].map((ms, index) => ({
      table: 'tokens' as const,
      row: {
        id: `Token:${index}`,
        name: 'n',
        client_id: books.world.uuid(),
        secret_hash: '',
        permissions: ['VIEW'],
        created_at: at(0),
        updated_at: at(ms),
      },
    }))
    await books.applier.apply(books.scope(book), { inserts: rows, result: () => null })
    const seen: unknown[] = []
    const expiry: Sweep = {
      kind: 'expire',
      due: statement(
        'test.due',
        `select t.platform_id as "platformId", t.environment, t.id from tokens t join books using (platform_id, environment)
         where deleted_at is null and updated_at <= $1::timestamptz + clock_offset_ms * interval '1 millisecond'
         limit $2`,
      ),
      dueOfBook: statement(
        'test.dueOfBook',
        `select id, updated_at as "runAt" from tokens where platform_id = $1 and environment = $2
           and deleted_at is null and updated_at <= $3 and id <> all($4::text[]) order by updated_at limit 1`,
      ),
      upcomingOfBook: statement(
        'test.upcomingOfBook',
        `select id, updated_at as "runAt" from tokens where platform_id = $1 and environment = $2
           and deleted_at is null order by updated_at limit $3`,
      ),
      run: async (_engine, scope, id) => {
        seen.push([id, scope.now - start])
        const set = { deleted_at: new Date(scope.now).toISOString() }
        return ok({ updates: [{ table: 'tokens', id, version: 1n, set }], result: () => null })
      },
    }
    const { advance, runDue } = startProcess(
      async (_engine, scope) => {
        seen.push(['job', scope.now - start])
        return done
      },
      { sweeps: [expiry] },
    )
    await enqueue(book, { payload: {}, runAt: start + 2000 })
    await advance(book, 2500)
    expect(seen).toEqual([
      ['Token:0', 1000],
      ['job', 2000],
    ])
    books.world.passMs(500)
    expect(await runDue()).toBe(1)
    expect(seen.at(-1)).toEqual(['Token:1', 3000])
  })
})
