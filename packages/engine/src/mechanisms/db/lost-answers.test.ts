import { ok } from '@corridor/kernel'
import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Decision } from '../../vocabulary/decision.ts'
import { fail } from '../../vocabulary/errors.ts'
import type { Book, Recording } from '../../vocabulary/scope.ts'
import { type Connection, type Driver, statement } from './driver.ts'

/** Where the network fails, once; the work that comes next finds it sound. */
type Cut =
  /** The commit never reaches the server. */
  | 'before the commit'
  /** It is carried out, and the news of it is lost. */
  | 'after the commit'
  /** It reaches the server, which is frozen and carries it out when it wakes. */
  | 'before a commit that comes later'
  /** While statements are on their way. */
  | 'in the middle'

let books: TestBooks
let cut: Cut | undefined
/** How many pieces of work pass before that. */
let passing = 0
let cuts = 0
/** Wakes a frozen server, which then does what it was asked before. */
let thaw: (() => Promise<void>) | undefined
let isUnreadable = false
beforeAll(async () => {
  books = createTestBooks(unreliable(await openTestDatabase()))
})
afterAll(() => books.database.close())
beforeEach(() => {
  cut = undefined
  passing = 0
  cuts = 0
  isUnreadable = false
})

function unreliable(driver: Driver): Driver {
  return {
    ...driver,
    async use(lane, work) {
      if (isUnreadable && lane === 'read') throw lost()
      if (lane !== 'write' || !cut || passing-- > 0) return driver.use(lane, work)
      // The caller has lost it when the server has not yet: its session goes on.
      return new Promise((resolve, reject) => {
        void driver
          .use(lane, async (connection) => {
            const { cuttable, rest } = cuttableOf(connection)
            const outcome = Promise.resolve(work(cuttable))
            outcome.then(resolve, reject)
            await outcome.catch(() => {})
            await rest()
          })
          .catch(reject)
      })
    },
    ended: async () => thaw?.(),
  }
}

const lost = () => new Error('Connection terminated unexpectedly')

function cuttableOf(connection: Connection) {
  let isCut = false
  let isInside = false
  let queries = 0
  let late: Promise<void> | undefined
  async function ask<T>(isCommit: boolean, forward: () => Promise<T>): Promise<T> {
    if (isCut) throw lost()
    const plan = cut
    if (plan === undefined) return forward()
    if (plan === 'in the middle' ? ++queries < (isInside ? 2 : 1) : !isCommit) return forward()
    isCut = true
    cut = undefined
    cuts++
    if (plan === 'after the commit') await forward()
    if (plan === 'before a commit that comes later') {
      late = new Promise((resolve) => {
        thaw = async () => {
          thaw = undefined
          await forward()
          resolve()
        }
      })
    } else if (isInside && plan !== 'after the commit') late = connection.script('rollback')
    throw lost()
  }
  const cuttable: Connection = {
    session: connection.session,
    pipelines: connection.pipelines,
    // Outside a transaction each statement is its own commit.
    query: (asked, parameters) => ask(!isInside, () => connection.query(asked, parameters)),
    script(text) {
      if (text === 'begin') isInside = true
      return ask(text === 'commit', () => connection.script(text))
    },
  }
  return { cuttable, rest: async () => late }
}

const alice = 'avail:InternalAccount:alice'
const bob = 'avail:InternalAccount:bob'
const refused = fail('INSUFFICIENT_BALANCE' as never)
const apply = <T>(book: Book, decision: Decision<T>) => books.applier.apply(books.scope(book), decision)

function execution(n: number): Decision<string> {
  return {
    transfers: [
      { id: `Transaction:${n}/execute/0`, debit: alice, credit: bob, currency: 'EUR', amountMinor: 10n },
    ],
    events: [{ type: 'EXECUTED', resourceId: `Transaction:${n}`, subjectId: null, data: {} }],
    uncovered: () => refused,
    result: () => `executed ${n}`,
  }
}

/** Holds the lane of a book, so that all that is added meanwhile forms one batch, which meets the cut. */
async function together<T>(
  book: Book,
  how: Cut,
  add: () => Promise<T>[],
): Promise<PromiseSettledResult<T>[]> {
  cut = how
  passing = 1
  const gate = apply(book, {
    events: [{ type: 'GATE', resourceId: 'g', subjectId: null, data: {} }],
    result: () => null,
  })
  const all = add()
  await gate
  return Promise.allSettled(all)
}

async function state(book: Book) {
  const events = await books.rows<{ type: string }>(book, 'events', 'seq')
  const balances = await books.balances(book)
  return {
    executed: events.filter(({ type }) => type === 'EXECUTED').length,
    transfers: (await books.rows(book, 'ledger_transfers')).length,
    alice: balances[alice]?.spendableMinor,
    bob: balances[bob]?.spendableMinor ?? 0n,
  }
}

const everyCut: Cut[] = [
  'before the commit',
  'after the commit',
  'before a commit that comes later',
  'in the middle',
]

