import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { After, Decision, Transfer } from '../../vocabulary/decision.ts'
import { fail } from '../../vocabulary/errors.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { inSequence } from '../../vocabulary/sequence.ts'

let books: TestBooks
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
})
afterAll(() => books.database.close())

const holders = ['alice', 'bob', 'carol'].map((name) => `InternalAccount:${name}`)
const accounts = holders.map((id) => `avail:${id}`)
const apply = (book: Book, decision: Decision) => books.applier.apply(books.scope(book), decision)

/** Shows what every account has, as its holders would be told. */
const shown = (name: string) => ({
  type: name,
  resourceId: 'Customer:1',
  subjectId: null,
  data: (after: After) => ({
    name,
    changes: holders.map((id) => [after.version(id).toString(), after.changedAt(id)]),
    spendable: accounts.map((id) => after.balance(id).toString()),
    held: accounts.map((id) => after.held(id).toString()),
  }),
})

interface Move {
  readonly from: number
  readonly to: number
  readonly amountMinor: bigint
  readonly kind: 'POSTED' | 'PENDING' | 'POST_PENDING' | 'VOID_PENDING'
}

const moves = fc.array(
  fc.record<Move>({
    from: fc.nat(2),
    to: fc.nat(2),
    amountMinor: fc.bigInt(1n, 60n),
    kind: fc.constantFrom('POSTED', 'PENDING', 'POST_PENDING', 'VOID_PENDING'),
  }),
  { maxLength: 5 },
)

/** The transfers of two decisions: what the second resolves may be held by the first. */
function transfersOf(both: readonly (readonly Move[])[], prefix: string): Transfer[][] {
  const held: Transfer[] = []
  return both.map((some, part) =>
    some.flatMap(({ from, to, amountMinor, kind }, index): Transfer[] => {
      const id = `${prefix}/${part}/${index}`
      const sides = { debit: accounts[from]!, credit: accounts[from === to ? (to + 1) % 3 : to]! }
      const transfer = { id, ...sides, currency: 'EUR', amountMinor }
      if (kind === 'POSTED') return [transfer]
      if (kind === 'PENDING') {
        held.push(transfer)
        return [{ ...transfer, kind }]
      }
      const pending = held.pop()
      return pending ? [{ ...pending, id, kind, pendingId: pending.id }] : []
    }),
  )
}

function token(id: string, name: string) {
  const at = '2026-01-01T00:00:00.000Z'
  const secret = { client_id: id, secret_hash: 'hash', permissions: ['VIEW'] }
  return { table: 'tokens' as const, row: { id, name, ...secret, created_at: at, updated_at: at } }
}

describe('two decisions in sequence', () => {
  it('leave rows, balances and events as if they had been committed one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(moves, moves, async (one, two) => {
        const left = async (isOne: boolean) => {
          const book = await books.open()
          for (const id of accounts) await books.fund(book, id, 100n)
          const touched = accounts.map((id, index) => ({
            id: `touch/${index}`,
            debit: id,
            credit: 'fee:EUR',
            currency: 'EUR',
            amountMinor: 1n,
          }))
          const [before, after] = transfersOf([one, two], 'move')
          const [kept, made] = [books.world.id('Token'), books.world.id('Token')]
          await apply(book, { inserts: [token(kept, 'kept')], result: () => null })
          const first: Decision = {
            updates: [{ table: 'tokens', id: kept, version: 1n, set: { name: 'once' } }],
            inserts: [token(made, 'made')],
            transfers: [...touched, ...before!],
            events: [shown('FIRST')],
            result: () => 'first',
          }
          const second: Decision = {
            updates: [
              { table: 'tokens', id: kept, version: 2n, set: { secret_hash: 'other' } },
              { table: 'tokens', id: made, version: 1n, set: { name: 'changed' } },
            ],
            transfers: [...touched.map((each) => ({ ...each, id: `${each.id}/2` })), ...after!],
            events: [shown('SECOND')],
            result: () => 'second',
          }
          const outcome = isOne
            ? await apply(book, inSequence(first, second))
            : (await apply(book, first)).ok && (await apply(book, second))
          if (outcome === false || !outcome.ok) return 'refused'
          const rows = await books.rows(book, 'tokens', 'name')
          const events = await books.rows(book, 'events', 'seq')
          return {
            value: outcome.value,
            tokens: rows.map(({ name, secret_hash }) => ({ name, secret_hash })),
            balances: await books.balances(book),
            told: events.map(({ body }) => (typeof body === 'string' ? JSON.parse(body) : body).data),
          }
        }
        const [together, apart] = [await left(true), await left(false)]
        // Apart the first may stand where the second is refused; together there is neither.
        expect(together).toEqual(apart)
      }),
      { numRuns: 40 },
    )
  })

  it('answer for a shortage as the first of them does', async () => {
    const book = await books.open()
    const poor = { id: 'poor', debit: accounts[0]!, credit: accounts[1]!, currency: 'EUR', amountMinor: 5n }
    const refusal = fail('INSUFFICIENT_BALANCE' as never)
    const first: Decision = { transfers: [poor], uncovered: () => refusal, result: () => null }
    expect(await apply(book, inSequence(first, { result: () => null }))).toMatchObject({ failure: refusal })
    expect(await books.rows(book, 'ledger_transfers')).toEqual([])
  })
})
