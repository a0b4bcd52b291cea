import { createApplier } from '@corridor/engine/mechanisms/db/apply.ts'
import { createDatabase, type Database } from '@corridor/engine/mechanisms/db/database.ts'
import { type Driver, statement } from '@corridor/engine/mechanisms/db/driver.ts'
import type { Transfer } from '@corridor/engine/vocabulary/decision.ts'
import type { Book, SilentScope } from '@corridor/engine/vocabulary/scope.ts'
import { type SimWorld, simWorld } from './sim-world.ts'

/** A database and an applier without a server round them: for tests of the mechanisms themselves. */
export interface TestBooks {
  readonly database: Database
  readonly world: SimWorld
  readonly applier: ReturnType<typeof createApplier>
  /** What `wake` was called with since the last look. */
  woken(): string[]
  /** A new book of a new platform. */
  open(options?: { webhookEndpoint?: string }): Promise<Book>
  scope(book: Book): SilentScope
  /** Puts money into an account, from a rail account that owes it. */
  fund(book: Book, account: string, amountMinor: bigint, currency?: string): Promise<void>
  balances(book: Book): Promise<Record<string, { postedMinor: bigint; spendableMinor: bigint }>>
  /** Rows of any table of one book, past the row-level policies, in the order of a column. */
  rows<R = Record<string, unknown>>(book: Book, table: string, order?: string): Promise<R[]>
}

export function createTestBooks(driver: Driver, seed = 1): TestBooks {
  const database = createDatabase(driver)
  const world = simWorld(seed)
  const wakes: string[] = []
  const applier = createApplier({ database, world, wake: (what) => wakes.push(what) })

  const books: TestBooks = {
    database,
    world,
    applier,
    woken: () => wakes.splice(0),
    async open({ webhookEndpoint } = {}) {
      const book: Book = { platformId: world.uuid(), environment: 'SANDBOX' }
      const { platformId, environment } = book
      await database.system(async (connection) => {
        await connection.query(
          statement(
            'test.platform',
            `insert into platforms (id, name, is_regulated, skip_paperwork, created_at)
             values ($1::uuid, $1::text, false, true, '2026-01-01')`,
          ),
          [platformId],
        )
        await connection.query(
          statement('test.book', 'insert into books (platform_id, environment) values ($1, $2)'),
          [platformId, environment],
        )
        await connection.query(
          statement(
            'test.configuration',
            `insert into platform_configs (platform_id, environment, id, uma_domain, webhook_endpoint,
               supported_currencies, created_at, updated_at)
             values ($1, $2, $3, $4, $5, '[]', '2026-01-01', '2026-01-01')`,
          ),
          [
            platformId,
            environment,
            `PlatformConfig:${platformId}`,
            `${platformId}.test`,
            webhookEndpoint ?? null,
          ],
        )
      })
      return book
    },
    scope: (book) => ({ ...book, actor: { id: 'test', permissions: ['TRANSACT'] }, now: world.now() }),
    async fund(book, account, amountMinor, currency = 'EUR') {
      const transfer: Transfer = {
        id: `fund:${world.uuid()}`,
        debit: `rail:TEST:${currency}`,
        credit: account,
        currency,
        amountMinor,
      }
      const outcome = await applier.apply(books.scope(book), { transfers: [transfer], result: () => null })
      if (!outcome.ok) throw new Error(`funding ${account} was refused: ${outcome.failure.code}`)
    },
    async balances(book) {
      type Row = { id: string; posted: bigint; spendable: bigint }
      const rows = await database.read<Row>(
        book,
        statement(
          'test.balances',
          `select id, credits_posted - debits_posted as posted,
             credits_posted - debits_posted - debits_pending as spendable
           from ledger_accounts where platform_id = $1 and environment = $2`,
        ),
        [book.platformId, book.environment],
      )
      return Object.fromEntries(
        rows.map(({ id, posted, spendable }) => [id, { postedMinor: posted, spendableMinor: spendable }]),
      )
    },
    rows(book, table, order = 'id') {
      return database.system((connection) =>
        connection.query(
          statement(
            `test.rows ${table} ${order}`,
            `select * from ${table} where platform_id = $1 and environment = $2 order by ${order}`,
          ),
          [book.platformId, book.environment],
        ),
      )
    },
  }
  return books
}