describe.each(everyCut)('a connection that is lost %s', (how) => {
  it('leaves six executions done once each, and each is told so', async () => {
    const book = await books.open()
    await books.fund(book, alice, 100n)
    cut = how
    const all = Array.from({ length: 6 }, (_, n) => apply(book, execution(n)))
    expect(await Promise.all(all)).toEqual(all.map((_, n) => ok(`executed ${n}`)))
    expect(cuts).toBe(1)
    expect(await state(book)).toEqual({ executed: 6, transfers: 7, alice: 40n, bob: 60n })
  })

  it('leaves one batch of six done once, and each is told so', async () => {
    const book = await books.open()
    await books.fund(book, alice, 100n)
    const outcomes = await together(book, how, () =>
      Array.from({ length: 6 }, (_, n) => apply(book, execution(n))),
    )
    expect(outcomes).toEqual(outcomes.map((_, n) => ({ status: 'fulfilled', value: ok(`executed ${n}`) })))
    expect(cuts).toBe(1)
    expect(await state(book)).toEqual({ executed: 6, transfers: 7, alice: 40n, bob: 60n })
  })

  it('does not make a refusal of one decision that of the others', async () => {
    const book = await books.open()
    await books.fund(book, alice, 30n)
    cut = how
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, n) => apply(book, execution(n))))
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(3)
    for (const outcome of outcomes) if (!outcome.ok) expect(outcome.failure).toEqual(refused)
    expect(await state(book)).toEqual({ executed: 3, transfers: 4, alice: 0n, bob: 30n })
  })

  it('leaves a guarded row changed once, and its answer on record', async () => {
    const book = await books.open()
    const id = books.world.id('Token')
    const at = '2026-01-01T00:00:00.000Z'
    const row = {
      id,
      name: 'a',
      client_id: books.world.uuid(),
      secret_hash: '',
      permissions: ['VIEW'],
      created_at: at,
      updated_at: at,
    }
    await apply(book, { inserts: [{ table: 'tokens', row }], result: () => null })
    const recording: Recording = {
      key: `key ${how}`,
      fingerprint: 'f',
      retentionMs: 1000,
      serialize: (reply) => JSON.stringify(reply),
      refuse: () => undefined,
      seal: (body: string) => `${body} sealed ${books.world.uuid()}`,
    } as Recording
    const scope = { ...books.scope(book), recording } as never
    const change: Decision = {
      updates: [{ table: 'tokens', id, version: 1n, set: { name: 'b' } }],
      result: () => ({ status: 200 }),
    }
    cut = how
    expect(await books.applier.apply(scope, change)).toEqual(ok({ status: 200 }))
    expect(await books.rows(book, 'tokens')).toMatchObject([{ name: 'b', version: 2n }])
    expect(await books.rows(book, 'idempotency_keys')).toMatchObject([{ status: 200 }])
    expect(recording.stored).toEqual({ status: 200, body: '{"status":200}' })
  })
})

describe('an outcome that cannot be read', () => {
  it('is told as unknown to everybody, and is neither a refusal nor decided again', async () => {
    const book = await books.open()
    await books.fund(book, alice, 100n)
    cut = 'after the commit'
    isUnreadable = true
    let pending = 2
    const all = Promise.allSettled([1, 2].map((n) => apply(book, execution(n)).finally(() => pending--)))
    // It tries for a while.
    while (pending > 0) {
      books.world.passMs(200)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const [first, second] = await all
    expect(first).toMatchObject({ status: 'rejected', reason: { name: 'OutcomeUnknown' } })
    // It was not in that batch, and nothing is wrong with the database by now but reading.
    expect(second).toMatchObject({ status: 'fulfilled', value: ok('executed 2') })
    isUnreadable = false
    expect(await state(book)).toEqual({ executed: 2, transfers: 3, alice: 80n, bob: 20n })
  })
})

describe('a batch', () => {
  it('is halved for what one of its decisions breaks, and not for an outage', async () => {
    const book = await books.open()
    await books.fund(book, alice, 100n)
    const broken: Decision = {
      statements: [
        { statement: statement('test.lost-answers.broken', 'select 1 / $1::int'), parameters: [0] },
      ],
      result: () => null,
    }
    const gate = apply(book, {
      events: [{ type: 'GATE', resourceId: 'g', subjectId: null, data: {} }],
      result: () => null,
    })
    const all = [apply(book, execution(1)), apply(book, broken), apply(book, execution(2))]
    await gate
    expect(await Promise.allSettled(all)).toMatchObject([
      { value: ok('executed 1') },
      { reason: { code: '22012' } },
      { value: ok('executed 2') },
    ])

    const dying: Decision = {
      statements: [
        {
          statement: statement(
            'test.full',
            "do $$ begin raise exception 'x' using errcode = '53100'; end $$",
          ),
          parameters: [],
        },
      ],
      result: () => null,
    }
    const second = apply(book, {
      events: [{ type: 'GATE', resourceId: 'g', subjectId: null, data: {} }],
      result: () => null,
    })
    const rest = [apply(book, execution(3)), apply(book, dying), apply(book, execution(4))]
    await second
    for (const outcome of await Promise.allSettled(rest)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '53100' } })
    }
    expect(await state(book)).toMatchObject({ executed: 2, alice: 80n })
  })
})
