import { failed, ok } from '@corridor/kernel'
import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Decision } from '../../vocabulary/decision.ts'
import { fail } from '../../vocabulary/errors.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { createApplier } from './apply.ts'
import type { Database } from './database.ts'

let books: TestBooks
/** What the applier under test asks the database, by the names of the statements. */
const asked: string[] = []
let applier: ReturnType<typeof createApplier>
let another: ReturnType<typeof createApplier>
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
  another = createApplier({ database: books.database, world: books.world, wake() {} })
})
beforeEach(() => {
  asked.length = 0
  applier = createApplier({ database: listening(books.database), world: books.world, wake() {} })
})
afterAll(() => books.database.close())

function listening(database: Database): Database {
  return {
    ...database,
    transact: (book, work) =>
      database.transact(book, (connection) =>
        work({
          ...connection,
          query(statement, parameters) {
            asked.push(statement.name)
            return connection.query(statement, parameters)
          },
        }),
      ),
  }
}

const alice = 'avail:InternalAccount:alice'
const bob = 'avail:InternalAccount:bob'
const rail = 'rail:TEST:EUR'
const refused = fail('INSUFFICIENT_BALANCE' as never)
const readsBalances = () => asked.includes('lock ledger_accounts')

/** A payment whose event shows what it leaves on an account. */
function payment(
  amountMinor: bigint,
  more: Decision | object = {},
  debit = alice,
  credit = bob,
): Decision<unknown> {
  return {
    transfers: [{ id: `t:${books.world.uuid()}`, debit, credit, currency: 'EUR', amountMinor }],
    events: [
      {
        type: 'BALANCE_UPDATED',
        resourceId: debit,
        subjectId: null,
        data: (after) => ({ alice: `${after.balance(debit === rail ? credit : debit)}` }),
      },
    ],
    uncovered: () => refused,
    result: (after) => after.balance(debit === rail ? credit : debit),
    ...more,
  }
}

const pay = (book: Book, amountMinor: bigint, more = {}, by = applier) =>
  by.apply(books.scope(book), payment(amountMinor, more))

async function shown(book: Book): Promise<string[]> {
  const events = await books.rows<{ body: string }>(book, 'events')
  return events.map(({ body }) => JSON.parse(body).data.alice as string)
}

