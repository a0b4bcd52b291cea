import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { openTestDatabase } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyState } from './batch-state.ts'
import { coreParameters, emptyCoreRows, writeCoreRows } from './core-rows.ts'
import { statement } from './driver.ts'

const isEmbedded = !process.env.CORRIDOR_TEST_DATABASE_URL

let books: TestBooks
beforeAll(async () => {
  books = createTestBooks(await openTestDatabase())
})
afterAll(() => books.database.close())

describe('the statement of every batch', () => {
  // The embedded database has one session for all lanes, which may join as it likes.
  it.skipIf(isEmbedded)('goes from each id to its account, once the statistics have caught up', async () => {
    const book = await books.open()
    const { platformId, environment } = book
    await books.database.system((connection) =>
      connection.script(
        `insert into ledger_accounts (platform_id, environment, id, currency, must_not_go_negative, moved_at)
         select '${platformId}', '${environment}', 'avail:' || i, 'EUR', true, '2026-01-01'
         from generate_series(1, 3000) i; select corridor_analyze('ledger_accounts')`,
      ),
    )
    const state = emptyState()
    const delta = {
      debitsPosted: 1n,
      creditsPosted: 1n,
      debitsPending: 0n,
      creditsPending: 0n,
      currency: 'EUR',
    }
    for (let i = 1; i <= 50; i++) state.deltas.set(`avail:${i}`, delta)
    const core = { ...emptyCoreRows(), at: Date.UTC(2026, 0, 1) }
    const plan = await books.database.write<{ 'QUERY PLAN': string }>(
      book,
      statement('test.explain', `explain (costs off) ${writeCoreRows.text}`),
      coreParameters(book, state, core),
    )
    const lines = plan.map((row) => row['QUERY PLAN'].trim())
    const scan = lines.findIndex((line) => line.startsWith('->  Index Scan using ledger_accounts_pkey'))
    expect(lines[scan + 1]).toMatch(/^Index Cond: .*\(id = (v|m)\.id\)/)
    expect(lines.filter((line) => line.includes('Scan on ledger_accounts'))).toEqual([])
  })
})
