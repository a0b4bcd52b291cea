import { failed, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import { type Failure, fail } from '../http/errors.ts'
import type { Reply } from '../http/operation.ts'
import { type Book, bookKey, type Recording, type Scope } from '../http/scope.ts'
import { mustNotGoNegative } from '../ledger/chart.ts'
import type { Database } from './database.ts'
import type { Applied, Decision, Delete, GuardedTable, InsertTable, NewJob, Row } from './decision.ts'
import { guardedTables, stale } from './decision.ts'
import { type Connection, isSqlError, statement } from './driver.ts'
import {
  type BatchState,
  evaluate,
  type LedgerTotals,
  type LockedRow,
  type PendingTransfer,
  type ResolvedTransfer,
  rowKey,
} from './evaluate.ts'
import { deleteRows, insertRows, toRecordset, updateRows } from './write.ts'

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

interface Member {
  readonly scope: Scope
  readonly decision: Decision
  readonly settle: (outcome: Applied<unknown>) => void
  readonly reject: (error: unknown) => void
}

export function createApplier(context: ApplyContext): Applier {
  const queues = new Map<string, Member[]>()

  async function drain(book: Book, queue: Member[]): Promise<void> {
    while (queue.length > 0) {
      await applyBatch(context, book, queue.splice(0, maxBatch))
    }
    queues.delete(bookKey(book))
  }

  return {
    apply<T>(scope: Scope, decision: Decision<T>): Promise<Applied<T>> {
      return new Promise((resolve, reject) => {
        const member: Member = {
          scope,
          decision,
          settle: resolve as (outcome: Applied<unknown>) => void,
          reject,
        }
        const queue = queues.get(bookKey(scope))
        if (queue) {
          queue.push(member)
          return
        }
        const fresh = [member]
        queues.set(bookKey(scope), fresh)
        void drain(scope, fresh)
      })
    },
  }
}

async function applyBatch(context: ApplyContext, book: Book, members: readonly Member[]): Promise<void> {
  try {
    const outcomes = await commitBatch(context, book, members)
    for (const [index, member] of members.entries()) member.settle(outcomes[index]!)
    wakeFor(context, members)
  } catch (error) {
    const [only] = members
    if (members.length > 1) {
      // One member broke the statement for all: each gets a transaction of its own.
      for (const member of members) await applyBatch(context, book, [member])
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

/** One transaction: lock, decide in order, write. The values are rendered before the commit. */
async function commitBatch(
  context: ApplyContext,
  book: Book,
  members: readonly Member[],
): Promise<Applied<unknown>[]> {
  type Written = { outcomes: Applied<unknown>[]; answers: Output['answers'] }
  const result = await context.database.transact<Written, never>(book, async (connection) => {
    for (const { decision } of members) {
      for (const { statement, parameters } of decision.statements ?? []) {
        await connection.query(statement, parameters)
      }
    }
    const state = await loadState(connection, book, members)
    const output = emptyOutput()
    const outcomes = members.map(({ scope, decision }) => {
      const verdict = evaluate(state, decision)
      if (!verdict.accepted) return failed(verdict.failure)
      const { refusal } = decision
      const outcome: Result<unknown, Failure> = refusal ? failed(refusal) : ok(decision.result(verdict.after))
      collect(context, output, scope, decision, verdict, outcome)
      return outcome
    })
    await write(connection, book, state, output)
    return ok({ outcomes, answers: output.answers })
  })
  if (!result.ok) throw new Error('a batch does not fail as a whole')
  // Only now: an answer whose transaction was rolled back must be recorded by the one that follows it.
  for (const [recording, stored] of result.value.answers) recording.stored = stored
  return result.value.outcomes
}

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
  `select id, debits_posted as "debitsPosted", credits_posted as "creditsPosted",
     debits_pending as "debitsPending", credits_pending as "creditsPending"
   from ledger_accounts
   where platform_id = $1 and environment = $2 and id = any($3::text[]) order by id for update`,
)

const loadPending = statement(
  'load pending transfers',
  `select t.id, t.debit_account as debit, t.credit_account as credit, t.currency, t.amount as "amountMinor",
     exists (select from ledger_transfers r where r.platform_id = $1 and r.environment = $2
             and r.pending_id = t.id) as resolved
   from ledger_transfers t
   where t.platform_id = $1 and t.environment = $2 and t.kind = 'PENDING' and t.id = any($3::text[])`,
)

async function loadState(
  connection: Connection,
  book: Book,
  members: readonly Member[],
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
    for (const row of locked) rows.set(rowKey(table, row.id), { ...row, table, set: {} })
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
  const totals = new Map<string, LedgerTotals>()
  if (accounts.size > 0) {
    const found = await connection.query<LedgerTotals & { id: string }>(lockLedgerAccounts, [
      book.platformId,
      book.environment,
      [...accounts].sort(),
    ])
    for (const { id, ...row } of found) totals.set(id, row)
  }
  return { rows, totals, deltas: new Map(), pending, transferIds: new Set() }
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
  readonly transfers: Row[]
  readonly jobs: Row[]
  readonly events: Row[]
  readonly idempotency: Row[]
  readonly completed: string[]
  /** Answers of idempotent requests that this transaction writes. */
  readonly answers: Map<Recording, StoredAnswer>
  /** When the youngest decision of the batch was made. */
  at: string
}

function emptyOutput(): Output {
  return {
    deletes: new Map(),
    inserts: new Map(),
    transfers: [],
    jobs: [],
    events: [],
    idempotency: [],
    completed: [],
    answers: new Map(),
    at: '',
  }
}

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
  output.at = at
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
  for (const transfer of verdict.transfers) {
    output.transfers.push({
      ...book,
      id: transfer.id,
      kind: transfer.kind,
      debit_account: transfer.debit,
      credit_account: transfer.credit,
      currency: transfer.currency,
      amount: transfer.amountMinor,
      pending_id: transfer.pendingId,
      created_at: at,
    })
  }
  for (const job of decision.jobs ?? []) output.jobs.push(jobRow(context, scope, job))
  for (const event of decision.events ?? []) {
    const id = context.world.id('Webhook')
    const data = typeof event.data === 'function' ? event.data(verdict.after) : event.data
    output.events.push({
      ...book,
      id,
      type: event.type,
      resource_id: event.resourceId,
      body: JSON.stringify({ id, type: event.type, timestamp: at, data }),
      max_attempts: event.maxAttempts ?? null,
      created_at: at,
      due_at: toTimestamp(context.world.now()),
    })
  }
  output.completed.push(...(decision.completes ?? []))
  const { recording } = scope
  if (recording && !recording.stored) {
    const answer = outcome.ok
      ? toStored(recording, outcome.value as Reply)
      : recording.refuse(outcome.failure)
    output.answers.set(recording, answer)
    output.idempotency.push({
      ...book,
      id: recording.key,
      fingerprint: recording.fingerprint,
      status: answer.status,
      body: recording.seal(answer.body),
      created_at: at,
      expires_at: toTimestamp(scope.now + recording.retentionMs),
    })
  }
}

type StoredAnswer = NonNullable<Recording['stored']>

function toStored(recording: Recording, reply: Reply): StoredAnswer {
  return { status: reply.status, body: recording.serialize(reply) }
}

function jobRow(context: ApplyContext, scope: Scope, job: NewJob): Row {
  const runAt = job.runAt ?? scope.now
  return {
    platform_id: scope.platformId,
    environment: scope.environment,
    id: context.world.uuid(),
    kind: job.kind,
    payload: job.payload,
    key: job.key ?? null,
    run_at: toTimestamp(runAt),
    created_at: toTimestamp(scope.now),
  }
}

/** Accounts that may be new. Deltas are added, so two processes may post to one account at the same moment. */
const upsertLedgerAccounts = statement(
  'upsert ledger_accounts',
  `insert into ledger_accounts as a (platform_id, environment, id, currency, debits_posted, credits_posted,
     debits_pending, credits_pending, must_not_go_negative, moved_at)
   select $1, $2, v.id, v.currency, v.debits_posted, v.credits_posted, v.debits_pending, v.credits_pending,
     v.must_not_go_negative, v.moved_at
   from json_populate_recordset(null::ledger_accounts, $3) v order by v.id
   on conflict (platform_id, environment, id) do update set
     debits_posted = a.debits_posted + excluded.debits_posted,
     credits_posted = a.credits_posted + excluded.credits_posted,
     debits_pending = a.debits_pending + excluded.debits_pending,
     credits_pending = a.credits_pending + excluded.credits_pending,
     moved_at = excluded.moved_at`,
)

/** Accounts that exist. A delta alone would not pass the checks of an insert, even on its way to an update. */
const updateLedgerAccounts = statement(
  'update ledger_accounts',
  `update ledger_accounts a set
     debits_posted = a.debits_posted + v.debits_posted,
     credits_posted = a.credits_posted + v.credits_posted,
     debits_pending = a.debits_pending + v.debits_pending,
     credits_pending = a.credits_pending + v.credits_pending,
     moved_at = v.moved_at
   from json_populate_recordset(null::ledger_accounts, $3) v
   where a.platform_id = $1 and a.environment = $2 and a.id = v.id`,
)

/**
 * A job is due when the book's clock reaches its time; `due_at` is that moment in real time. A second job
 * of the same key makes the first one run as early as the earlier of the two.
 */
const insertJobs = statement(
  'insert jobs',
  `insert into jobs (platform_id, environment, id, kind, payload, key, run_at, due_at, created_at)
   select v.platform_id, v.environment, v.id, v.kind, v.payload, v.key, v.run_at,
     v.run_at - b.clock_offset_ms * interval '1 millisecond', v.created_at
   from json_populate_recordset(null::jobs, $1) v
   join books b on b.platform_id = v.platform_id and b.environment = v.environment
   on conflict (platform_id, environment, kind, key) where key is not null and dead_at is null
   do update set run_at = least(jobs.run_at, excluded.run_at), due_at = least(jobs.due_at, excluded.due_at)`,
)

/** Without an endpoint an event is kept and never sent, whatever is configured later. */
const insertEvents = statement(
  'insert events',
  `insert into events (platform_id, environment, id, type, resource_id, body, status, max_attempts, created_at, due_at)
   select v.platform_id, v.environment, v.id, v.type, v.resource_id, v.body,
     case when c.webhook_endpoint is null then 'STORED' else 'QUEUED' end, v.max_attempts, v.created_at,
     case when c.webhook_endpoint is null then null else v.due_at end
   from json_populate_recordset(null::events, $1) v
   left join platform_configs c on c.platform_id = v.platform_id and c.environment = v.environment`,
)

const deleteJobs = statement(
  'complete jobs',
  'delete from jobs where platform_id = $1 and environment = $2 and id = any($3::uuid[])',
)

async function write(connection: Connection, book: Book, state: BatchState, output: Output): Promise<void> {
  const key = { platform_id: book.platformId, environment: book.environment }
  const byTable = new Map<GuardedTable, Row[]>()
  for (const row of state.rows.values()) {
    if (Object.keys(row.set).length === 0) continue
    const rows = byTable.get(row.table) ?? []
    rows.push({ ...key, id: row.id, ...row.set, version: row.version })
    byTable.set(row.table, rows)
  }
  for (const [table, rows] of byTable) await updateRows(connection, table, rows)
  for (const [table, rows] of output.deletes) await deleteRows(connection, table, rows)
  for (const { table, ifAbsent, rows } of output.inserts.values()) {
    await insertRows(connection, table, rows, { ifAbsent })
  }
  const existing: Row[] = []
  const perhapsNew: Row[] = []
  for (const [id, delta] of state.deltas) {
    if (!isMoved(delta)) continue
    const row = {
      id,
      currency: delta.currency,
      debits_posted: delta.debitsPosted,
      credits_posted: delta.creditsPosted,
      debits_pending: delta.debitsPending,
      credits_pending: delta.creditsPending,
      must_not_go_negative: mustNotGoNegative(id),
      moved_at: output.at,
    }
    const resolvesHold = delta.debitsPending < 0n || delta.creditsPending < 0n
    if (state.totals.has(id) || resolvesHold) existing.push(row)
    else perhapsNew.push(row)
  }
  const { platformId, environment } = book
  if (existing.length > 0) {
    await connection.query(updateLedgerAccounts, [platformId, environment, toRecordset(existing)])
  }
  if (perhapsNew.length > 0) {
    await connection.query(upsertLedgerAccounts, [platformId, environment, toRecordset(perhapsNew)])
  }
  if (output.transfers.length > 0) await insertRows(connection, 'ledger_transfers', output.transfers)
  // A finished job goes first, because the next one of the same payment has the same key.
  if (output.completed.length > 0) {
    await connection.query(deleteJobs, [book.platformId, book.environment, output.completed])
  }
  if (output.jobs.length > 0) await connection.query(insertJobs, [toRecordset(output.jobs)])
  if (output.events.length > 0) await connection.query(insertEvents, [toRecordset(output.events)])
  if (output.idempotency.length > 0) await insertRows(connection, 'idempotency_keys', output.idempotency)
}

function isMoved(totals: LedgerTotals): boolean {
  return (
    totals.debitsPosted !== 0n ||
    totals.creditsPosted !== 0n ||
    totals.debitsPending !== 0n ||
    totals.creditsPending !== 0n
  )
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