describe('a balance that an event shows', () => {
  it('is read once, and known from then on', async () => {
    const book = await books.open()
    await books.fund(book, alice, 1_000n)
    expect(await pay(book, 100n)).toEqual(ok(900n))
    expect(readsBalances()).toBe(true)
    asked.length = 0
    expect(await pay(book, 100n)).toEqual(ok(800n))
    expect(await pay(book, 300n)).toEqual(ok(500n))
    expect(readsBalances()).toBe(false)
    expect((await shown(book)).sort()).toEqual(['500', '800', '900'])
  })

  it('is the one that stands there, when another process has moved the account', async () => {
    const book = await books.open()
    await books.fund(book, alice, 1_000n)
    await pay(book, 100n)
    expect(await pay(book, 200n, {}, another)).toEqual(ok(700n))
    asked.length = 0
    expect(await pay(book, 50n)).toEqual(ok(650n))
    expect(readsBalances()).toBe(true)
    expect((await shown(book)).sort()).toEqual(['650', '700', '900'])
    // Read the next time as well, because somebody else moves it too, and then no more.
    asked.length = 0
    await pay(book, 50n)
    expect(readsBalances()).toBe(true)
    asked.length = 0
    expect(await pay(book, 50n)).toEqual(ok(550n))
    expect(readsBalances()).toBe(false)
  })

  it('refuses nobody by itself: what has come meanwhile is there to be spent', async () => {
    const book = await books.open()
    await books.fund(book, alice, 100n)
    await pay(book, 90n)
    await books.fund(book, alice, 1_000n)
    expect(await pay(book, 500n)).toEqual(ok(510n))
    expect(await pay(book, 511n)).toEqual(failed(refused))
    expect(await pay(book, 510n)).toEqual(ok(0n))
  })

  it('is refused as what it lacks, when another process has spent it', async () => {
    const book = await books.open()
    await books.fund(book, alice, 100n)
    await pay(book, 10n)
    await pay(book, 85n, {}, another)
    expect(await pay(book, 10n)).toEqual(failed(refused))
    expect(await books.balances(book)).toMatchObject({ [alice]: { spendableMinor: 5n } })
  })

  it('is each time the one between two changes, whoever else pays in at the same moment', async () => {
    const book = await books.open()
    // Amounts are powers of two, so a balance tells which of them are in it.
    const paidIn = Array.from({ length: 40 }, (_, n) => 1n << BigInt(n))
    const outcomes = await Promise.all(
      paidIn.map((amountMinor, n) =>
        (n % 2 ? applier : another).apply(books.scope(book), payment(amountMinor, {}, rail, alice)),
      ),
    )
    const balances = outcomes.map((outcome) => {
      expect(outcome.ok).toBe(true)
      return (outcome as { value: bigint }).value
    })
    for (const [n, balance] of balances.entries()) expect(balance & paidIn[n]!).toBe(paidIn[n])
    const inOrder = [...balances].sort((a, b) => (a < b ? -1 : 1))
    const ones = (value: bigint) => value.toString(2).replaceAll('0', '').length
    const byCount = [...balances].sort((a, b) => ones(a) - ones(b))
    expect(byCount.map(ones)).toEqual(paidIn.map((_, n) => n + 1))
    for (const [n, balance] of byCount.entries()) {
      if (n > 0) expect(balance & byCount[n - 1]!).toBe(byCount[n - 1])
    }
    expect(inOrder.at(-1)).toBe((1n << 40n) - 1n)
    expect((await shown(book)).sort()).toEqual(balances.map(String).sort())
  })
})

