import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Book } from '../../packages/engine/src/vocabulary/scope.ts'
import { accountId, currency } from './book.ts'
import type { Cluster } from './cluster.ts'

/** How a bank's programmer would write it without us: one transaction per transfer. */
export type Style =
  /** BEGIN, two locks, two updates, two inserts, COMMIT: a round trip each. */
  | 'interactive'
  /** One call of a function in the server that does all of it. */
  | 'onecall'
export type Distribution = 'uniform' | 'hot'

export interface Throughput {
  readonly perSecond: number
}

/** pgbench takes every :word for a variable, inside quotes too, so no literal may hold a colon. */
const literal = (text: string) => `('${text.split(':').join("' || chr(58) || '")}')`
const prefix = literal(accountId(0).slice(0, -12))
const account = (variable: string) => `${prefix} || lpad(to_hex(:${variable}::int), 12, '0')`
const newId = (kind: string) => `${literal(`${kind}:`)} || gen_random_uuid()`

/** The same rows that apply writes for a bare transfer with its event, in the same tables. */
const insertTransfer = (id: string, debit: string, credit: string, amount: string, book: string) => `
  insert into ledger_transfers (platform_id, environment, id, kind, debit_account, credit_account, currency, amount, created_at)
    values (${book}, ${id}, 'POSTED', ${debit}, ${credit}, '${currency}', ${amount}, clock_timestamp())`
const insertEvent = (id: string, debit: string, credit: string, amount: string, book: string) => `
  insert into events (platform_id, environment, id, type, resource_id, body, status, created_at)
    values (${book}, ${newId('Webhook')}, 'OUTGOING_PAYMENT.COMPLETED', ${id},
      json_build_object('id', ${id}, 'type', 'OUTGOING_PAYMENT.COMPLETED', 'timestamp', clock_timestamp(),
        'data', json_build_object('id', ${id}, 'amount', ${amount}, 'debit', ${debit}, 'credit', ${credit}))::text,
      'QUEUED', clock_timestamp())`

function interactive({ platformId, environment }: Book): string {
  const book = `'${platformId}', '${environment}'`
  const where = `platform_id = '${platformId}' and environment = '${environment}'`
  const lock = (variable: string) =>
    `select credits_posted, debits_posted, debits_pending from ledger_accounts where ${where} and id = ${account(variable)} for update;`
  const amount = ':amount::bigint'
  return `begin;
${lock('first')}
${lock('second')}
update ledger_accounts set debits_posted = debits_posted + :amount, moved_at = clock_timestamp() where ${where} and id = ${account('debit')};
update ledger_accounts set credits_posted = credits_posted + :amount, moved_at = clock_timestamp() where ${where} and id = ${account('credit')};
${insertTransfer(newId('Transaction'), account('debit'), account('credit'), amount, book).replaceAll('\n', ' ')};
${insertEvent(newId('Transaction'), account('debit'), account('credit'), amount, book).replaceAll('\n', ' ')};
commit;`
}

/** The function behind one call; locks in order of the ids, refuses an overdraft. */
export function transferFunction({ platformId, environment }: Book): string {
  const book = `'${platformId}', '${environment}'`
  const where = `platform_id = '${platformId}' and environment = '${environment}'`
  return `create or replace function bench_transfer(debit text, credit text, amount bigint) returns int language plpgsql as $$
declare transfer text := ${newId('Transaction')};
begin
  perform from ledger_accounts where ${where} and id = least(debit, credit) for update;
  perform from ledger_accounts where ${where} and id = greatest(debit, credit) for update;
  update ledger_accounts set debits_posted = debits_posted + amount, moved_at = clock_timestamp()
    where ${where} and id = debit and credits_posted - debits_posted - debits_pending >= amount;
  if not found then return 1; end if;
  update ledger_accounts set credits_posted = credits_posted + amount, moved_at = clock_timestamp()
    where ${where} and id = credit;
  ${insertTransfer('transfer', 'debit', 'credit', 'amount', book)};
  ${insertEvent('transfer', 'debit', 'credit', 'amount', book)};
  return 0;
end $$`
}

function script(style: Style, distribution: Distribution, accounts: number, book: Book): string {
  const choose =
    distribution === 'hot'
      ? `\\set debit random(2, ${accounts})\n\\set credit 1`
      : `\\set debit random(1, ${accounts})
\\set other random(1, ${accounts - 1})
\\set credit case when :other >= :debit then :other + 1 else :other end`
  const order = '\\set first least(:debit, :credit)\n\\set second greatest(:debit, :credit)'
  const body =
    style === 'interactive'
      ? interactive(book)
      : `select bench_transfer(${account('debit')}, ${account('credit')}, :amount);`
  return `${choose}\n${order}\n\\set amount random(1, 100)\n${body}\n`
}

export interface PgbenchRun {
  readonly database: string
  readonly book: Book
  readonly style: Style
  readonly distribution: Distribution
  readonly accounts: number
  readonly clients: number
  readonly seconds: number
}

/** Runs pgbench with prepared statements and two threads. */
export async function runPgbench(cluster: Cluster, options: PgbenchRun): Promise<Throughput> {
  const { database, book, style, distribution, accounts, clients, seconds } = options
  const directory = await mkdtemp(join(tmpdir(), 'corridor-pgbench-'))
  try {
    const file = join(directory, 'script.sql')
    await writeFile(file, script(style, distribution, accounts, book))
    if (style === 'onecall') {
      await cluster.program('psql', ['-q', '-d', database, '-c', transferFunction(book)])
    }
    const output = await cluster.program('pgbench', [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(clients),
      '-j',
      '2',
      '-T',
      String(seconds),
      '-f',
      file,
      database,
    ])
    const perSecond = Number(/tps = ([\d.]+)/.exec(output)?.[1])
    if (!(perSecond > 0)) throw new Error(`pgbench gave no rate:\n${output}`)
    return { perSecond }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
