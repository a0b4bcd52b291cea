import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Decision } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { createApplier } from './apply.ts'

let books: TestBooks
let another: ReturnType<typeof createApplier>
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
  another = createApplier({ database: books.database, world: books.world, wake() {} })
})
afterAll(() => books.database.close())

const id = 'InternalAccount:alice'
const account = `avail:${id}`

interface Told {
  readonly version: number
  readonly updatedAt: string
  readonly balance: string
}

function deposit(amountMinor = 1n, more: Partial<Decision> = {}): Decision {
  return {
    transfers: [
      {
        id: `t:${books.world.uuid()}`,
        debit: 'rail:TEST:EUR',
        credit: account,
        currency: 'EUR',
        amountMinor,
      },
    ],
    events: [
      {
        type: 'BALANCE_UPDATED',
        resourceId: id,
        subjectId: null,
        isOfBalance: true,
        data: (after) => ({
          version: Number(after.version(id)),
          updatedAt: new Date(after.changedAt(id)).toISOString(),
          balance: `${after.balance(account)}`,
        }),
      },
    ],
    result: () => null,
    ...more,
  }
}

const apply = (book: Book, decision: Decision, { by = books.applier, now = books.world.now() } = {}) =>
  by.apply({ ...books.scope(book), now }, decision)

async function told(book: Book): Promise<Told[]> {
  const rows = await books.rows<{ body: string }>(book, 'events', 'seq')
  return rows.map(({ body }) => JSON.parse(body).data as Told)
}

async function stands(book: Book) {
  const rows = await books.rows<{ id: string; version: bigint; moved_at: number }>(book, 'ledger_accounts')
  const { version, moved_at } = rows.find((row) => row.id === account)!
  return { version: Number(version), updatedAt: new Date(moved_at).toISOString() }
}

const at = (aheadMs: number) => new Date(books.world.now() + aheadMs).toISOString()

describe('changes of an internal account', () => {
  it('are counted, and each is later than the one before, whenever their requests began', async () => {
    const book = await books.open()
    const now = books.world.now()
    await apply(book, deposit(), { now: now + 50 })
    await apply(book, deposit(), { now, by: another })
    await apply(book, deposit(), { now: now + 20 })
    expect(await told(book)).toEqual([
      { version: 1, updatedAt: at(50), balance: '1' },
      { version: 2, updatedAt: at(51), balance: '2' },
      { version: 3, updatedAt: at(52), balance: '3' },
    ])
    expect(await stands(book)).toEqual({ version: 3, updatedAt: at(52) })
  })

  it('are counted where no event tells of them', async () => {
    const book = await books.open()
    const now = books.world.now()
    await apply(book, deposit(1n, { events: [] }), { now: now + 50 })
    await apply(book, deposit(1n, { events: [] }), { now })
    expect(await stands(book)).toEqual({ version: 2, updatedAt: at(51) })
    await apply(book, deposit(), { now })
    expect(await told(book)).toEqual([{ version: 3, updatedAt: at(52), balance: '3' }])
  })

  it('are counted where nothing moves', async () => {
    const book = await books.open()
    const changes = [{ id, currency: 'EUR', updatedAt: books.world.now() + 10 }]
    await apply(book, deposit(1n, { transfers: [], changes }))
    await apply(book, deposit())
    expect(await told(book)).toEqual([
      { version: 1, updatedAt: at(11), balance: '0' },
      { version: 2, updatedAt: at(12), balance: '1' },
    ])
  })

  it('are told in order when two processes make them at once, the first of an account included', async () => {
    const book = await books.open()
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        apply(book, deposit(), { by: index % 2 ? another : books.applier }),
      ),
    )
    const events = await told(book)
    expect(events.map(({ version, balance }) => `${version} ${balance}`)).toEqual(
      Array.from({ length: 40 }, (_, index) => `${index + 1} ${index + 1}`),
    )
    expect(events.map(({ updatedAt }) => updatedAt)).toEqual(
      Array.from({ length: 40 }, (_, index) => at(index)),
    )
  })

  it('never carry a time of more than a second ahead: those of one commit share an event then', async () => {
    const book = await books.open()
    await Promise.all(Array.from({ length: 1_500 }, () => apply(book, deposit())))
    const events = await told(book)
    expect(await stands(book)).toEqual({ version: 1_500, updatedAt: at(1_000) })
    expect(events.at(-1)).toEqual({ version: 1_500, updatedAt: at(1_000), balance: '1500' })
    expect(events.length).toBeLessThan(1_100)
    expect(events.slice(0, 1_000).map(({ version }) => version)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => index + 1),
    )
    expect(events.every(({ version, balance }) => balance === `${version}`)).toBe(true)
    books.world.passMs(10)
    await Promise.all(Array.from({ length: 30 }, () => apply(book, deposit(1n, { events: [] }))))
    expect((await stands(book)).updatedAt <= at(1_000)).toBe(true)
  })

  it('of one step after another that are committed together are told as they were', async () => {
    const book = await books.open()
    const both = [deposit(), deposit(2n)]
    await apply(book, {
      transfers: both.flatMap(({ transfers = [] }) => transfers),
      steps: [1, 1],
      result: () => null,
    })
    expect((await stands(book)).version).toBe(2)
  })
})