describe('a row that was not read', () => {
  const at = '2026-01-01T00:00:00.000Z'
  async function token(book: Book): Promise<string> {
    const id = books.world.id('Token')
    const columns = { client_id: books.world.uuid(), secret_hash: 'hash', permissions: ['VIEW'] }
    const row = { id, name: 'a', ...columns, created_at: at, updated_at: at }
    await another.apply(books.scope(book), { inserts: [{ table: 'tokens', row }], result: () => null })
    return id
  }
  const rename = (id: string, version: bigint, name: string) => ({
    updates: [{ table: 'tokens' as const, id, version, set: { name } }],
  })

  it('is changed without being read', async () => {
    const book = await books.open()
    const id = await token(book)
    await books.fund(book, alice, 100n)
    await pay(book, 1n)
    asked.length = 0
    expect(await pay(book, 10n, rename(id, 1n, 'b'))).toEqual(ok(89n))
    expect(asked.filter((name) => name.startsWith('lock '))).toEqual([])
    expect(await books.rows(book, 'tokens')).toMatchObject([{ name: 'b', version: 2n }])
  })

  it('gets its next version, also where nobody knows which it has', async () => {
    const book = await books.open()
    const id = await token(book)
    await books.fund(book, alice, 100n)
    await pay(book, 1n)
    await pay(book, 1n, rename(id, 1n, 'b'), another)
    asked.length = 0
    const anyVersion = (name: string) => ({ updates: [{ table: 'tokens' as const, id, set: { name } }] })
    await pay(book, 1n)
    await Promise.all([pay(book, 1n), pay(book, 1n, anyVersion('c')), pay(book, 1n, anyVersion('d'))])
    expect(await books.rows(book, 'tokens')).toMatchObject([{ name: 'd', version: 4n }])
    // What it was taken to be says nothing any more once it is changed: then it is read.
    const outcomes = await Promise.all([
      pay(book, 1n),
      pay(book, 1n, anyVersion('e')),
      pay(book, 1n, rename(id, 5n, 'f')),
      pay(book, 1n, rename(id, 5n, 'g')),
    ])
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true, false])
    expect(await books.rows(book, 'tokens')).toMatchObject([{ name: 'f', version: 6n }])
  })

  it('is left as it is, with all that hangs on it, when somebody else was faster', async () => {
    const book = await books.open()
    const id = await token(book)
    await books.fund(book, alice, 100n)
    await pay(book, 1n)
    await pay(book, 1n, rename(id, 1n, 'b'), another)
    expect(await pay(book, 10n, rename(id, 1n, 'c'))).toEqual(failed({ code: 'STALE' }))
    expect(await pay(book, 10n, rename(`${id}0`, 1n, 'c'))).toEqual(failed({ code: 'STALE' }))
    expect(await books.rows(book, 'tokens')).toMatchObject([{ name: 'b', version: 2n }])
    expect(await books.balances(book)).toMatchObject({ [alice]: { spendableMinor: 98n } })
  })

  it('is required as it was, or what depends on it is refused with its own words', async () => {
    const book = await books.open()
    const id = await token(book)
    await books.fund(book, alice, 100n)
    await pay(book, 1n)
    const required = (version: bigint) => ({
      requires: [{ table: 'tokens' as const, id, version, orElse: refused }],
    })
    expect(await pay(book, 1n, required(1n))).toEqual(ok(98n))
    await pay(book, 1n, rename(id, 1n, 'b'), another)
    expect(await pay(book, 1n, required(1n))).toEqual(failed(refused))
    expect(await pay(book, 1n, required(2n))).toEqual(ok(96n))
  })

  it('is required side by side, or in turn where ever new ones would keep waiting whoever wants to change it', async () => {
    const book = await books.open()
    const id = await token(book)
    await books.fund(book, alice, 100n)
    const requiring = (more: object) => ({
      requires: [{ table: 'tokens' as const, id, version: 1n, ...more }],
    })
    const locks = () => asked.filter((name) => / tokens for /.test(name))
    expect(await pay(book, 1n, requiring({}))).toEqual(ok(99n))
    expect(await pay(book, 1n, requiring({}))).toEqual(ok(98n))
    expect(locks()).toEqual(['lock tokens for share', 'guard tokens for share'])
    asked.length = 0
    expect(await pay(book, 1n, requiring({ inTurn: true }))).toEqual(ok(97n))
    await pay(book, 1n, {}, another)
    expect(await pay(book, 1n, requiring({ inTurn: true }))).toEqual(ok(95n))
    expect(new Set(locks())).toEqual(new Set(['guard tokens for update', 'lock tokens for update']))
    expect(await books.rows(book, 'tokens')).toMatchObject([{ version: 1n }])
  })

  it('is judged as the decisions before it in the same batch leave it', async () => {
    const book = await books.open()
    const id = await token(book)
    await books.fund(book, alice, 100n)
    await pay(book, 1n)
    const outcomes = await Promise.all([
      pay(book, 1n),
      pay(book, 10n, { requires: [{ table: 'tokens', id, version: 1n }] }),
      pay(book, 10n, rename(id, 1n, 'b')),
      pay(book, 10n, { requires: [{ table: 'tokens', id, version: 1n, orElse: refused }] }),
      pay(book, 10n, rename(id, 2n, 'c')),
      pay(book, 10n, rename(id, 1n, 'd')),
    ])
    expect(outcomes).toEqual([ok(98n), ok(88n), ok(78n), failed(refused), ok(68n), failed({ code: 'STALE' })])
    expect(await books.rows(book, 'tokens')).toMatchObject([{ name: 'c', version: 3n }])
  })

  it('is changed by one of those who saw it, of twenty in two processes at once', async () => {
    const book = await books.open()
    const id = await token(book)
    await books.fund(book, alice, 1_000n)
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => pay(book, 1n, rename(id, 1n, `${n}`), n % 2 ? applier : another)),
    )
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await books.rows(book, 'tokens')).toMatchObject([{ version: 2n }])
    expect(await books.balances(book)).toMatchObject({ [alice]: { spendableMinor: 999n } })
  })
})
