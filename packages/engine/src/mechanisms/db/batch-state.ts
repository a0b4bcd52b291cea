import { assert } from '@corridor/kernel'
import type { Decision, GuardedTable } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { changedBy } from '../../vocabulary/sequence.ts'
import { availableOf, mustNotGoNegative } from '../ledger/chart.ts'
import { textColumn } from './columns.ts'
import { lockCounters } from './counters.ts'
import { type Connection, type Statement, statement } from './driver.ts'
import { type BatchState, type GuardedRow, type PendingTransfer, rowKey } from './evaluate.ts'
import type { Balance } from './known-balances.ts'
import { findOutdated, reliedRows } from './relied.ts'

/** Made once for each table. A table need not have a status that no guard names. */
const lockStatements = new Map<string, Statement>()

/** `share` is for rows that are only required: those who require the same one need not wait for each other. */
function lockRows(table: GuardedTable, strength: 'update' | 'share', readsStatus: boolean): Statement {
  const name = `lock ${table} for ${strength}${readsStatus ? ' by status' : ''}`
  let known = lockStatements.get(name)
  if (!known) {
    assert(/^[a-z_]+$/.test(table), `${table} is the name of a table`)
    known = statement(
      name,
      `select id, version, ${readsStatus ? 'status' : 'null as status'} from ${table} ` +
        `where platform_id = $1 and environment = $2 and id = any($3::text[]) order by id collate "C" for ${strength}`,
    )
    lockStatements.set(name, known)
  }
  return known
}

/** In the order in which `writeCoreRows` locks them, which is that of JavaScript, whatever the collation. */
const lockLedgerAccounts = statement(
  'lock ledger_accounts',
  `select id, credits_posted - debits_posted - debits_pending as spendable, debits_pending as held, version,
     moved_at as "changedAt", is_frozen as "isFrozen"
   from ledger_accounts
   where platform_id = $1 and environment = $2 and id = any($3::text::text[]) order by id collate "C" for update`,
)

const loadPending = statement(
  'load pending transfers',
  `select t.id, t.debit_account as debit, t.credit_account as credit, t.currency, t.amount as "amountMinor",
     exists (select from ledger_transfers r where r.platform_id = $1 and r.environment = $2
             and r.pending_id = t.id) as resolved
   from ledger_transfers t
   where t.platform_id = $1 and t.environment = $2 and t.kind = 'PENDING' and t.id = any($3::text[])`,
)

/** After the locks, so that the same transfer of another process is seen as well. */
const loadTransferIds = statement(
  'load transfer ids',
  `select id from ledger_transfers
   where platform_id = $1 and environment = $2 and id = any($3::text::text[])`,
)

const lockJobs = statement(
  'lock jobs',
  `select id, claim from jobs
   where platform_id = $1 and environment = $2 and id = any($3::uuid[]) order by id for update`,
)

/** What a batch does not take for sufficient. */
export interface Reads {
  /** Balances of guarded accounts, and the transfers that stand already. */
  readonly balances: boolean
  readonly counters: boolean
  /** Who runs the jobs that are finished. */
  readonly claims: boolean
  /** What decisions rely on. */
  readonly relied: boolean
}

/**
 * Locks and reads what the verdicts of a batch depend on: always the guarded rows and the holds, the rest as
 * `reads` says. Statements that do not need each
 * other's answers are handed over together; a connection runs them in that order.
 */
