import { failed, ok } from '@corridor/kernel'
import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../vocabulary/scope.ts'
import { createIdempotencyStore, fingerprintOf, type IdempotencyStore, retentionMs } from './idempotency.ts'

let books: TestBooks
let store: IdempotencyStore
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
  store = createIdempotencyStore(books.database, reversed)
})
afterAll(() => books.database.close())

const answer = { status: 201, body: '{"id":1}' }

const reverse = (text: string) => [...text].reverse().join('')
const reversed = {
  seal: (_book: unknown, _column: unknown, _row: unknown, text: string) => reverse(text),
  open: (_book: unknown, _column: unknown, _row: unknown, sealed: string) => reverse(sealed),
}

async function scope(): Promise<Scope> {
  return books.scope(await books.open())
}

describe('the store of idempotent answers', () => {
  it('gives the first answer to everybody who asks again', async () => {
    const book = await scope()
    expect(await store.find(book, 'key', 'f', book.now)).toEqual(ok(null))
    await store.save(book, 'key', 'f', answer)
    const late = [2, 3].map((n) => ({ status: 409, body: `{"late":${n}}` }))
    await Promise.all(late.map((other) => store.save(book, 'key', 'f', other)))
    expect(await store.find(book, 'key', 'f', book.now)).toEqual(ok(answer))
  })

  it('refuses a key that comes with another request', async () => {
    const book = await scope()
    await store.save(book, 'key', 'f', answer)
    expect(await store.find(book, 'key', 'g', book.now)).toMatchObject({
      failure: { code: 'CONFLICT', details: { reason: 'IDEMPOTENCY_KEY_REUSED' } },
    })
  })

  it('lets one of two equal requests run', async () => {
    const book = await scope()
    const first = store.begin(book, 'key')
    expect(store.begin(book, 'key')).toMatchObject({
      failure: { code: 'CONFLICT', details: { reason: 'REQUEST_IN_PROGRESS' } },
    })
    expect(store.begin(await scope(), 'key').ok).toBe(true)
    if (first.ok) first.value()
    expect(store.begin(book, 'key').ok).toBe(true)
  })

  it('keeps the effect of the first when another process was as fast', async () => {
    const book = await scope()
    const attempt = () => ({
      ...book,
      recording: {
        key: 'race',
        fingerprint: 'f',
        retentionMs,
        serialize: () => '{"id":1}',
        refuse: () => ({ status: 400, body: '' }),
        seal: reverse,
      },
    })
    const decision = {
      transfers: [{ id: 'race', debit: 'rail:A:EUR', credit: 'fx:EUR', currency: 'EUR', amountMinor: 1n }],
      result: () => ({ status: 201 }),
    }
    const [first, second] = [attempt(), attempt()]
    expect(await books.applier.apply(first, decision)).toEqual(ok({ status: 201 }))
    const other = { ...decision, transfers: [{ ...decision.transfers[0]!, id: 'race again' }] }
    expect(await books.applier.apply(second, other)).toEqual(failed({ code: 'STALE' }))
    expect(first.recording).toMatchObject({ stored: answer })
    expect(second.recording).not.toHaveProperty('stored')
    expect(await books.balances(book)).toMatchObject({ 'fx:EUR': { postedMinor: 1n } })
  })

  it('forgets an answer after its time, when asked and when purged', async () => {
    const book = await scope()
    await store.save(book, 'asked', 'f', answer)
    await store.save(book, 'purged', 'f', answer)
    const later = book.now + retentionMs
    expect(await store.find(book, 'asked', 'f', later - 1)).toEqual(ok(answer))
    expect(await store.find(book, 'asked', 'another', later)).toEqual(ok(null))
    await store.purge(later + 1)
    expect(await books.rows(book, 'idempotency_keys')).toEqual([])
  })

  it('takes bodies for equal that mean the same', () => {
    expect(fingerprintOf({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(fingerprintOf({ b: [{ d: 3, c: 2 }], a: 1 }))
    expect(fingerprintOf({ a: [1, 2] })).not.toBe(fingerprintOf({ a: [2, 1] }))
    expect(fingerprintOf({ a: '1' })).not.toBe(fingerprintOf({ a: 1 }))
  })
})
