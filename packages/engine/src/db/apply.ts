import { failed, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import { type Failure, fail } from '../http/errors.ts'
import type { Reply } from '../http/operation.ts'
import { type Book, bookKey, type Recording, type Scope } from '../http/scope.ts'
import { mustNotGoNegative } from '../ledger/chart.ts'
import { textColumn } from './columns.ts'
import {
  type CoreRows,
  coreParameters,
  emptyCoreRows,
  hasCoreRows,
  isUncovered,
  type JobRow,
  writeCoreRows,
} from './core-rows.ts'
import type { Database } from './database.ts'
import type { Applied, Decision, Delete, GuardedTable, InsertTable, NewJob, Row } from './decision.ts'
import { guardedTables, stale } from './decision.ts'

import { type Connection, isSqlError, statement } from './driver.ts'
import {
  BalancesNotRead,
  type BatchState,
  evaluate,
  type LockedRow,
  type PendingTransfer,
  type ResolvedTransfer,
  rowKey,
} from './evaluate.ts'
import { createLanes } from './lanes.ts'
import { deleteRows, insertRows, updateRows } from './write.ts'

/** What apply needs of the engine. */
export interface ApplyContext {
  readonly database: Database
  readonly world: { now(): Instant; uuid(): string; id(kind: 'Webhook'): string }
  /** Called after a commit that left work for the background loops. */
  readonly wake: (what: 'jobs' | 'events') => void
}

export interface Applier {
  /**
   * Commits a decision whole or not at all. Decisions of one book that arrive while a batch is in flight
   * form the next batch and share its transaction; each is decided in order and refused on its own.
   */
  apply<T>(scope: Scope, decision: Decision<T>): Promise<Applied<T>>
}

const maxBatch = 512

/** A second batch decides while the first waits for the disk. PGlite has one connection to use. */
const lanesOf = { postgresql: 2, pglite: 1 } as const

interface Member {
  /** Keys of the rows, transfers and guarded ledger accounts that it changes. */
  readonly touches: readonly string[]
  readonly scope: Scope
  readonly decision: Decision
  readonly settle: (outcome: Applied<unknown>) => void
  readonly reject: (error: unknown) => void
}

export function createApplier(context: ApplyContext): Applier {
  const books = new Map<string, ReturnType<typeof createLanes<Member>>>()

  function lanesFor(book: Book) {
    const key = bookKey(book)
    let known = books.get(key)
    if (!known) {
      known = createLanes<Member>({
        lanes: lanesOf[context.database.kind],
        maxBatch,
        run: (batch) => applyBatch(context, book, batch),
        onIdle: () => books.delete(key),
      })
      books.set(key, known)
    }
    return known
  }

  return {
    apply<T>(scope: Scope, decision: Decision<T>): Promise<Applied<T>> {
      return new Promise((resolve, reject) => {
        lanesFor(scope).add({
          scope,
          decision,
          touches: touchesOf(decision),
          settle: resolve as (outcome: Applied<unknown>) => void,
          reject,
        })
      })
    },
  }
}

function touchesOf(decision: Decision): string[] {
  const touches: string[] = []
  for (const { table, id } of decision.updates ?? []) touches.push(rowKey(table, id))
  for (const { id, pendingId, debit, credit } of decision.transfers ?? []) {
    touches.push(id)
    if (pendingId) touches.push(pendingId)
    if (mustNotGoNegative(debit)) touches.push(debit)
    if (mustNotGoNegative(credit)) touches.push(credit)
  }
  return touches
}

async function applyBatch(context: ApplyContext, book: Book, members: readonly Member[]): Promise<void> {
  try {
    const outcomes = await commitBatch(context, book, members)
    for (const [index, member] of members.entries()) member.settle(outcomes[index]!)
    wakeFor(context, members)
  } catch (error) {
    const [only] = members
    if (members.length > 1) {
      // One member broke the statement for all. Halves find it in few transactions and keep the order.
      const half = Math.ceil(members.length / 2)
      await applyBatch(context, book, members.slice(0, half))
      await applyBatch(context, book, members.slice(half))
      return
    }
    const refusal = constraintRefusal(error, only!.decision)
    if (refusal) only!.settle(failed(refusal))
    else only!.reject(error)
  }
}

function wakeFor(context: ApplyContext, members: readonly Member[]): void {
  if (members.some(({ decision }) => decision.jobs?.length)) context.wake('jobs')
  // An event that changed may be due again, or make room for the next one of its resource.
  const isForRelay = ({ decision }: Member) =>
    decision.events?.length || decision.updates?.some(({ table }) => table === 'events')
  if (members.some(isForRelay)) context.wake('events')
}

/** A transfer of the batch stands in the ledger already. */
function isRepeated(error: unknown): boolean {
  return isSqlError(error) && error.constraint === 'ledger_transfers_pkey'
}

/** What a violated constraint means to the one decision that violated it. */
function constraintRefusal(error: unknown, decision: Decision) {
  if (!isSqlError(error) || !['23505', '23514'].includes(error.code)) return undefined
  const { constraint = '' } = error
  const named = decision.unique?.[constraint]
  if (named) return named === 'stale' ? stale : named
  return raceConstraints.has(constraint) ? stale : undefined
}

/** Violated only when somebody else did the same at the same moment: the facts answer the second time. */
const raceConstraints = new Set([
  'ledger_accounts_covered',
  'ledger_transfers_pkey',
  'ledger_transfers_resolution',
  'idempotency_keys_pkey',
])

/**
 * One transaction: lock, decide in order, write. Balances are first taken for sufficient, which nearly
 * always holds, and transfers for new, so that nothing has to be read before it is written; when the write
 * finds otherwise, nothing has happened yet, and the batch is decided once more with all of it locked and known.
 */
async function commitBatch(
  context: ApplyContext,
  book: Book,
  members: readonly Member[],
): Promise<Applied<unknown>[]> {
  if (!members.some(needsBalances)) {
    try {
      return await decideAndWrite(context, book, members, { readsBalances: false })
    } catch (error) {
      if (!isUncovered(error) && !isRepeated(error) && !(error instanceof BalancesNotRead)) throw error
    }
  }
  return decideAndWrite(context, book, members, { readsBalances: true })
}

async function decideAndWrite(
  context: ApplyContext,
  book: Book,
  members: readonly Member[],
  { readsBalances }: { readsBalances: boolean },
): Promise<Applied<unknown>[]> {
  const decide = (state: BatchState) => {
    const output = emptyOutput()
    const outcomes = members.map(({ scope, decision }) => {
      const verdict = evaluate(state, decision)
      if (!verdict.accepted) return failed(verdict.failure)
      const { refusal } = decision
      const outcome: Result<unknown, Failure> = refusal ? failed(refusal) : ok(decision.result(verdict.after))
      collect(context, output, scope, decision, verdict, outcome)
      return outcome
    })
    return { state, output, outcomes }
  }
  let decided: ReturnType<typeof decide> | undefined
  if (!readsBalances && members.every(({ decision }) => writesCoreRowsOnly(decision))) {
    decided = decide(emptyState())
    await context.database.write(
      book,
      writeCoreRows,
      coreParameters(book, decided.state, decided.output.core),
    )
  } else {
    await context.database.transact(book, async (connection) => {
      decided = decide(await loadState(connection, book, members, { readsBalances }))
      await write(connection, book, decided.state, decided.output)
      return ok(null)
    })
  }
  const { outcomes, output } = decided!
  // Only now: an answer whose transaction was rolled back must be recorded by the one that follows it.
  for (const [recording, stored] of output.answers) recording.stored = stored
  return outcomes
}

/** Holds are resolved, and events that show a balance are rendered, only from balances that are known. */
function needsBalances({ decision: { transfers = [], events = [] } }: Member): boolean {
  return (
    transfers.some(({ pendingId }) => pendingId !== undefined) ||
    events.some(({ data }) => typeof data === 'function')
  )
}

/** One statement is enough then. A member of a decision that is not named here needs more. */
function writesCoreRowsOnly(decision: Decision): boolean {
  for (const [member, value] of Object.entries(decision)) {
    if (!coreMembers.has(member) && Array.isArray(value) && value.length > 0) return false
  }
  return true
}

const coreMembers: ReadonlySet<string> = new Set<keyof Decision>(['transfers', 'events', 'jobs'])

// --- loading -------------------------------------------------------------------------------------

const lockRows = Object.fromEntries(
  Object.entries(guardedTables).map(([table, { status }]) => [
    table,
    statement(
      `lock ${table}`,
      `select id, version, ${status ? 'status' : 'null as status'} from ${table} ` +
        'where platform_id = $1 and environment = $2 and id = any($3::text[]) order by id for update',
    ),
  ]),
) as Record<GuardedTable, ReturnType<typeof statement>>

const lockLedgerAccounts = statement(
  'lock ledger_accounts',
  `select id, credits_posted - debits_posted - debits_pending as spendable from ledger_accounts
   where platform_id = $1 and environment = $2 and id = any($3::text::text[]) order by id for update`,
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

async function loadState(
  connection: Connection,
  book: Book,
  members: readonly Member[],
  { readsBalances }: { readsBalances: boolean },
): Promise<BatchState> {
  const rowIds = new Map<GuardedTable, Set<string>>()
  const accounts = new Set<string>()
  const pendingIds = new Set<string>()
  for (const { decision } of members) {
    for (const { table, id } of decision.updates ?? []) add(rowIds, table, id)
    for (const transfer of decision.transfers ?? []) {
      for (const account of [transfer.debit, transfer.credit]) {
        if (mustNotGoNegative(account)) accounts.add(account)
      }
      if (transfer.pendingId) pendingIds.add(transfer.pendingId)
    }
  }

  const rows = new Map<string, LockedRow>()
  // One order of tables and of ids for every transaction, so that two never wait for each other in a ring.
  for (const table of [...rowIds.keys()].sort()) {
    const ids = [...rowIds.get(table)!].sort()
    const locked = await connection.query<{ id: string; version: bigint; status: string | null }>(
      lockRows[table],
      [book.platformId, book.environment, ids],
    )
    for (const row of locked) rows.set(rowKey(table, row.id), { ...row, table, set: undefined })
  }
  const pending = new Map<string, PendingTransfer>()
  if (pendingIds.size > 0) {
    type PendingRow = PendingTransfer & { id: string }
    const found = await connection.query<PendingRow>(loadPending, [
      book.platformId,
      book.environment,
      [...pendingIds],
    ])
    for (const { id, ...transfer } of found) {
      pending.set(id, transfer)
      for (const account of [transfer.debit, transfer.credit])
        if (mustNotGoNegative(account)) accounts.add(account)
    }
  }
  const counters = await lockCounters(connection, book, members)
  if (!readsBalances) return { ...emptyState(), rows, pending, counters }
  const spendable = new Map<string, bigint>()
  if (accounts.size > 0) {
    const found = await connection.query<{ id: string; spendable: bigint }>(lockLedgerAccounts, [
      book.platformId,
      book.environment,
      textColumn([...accounts].sort(), (id) => id),
    ])
    for (const row of found) spendable.set(row.id, row.spendable)
  }
  // What is done already was covered when it was done: it must not be refused for want of money now.
  const transfers = members.flatMap(({ decision }) => decision.transfers ?? [])
  const done = await connection.query<{ id: string }>(loadTransferIds, [
    book.platformId,
    book.environment,
    textColumn(transfers, ({ id }) => id),
  ])
  const transferIds = new Set(done.map(({ id }) => id))
  return { ...emptyState(), rows, pending, counters, spendable, transferIds }
}

const openCounters = statement(
  'open volume_counters',
  `insert into volume_counters (platform_id, environment, id, used)
   select $1, $2, id, 0 from unnest($3::text[]) id order by id on conflict do nothing`,
)
const lockVolumeCounters = statement(
  'lock volume_counters',
  `select id, used from volume_counters
   where platform_id = $1 and environment = $2 and id = any($3::text[]) order by id for update`,
)
const saveCounters = statement(
  'save volume_counters',
  `update volume_counters c set used = v.used
   from unnest($3::text[], $4::text[]::bigint[]) v(id, used)
   where c.platform_id = $1 and c.environment = $2 and c.id = any($3::text[]) and c.id = v.id`,
)

/** The counters that the batch raises, opened where they are new, so that there is a row to lock. */
async function lockCounters(
  connection: Connection,
  book: Book,
  members: readonly Member[],
): Promise<Map<string, bigint>> {
  const ids = new Set(
    members.flatMap(({ decision }) => (decision.counts ?? []).map(({ counter }) => counter)),
  )
  if (ids.size === 0) return new Map()
  const parameters = [book.platformId, book.environment, [...ids].sort()]
  let found = await connection.query<{ id: string; used: bigint }>(lockVolumeCounters, parameters)
  if (found.length < ids.size) {
    await connection.query(openCounters, parameters)
    found = await connection.query<{ id: string; used: bigint }>(lockVolumeCounters, parameters)
  }
  return new Map(found.map(({ id, used }) => [id, used]))
}

function emptyState(): BatchState {
  return {
    rows: new Map(),
    counters: new Map(),
    spendable: undefined,
    needed: new Map(),
    deltas: new Map(),
    pending: new Map(),
    transferIds: new Set(),
  }
}

function add<K>(map: Map<K, Set<string>>, key: K, value: string): void {
  const known = map.get(key)
  if (known) known.add(value)
  else map.set(key, new Set([value]))
}

// --- writing -------------------------------------------------------------------------------------

interface Output {
  readonly deletes: Map<Delete['table'], Row[]>
  readonly inserts: Map<string, { table: InsertTable; ifAbsent: boolean; rows: Row[] }>
  readonly statements: NonNullable<Decision['statements']>[number][]
  readonly completed: string[]
  readonly core: CoreRows
  /** Answers of idempotent requests that this transaction writes. */
  readonly answers: Map<Recording, StoredAnswer>
}

type StoredAnswer = NonNullable<Recording['stored']>

function emptyOutput(): Output {
  return {
    deletes: new Map(),
    inserts: new Map(),
    statements: [],
    completed: [],
    core: emptyCoreRows(),
    answers: new Map(),
  }
}

/** Adds what an accepted decision writes. */
function collect(
  context: ApplyContext,
  output: Output,
  scope: Scope,
  decision: Decision,
  verdict: { transfers: readonly ResolvedTransfer[]; after: { balance(account: string): bigint } },
  outcome: Result<unknown, Failure>,
): void {
  const book = { platform_id: scope.platformId, environment: scope.environment }
  const at = toTimestamp(scope.now)
  const { core } = output
  core.at = at
  output.statements.push(...(decision.statements ?? []))
  output.completed.push(...(decision.completes ?? []))
  for (const { table, row } of decision.deletes ?? []) {
    const rows = output.deletes.get(table) ?? []
    rows.push({ ...book, ...row })
    output.deletes.set(table, rows)
  }
  for (const { table, row, ifAbsent = false } of decision.inserts ?? []) {
    const key = `${table} ${ifAbsent}`
    let group = output.inserts.get(key)
    if (!group) {
      group = { table, ifAbsent, rows: [] }
      output.inserts.set(key, group)
    }
    group.rows.push({ ...book, ...row })
  }
  for (const transfer of verdict.transfers) core.transfers.push({ transfer, at })
  for (const job of decision.jobs ?? []) core.jobs.push(jobRow(context, scope, job))
  for (const event of decision.events ?? []) {
    const id = context.world.id('Webhook')
    const data = typeof event.data === 'function' ? event.data(verdict.after) : event.data
    core.events.push({
      id,
      type: event.type,
      resourceId: event.resourceId,
      body: JSON.stringify({ id, type: event.type, timestamp: at, data }),
      maxAttempts: event.maxAttempts ?? null,
      at,
      dueAt: toTimestamp(context.world.now()),
    })
  }
  const { recording } = scope
  if (recording && !recording.stored && !output.answers.has(recording)) {
    const answer = outcome.ok
      ? toStored(recording, outcome.value as Reply)
      : recording.refuse(outcome.failure)
    if (!answer) return
    output.answers.set(recording, answer)
    core.answers.push({
      id: recording.key,
      fingerprint: recording.fingerprint,
      status: answer.status,
      body: recording.seal(answer.body),
      at,
      expiresAt: toTimestamp(scope.now + recording.retentionMs),
    })
  }
}

function toStored(recording: Recording, reply: Reply): StoredAnswer {
  return { status: reply.status, body: recording.serialize(reply) }
}

function jobRow(context: ApplyContext, scope: Scope, { kind, payload, key, runAt }: NewJob): JobRow {
  return {
    id: context.world.uuid(),
    kind,
    payload,
    key: key ?? null,
    runAt: toTimestamp(runAt ?? scope.now),
    at: toTimestamp(scope.now),
  }
}

const deleteJobs = statement(
  'complete jobs',
  'delete from jobs where platform_id = $1 and environment = $2 and id = any($3::uuid[])',
)

/** Writes what was collected. Finished jobs go first, because the next one of a payment has the same key. */
async function write(connection: Connection, book: Book, state: BatchState, output: Output): Promise<void> {
  for (const { statement, parameters } of output.statements) await connection.query(statement, parameters)
  const byTable = new Map<GuardedTable, Row[]>()
  for (const row of state.rows.values()) {
    if (!row.set) continue
    const rows = byTable.get(row.table) ?? []
    rows.push({ id: row.id, ...row.set, version: row.version })
    byTable.set(row.table, rows)
  }
  for (const [table, rows] of byTable) await updateRows(connection, book, table, rows)
  for (const [table, rows] of output.deletes) await deleteRows(connection, table, rows)
  for (const { table, ifAbsent, rows } of output.inserts.values()) {
    await insertRows(connection, table, rows, { ifAbsent })
  }
  if (state.counters.size > 0) {
    const ids = [...state.counters.keys()]
    const used = [...state.counters.values()].map(String)
    await connection.query(saveCounters, [book.platformId, book.environment, ids, used])
  }
  if (output.completed.length > 0) {
    await connection.query(deleteJobs, [book.platformId, book.environment, output.completed])
  }
  if (hasCoreRows(output.core)) {
    await connection.query(writeCoreRows, coreParameters(book, state, output.core))
  }
}

const maxRounds = 6

/**
 * Loads facts, decides, applies; and again when somebody changed the facts in between. The rules see
 * the new state the second time and answer for it.
 */
export async function commit<T>(
  applier: Applier,
  scope: Scope,
  decide: () => Promise<Result<Decision<T>, Failure>>,
): Promise<Result<T, Failure>> {
  for (let round = 0; round < maxRounds; round++) {
    const decision = await decide()
    if (!decision.ok) return decision
    const outcome = await applier.apply(scope, decision.value)
    if (outcome.ok) return outcome
    if (outcome.failure.code !== 'STALE') return failed(outcome.failure as Failure)
  }
  return failed(fail('CONFLICT', { reason: 'CONCURRENT_UPDATE' }))
}
