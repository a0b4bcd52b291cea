import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fail } from '../../vocabulary/errors.ts'
import type { Book } from '../../vocabulary/scope.ts'

let books: TestBooks
let book: Book
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
})
beforeEach(async () => {
  book = await books.open()
})
afterAll(() => books.database.close())

/** Counts, and tells so, so that a refused one that left a trace would show. */
function count(addMinor: bigint, limitMinor?: bigint, isSigned?: true) {
  return books.applier.apply(books.scope(book), {
    counts: [
      {
        counter: isSigned === undefined ? 'volume:EUR' : 'uma-credit/peer',
        addMinor,
        ...(isSigned ? { isSigned } : {}),
        ...(limitMinor === undefined ? {} : { limitMinor }),
        exceeded: (usedMinor) => fail('DAILY_VOLUME_LIMIT_EXCEEDED', { limit: Number(usedMinor) }),
      },
    ],
    events: [{ type: 'COUNTED', resourceId: 'Customer:1', subjectId: null, data: {} }],
    result: () => addMinor,
  })
}

async function used(): Promise<bigint> {
  const [row] = await books.rows<{ used: bigint }>(book, 'volume_counters', 'id')
  return row?.used ?? 0n
}

describe('a counter', () => {
  it('lets through exactly what fits, however many ask at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => count(10n, 255n)))
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(25)
    expect(await used()).toBe(250n)
    expect(await books.rows(book, 'events', 'seq')).toHaveLength(25)
  })

  it('goes below zero where it is signed, together with others as alone', async () => {
    expect(await count(-600n, undefined, true)).toMatchObject({ ok: true })
    expect(await used()).toBe(-600n)
    await Promise.all([count(600n, 1_000n, true), count(-100n, undefined, true), count(50n, 1_000n, true)])
    expect(await used()).toBe(-50n)
    expect(await count(1_050n, 1_000n, true)).toMatchObject({ ok: true })
    expect(await count(1n, 1_000n, true)).toMatchObject({ ok: false })
    expect(await used()).toBe(1_000n)
  })

  it('refuses with what was used before', async () => {
    expect(await count(90n, 100n)).toMatchObject({ ok: true })
    const refusal = { code: 'DAILY_VOLUME_LIMIT_EXCEEDED', details: { limit: 90 } }
    expect(await count(11n, 100n)).toMatchObject({ ok: false, failure: refusal })
    expect(await count(10n, 100n)).toMatchObject({ ok: true })
  })

  it('refuses the first that is too much, and opens nothing for it', async () => {
    expect(await count(101n, 100n)).toMatchObject({ ok: false })
    expect(await used()).toBe(0n)
  })

  it('counts without a limit beyond every limit', async () => {
    await Promise.all([count(90n, 100n), count(500n), count(500n)])
    expect(await used()).toBeGreaterThanOrEqual(1000n)
    expect(await count(1n, 100n)).toMatchObject({ ok: false })
  })

  it('is given back at most what it stands at', async () => {
    await count(30n, 100n)
    await Promise.all([count(-20n), count(-20n)])
    expect(await used()).toBe(0n)
    expect(await count(100n, 100n)).toMatchObject({ ok: true })
  })
})
