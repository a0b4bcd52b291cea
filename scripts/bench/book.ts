import { join } from 'node:path'
import { createDatabase, type Database } from '../../packages/engine/src/mechanisms/db/database.ts'
import type { Driver } from '../../packages/engine/src/mechanisms/db/driver.ts'
import { migrate, readMigrations } from '../../packages/engine/src/mechanisms/db/migrate.ts'
import type { Book, Scope } from '../../packages/engine/src/vocabulary/scope.ts'

const migrations = join(process.cwd(), 'packages/engine/migrations')

export const openingMinor = 1_000_000_000n
export const currency = 'EUR'
/** The account that receives everything in the hot runs. */
export const hotAccount = 1

/** Accounts are numbered, so that pgbench and we can name any of them without a look-up. */
export function accountId(number: number): string {
  return `avail:InternalAccount:01930000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
}

export async function prepareDatabase(driver: Driver): Promise<Database> {
  const database = createDatabase(driver)
  await migrate(database, await readMigrations(migrations))
  return database
}

export function benchScope(book: Book, now: number): Scope {
  return { ...book, actor: { id: 'bench', permissions: ['TRANSACT'] }, now }
}

/** A book with this many funded accounts and a rail account that owes their sum. */
export async function seedBook(database: Database, book: Book, accounts: number): Promise<void> {
  // It takes longer than anything a request waits for.
  await database.maintenance(async (connection) => {
    const { platformId, environment } = book
    const prefix = accountId(0).slice(0, -12)
    await connection.script(`
      insert into platforms (id, name, is_regulated, skip_paperwork, created_at)
        values ('${platformId}', '${platformId}', false, true, '2026-01-01');
      insert into books (platform_id, environment) values ('${platformId}', '${environment}');
      insert into platform_configs (platform_id, environment, id, uma_domain, webhook_endpoint,
          supported_currencies, created_at, updated_at)
        values ('${platformId}', '${environment}', 'PlatformConfig:${platformId}', 'bench.test',
          'https://receiver.test/hook', '[]', '2026-01-01', '2026-01-01');
      insert into ledger_accounts (platform_id, environment, id, currency, credits_posted,
          must_not_go_negative, moved_at)
        select '${platformId}', '${environment}', '${prefix}' || lpad(to_hex(i), 12, '0'), '${currency}',
          ${openingMinor}, true, '2026-01-01' from generate_series(1, ${accounts}) i;
      insert into ledger_transfers (platform_id, environment, id, kind, debit_account, credit_account, currency,
          amount, created_at)
        select '${platformId}', '${environment}', 'opening:' || i, 'POSTED', 'rail:BENCH:${currency}',
          '${prefix}' || lpad(to_hex(i), 12, '0'), '${currency}', ${openingMinor}, '2026-01-01'
        from generate_series(1, ${accounts}) i;
      insert into tokens (platform_id, environment, id, name, client_id, secret_hash, permissions, created_at,
          updated_at)
        select '${platformId}', '${environment}', 'Token:bench:' || i, 'guarded row', '${platformId}' || i, '',
          '{VIEW}', '2026-01-01', '2026-01-01' from generate_series(1, least(${accounts}, 100000)) i;
      insert into ledger_accounts (platform_id, environment, id, currency, debits_posted,
          must_not_go_negative, moved_at)
        values ('${platformId}', '${environment}', 'rail:BENCH:${currency}', '${currency}',
          ${openingMinor * BigInt(accounts)}, false, '2026-01-01')`)
  })
  await database.asLogin((connection) =>
    connection.script('vacuum analyze ledger_accounts, ledger_transfers, tokens'),
  )
}