export async function loadState(
  connection: Connection,
  book: Book,
  decisions: readonly Decision[],
  reads: Reads,
): Promise<BatchState> {
  const { platformId, environment } = book
  const rowIds = new Map<GuardedTable, Set<string>>()
  const updated = new Set<GuardedTable>()
  const accounts = new Set<string>()
  const pendingIds = new Set<string>()
  const guardedByStatus = new Set<GuardedTable>()
  for (const decision of decisions) {
    const { updates = [], requires = [], transfers = [] } = decision
    for (const id of changedBy(decision)) accounts.add(availableOf(id))
    for (const { table } of updates) updated.add(table)
    for (const { table, inTurn } of requires) if (inTurn) updated.add(table)
    for (const { table, id, from } of [...updates, ...requires]) {
      add(rowIds, table, id)
      if (from) guardedByStatus.add(table)
    }
    for (const { debit, credit, pendingId } of transfers) {
      if (mustNotGoNegative(debit)) accounts.add(debit)
      if (mustNotGoNegative(credit)) accounts.add(credit)
      if (pendingId) pendingIds.add(pendingId)
    }
  }

  const rows = new Map<string, GuardedRow>()
  const lockTable = async (table: GuardedTable) => {
    type Locked = { id: string; version: bigint; status: string | null }
    const ids = [...rowIds.get(table)!].sort()
    // One strength for all rows of a table, so that they are locked in one order.
    const lock = lockRows(table, updated.has(table) ? 'update' : 'share', guardedByStatus.has(table))
    const locked = await connection.query<Locked>(lock, [platformId, environment, ids])
    for (const row of locked) rows.set(rowKey(table, row.id), { ...row, table, raised: 0n, set: undefined })
  }
  // One order of tables and of ids for every transaction, so that two never wait for each other in a ring.
  await Promise.all([...rowIds.keys()].sort().map(lockTable))
  type PendingRow = PendingTransfer & { id: string }
  const found =
    pendingIds.size === 0
      ? []
      : await connection.query<PendingRow>(loadPending, [platformId, environment, [...pendingIds]])
  const pending = new Map<string, PendingTransfer>()
  for (const { id, ...transfer } of found) {
    pending.set(id, transfer)
    if (mustNotGoNegative(transfer.debit)) accounts.add(transfer.debit)
    if (mustNotGoNegative(transfer.credit)) accounts.add(transfer.credit)
  }
  const counters = reads.counters
    ? await lockCounters(
        connection,
        book,
        decisions.flatMap(({ counts = [] }) => counts.map(({ counter }) => counter)),
      )
    : undefined
  const claims = reads.claims ? await lockClaims(connection, book, decisions) : undefined
  const relied = reads.relied ? reliedRows(decisions) : undefined
  const outdated =
    relied && relied.size > 0
      ? await findOutdated((...asked) => connection.query(...asked), book, relied)
      : nothing
  if (!reads.balances) return { ...emptyState(), rows, pending, counters, claims, outdated }

  const transfers = decisions.flatMap(({ transfers = [] }) => transfers)
  const [balances, done] = await Promise.all([
    connection.query<Balance & { id: string; isFrozen: boolean }>(lockLedgerAccounts, [
      platformId,
      environment,
      textColumn([...accounts].sort(), (id) => id),
    ]),
    // What is done already was covered when it was done: it must not be refused for want of money now.
    connection.query<{ id: string }>(loadTransferIds, [
      platformId,
      environment,
      textColumn(transfers, ({ id }) => id),
    ]),
  ])
  return {
    ...emptyState(),
    rows,
    pending,
    counters,
    claims,
    outdated,
    balances: new Map(balances.map(({ id, isFrozen: _, ...balance }) => [id, balance])),
    frozen: new Set(balances.filter(({ isFrozen }) => isFrozen).map(({ id }) => id)),
    transferIds: new Set(done.map(({ id }) => id)),
  }
}

const nothing: ReadonlySet<string> = new Set()
const unknown = () => undefined

/** Nothing is read: rows are taken to be as the decisions need them, and balances to be those that are known. */
export function takenForGranted(known: BatchState['known']): BatchState {
  return { ...emptyState(), guards: [], known }
}

export function emptyState(): BatchState {
  return {
    rows: new Map(),
    guards: undefined,
    known: unknown,
    consulted: new Map(),
    counters: undefined,
    claims: undefined,
    outdated: nothing,
    counted: new Map(),
    balances: undefined,
    frozen: nothing,
    unfrozen: new Set(),
    needed: new Map(),
    deltas: new Map(),
    changes: new Map(),
    latestChange: 0,
    pending: new Map(),
    transferIds: new Set(),
  }
}

async function lockClaims(connection: Connection, book: Book, decisions: readonly Decision[]) {
  const ids = decisions.flatMap(({ completes = [] }) => completes.map(({ id }) => id))
  const rows = await connection.query<{ id: string; claim: string | null }>(lockJobs, [
    book.platformId,
    book.environment,
    ids,
  ])
  return new Map(rows.map(({ id, claim }) => [id, claim]))
}

function add<K>(map: Map<K, Set<string>>, key: K, value: string): void {
  const known = map.get(key)
  if (known) known.add(value)
  else map.set(key, new Set([value]))
}
