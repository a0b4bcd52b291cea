import type { Decision, Transfer } from '@corridor/engine/vocabulary/decision.ts'
import { fail } from '@corridor/engine/vocabulary/errors.ts'
import type { Book } from '@corridor/engine/vocabulary/scope.ts'
import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { effort, proofSeed } from '@corridor/testkit/effort.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkLedger, soundLedger } from './check-ledger.ts'
import { generator } from './random.ts'

const decisionsPerSeed = effort(2_000, 10_000)
const seeds = Array.from({ length: effort(3, 60) }, (_, index) => proofSeed(1) + index)

/** The ledger in the plainest form that can be right: one decision after the other, nothing clever. */
class Model {
  readonly balances = new Map<string, { posted: bigint; reserved: bigint }>()
  readonly transfers = new Map<string, Transfer & { isResolved: boolean }>()
  readonly versions = new Map<string, bigint>()

  decide({
    updates = [],
    transfers = [],
  }: Pick<Decision, 'updates' | 'transfers'>): 'ok' | 'short' | 'stale' {
    for (const { id, version } of updates) if (this.versions.get(id) !== version) return 'stale'
    // What a decision changes stands apart until all of it is accepted.
    const attempt = new Model()
    for (const transfer of transfers) {
      const verdict = attempt.post(this, transfer)
      if (verdict !== 'ok') return verdict
    }
    for (const [id, balance] of attempt.balances) this.balances.set(id, balance)
    for (const [id, transfer] of attempt.transfers) this.transfers.set(id, transfer)
    for (const { id, version } of updates) this.versions.set(id, version! + 1n)
    return 'ok'
  }

  private post(base: Model, transfer: Transfer): 'ok' | 'short' | 'stale' {
    const known = (id: string) => this.transfers.get(id) ?? base.transfers.get(id)
    const account = (id: string) => {
      const balance = this.balances.get(id) ?? { ...(base.balances.get(id) ?? { posted: 0n, reserved: 0n }) }
      this.balances.set(id, balance)
      return balance
    }
    if (known(transfer.id)) return 'stale'
    const { kind = 'POSTED', pendingId } = transfer
    const hold = pendingId === undefined ? undefined : known(pendingId)
    if (pendingId !== undefined && (hold?.kind !== 'PENDING' || hold.isResolved)) return 'stale'
    const { debit, credit, amountMinor } = hold ?? transfer
    const from = account(debit)
    if (!hold && debit.startsWith('avail:') && from.posted - from.reserved < amountMinor) return 'short'
    if (kind === 'PENDING') from.reserved += amountMinor
    else if (hold) from.reserved -= amountMinor
    if (kind === 'POSTED' || kind === 'POST_PENDING') {
      from.posted -= amountMinor
      account(credit).posted += amountMinor
    }
    if (hold) this.transfers.set(hold.id, { ...hold, isResolved: true })
    this.transfers.set(transfer.id, { ...transfer, isResolved: false })
    return 'ok'
  }
}

let books: TestBooks
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
})
afterAll(() => books.database.close())

it.each(seeds)('gives the verdicts and balances of the plain model, seed %i', async (seed) => {
  const random = generator(seed)
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!
  const book = await books.open()
  const model = new Model()
  const accounts = Array.from({ length: 8 }, (_, index) => `avail:InternalAccount:${index}`)
  const everywhere = [...accounts, 'rail:TEST:EUR', 'fx:EUR']
  const tokens = await insertTokens(book, model)
  const made: Transfer[] = []

  function transfer(): Transfer {
    const holds = made.filter(({ kind }) => kind === 'PENDING')
    const choice = random(30)
    if (choice === 0 && made.length > 0) return pick(made)
    if (choice < 6 && holds.length > 0) {
      // Among the latest, so that many are still open.
      const hold = pick(holds.slice(-10))
      const kind = pick(['POST_PENDING', 'VOID_PENDING'] as const)
      return remember({ ...hold, id: `t${made.length}`, kind, pendingId: hold.id })
    }
    const debit = pick(everywhere)
    const credit = pick(everywhere.filter((id) => id !== debit))
    const kind = choice < 12 ? ('PENDING' as const) : ('POSTED' as const)
    const amountMinor = BigInt(1 + random(40))
    return remember({ id: `t${made.length}`, debit, credit, currency: 'EUR', amountMinor, kind })
  }
  function remember(transfer: Transfer): Transfer {
    made.push(transfer)
    return transfer
  }

  const different: string[] = []
  const seen = { ok: 0, short: 0, stale: 0 }
  for (let done = 0; done < decisionsPerSeed; ) {
    const batch = Array.from({ length: 1 + random(40) }, () => {
      const transfers = Array.from({ length: random(6) === 0 ? 2 : 1 }, transfer)
      const id = pick(tokens)
      // The version that a request saw: the latest, or the one before that.
      const version = model.versions.get(id)! - (random(5) === 0 ? 1n : 0n)
      const updates = random(4) === 0 ? [{ table: 'tokens' as const, id, version, set: {} }] : []
      return { updates, transfers }
    })
    done += batch.length
    const expected = batch.map((decision) => model.decide(decision))
    const outcomes = await Promise.all(
      batch.map((decision) =>
        books.applier.apply(books.scope(book), {
          ...decision,
          uncovered: () => shortage,
          result: () => 'ok',
        }),
      ),
    )
    outcomes.forEach((outcome, index) => {
      const verdict = outcome.ok ? 'ok' : outcome.failure.code === 'STALE' ? 'stale' : 'short'
      seen[verdict]++
      if (verdict !== expected[index]) {
        different.push(`${verdict} for ${expected[index]}: ${JSON.stringify(batch[index], textForBigint)}`)
      }
    })
  }

  expect(different).toEqual([])
  const balances = await books.balances(book)
  for (const [id, { posted, reserved }] of model.balances) {
    const { postedMinor, spendableMinor } = balances[id] ?? { postedMinor: 0n, spendableMinor: 0n }
    expect({ id, postedMinor, spendableMinor }).toEqual({
      id,
      postedMinor: posted,
      spendableMinor: posted - reserved,
    })
  }
  const rows = await books.rows<{ id: string; version: bigint }>(book, 'tokens')
  for (const { id, version } of rows) expect(version).toBe(model.versions.get(id))
  expect(await checkLedger(books.database, book)).toEqual(soundLedger)
  // A history in which nothing is refused would show little.
  expect(Math.min(seen.ok, seen.short, seen.stale)).toBeGreaterThan(decisionsPerSeed / 30)
})

const shortage = fail('INSUFFICIENT_BALANCE')

async function insertTokens(book: Book, model: Model): Promise<string[]> {
  const at = '2026-01-01T00:00:00.000Z'
  const rows = Array.from({ length: 5 }, () => ({
    id: books.world.id('Token'),
    name: 'token',
    client_id: books.world.uuid(),
    secret_hash: '',
    permissions: ['VIEW'],
    created_at: at,
    updated_at: at,
  }))
  const inserts = rows.map((row) => ({ table: 'tokens' as const, row }))
  await books.applier.apply(books.scope(book), { inserts, result: () => null })
  for (const { id } of rows) model.versions.set(id, 1n)
  return rows.map(({ id }) => id)
}

function textForBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
