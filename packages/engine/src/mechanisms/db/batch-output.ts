import { type Instant, type Result, toTimestamp } from '@corridor/kernel'
import type {
  After,
  Decision,
  Delete,
  GuardedTable,
  InsertTable,
  JobClaim,
  NewJob,
  Row,
} from '../../vocabulary/decision.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { AuditNote, Book, Recording, Scope } from '../../vocabulary/scope.ts'
import { subjectOfResponse } from '../../vocabulary/subject.ts'
import { Words } from '../../vocabulary/words.ts'
import { numberColumn } from './columns.ts'
import {
  type CoreRows,
  coreParameters,
  emptyCoreRows,
  hasCoreRows,
  type JobRow,
  writeCoreRows,
} from './core-rows.ts'
import { addCounted, writeCounters } from './counters.ts'
import { type Connection, type Statement, statement } from './driver.ts'
import type { BatchState, ResolvedTransfer } from './evaluate.ts'
import { deleteRows, insertRows, updateRows } from './write.ts'

interface OutputWorld {
  now(): Instant
  uuid(): string
  id(kind: 'Webhook'): string
}

/** What the accepted decisions of a batch write. */
export interface Output {
  readonly deletes: Map<Delete['table'], Row[]>
  readonly inserts: Map<string, { table: InsertTable; ifAbsent: boolean; rows: Row[] }>
  readonly statements: NonNullable<Decision['statements']>[number][]
  readonly completed: JobClaim[]
  readonly core: CoreRows
  /** Words of these rows, to be sealed before they are written. */
  readonly words: Words[]
  /** Answers of idempotent requests that this transaction writes. */
  readonly answers: Map<Recording, StoredAnswer>
  /** Those that stand already, with what they become. */
  readonly replaced: KeptAnswer[]
  /** The last event of each balance, with the time that it carries. */
  readonly told: Map<string, { readonly id: string; readonly updatedAt: string }>
  /** Lines of the audit log that it writes. */
  readonly notes: Set<AuditNote>
}

type StoredAnswer = NonNullable<Recording['stored']>

/** An answer with the id of its key and its body as it is kept. */
export interface KeptAnswer extends StoredAnswer {
  readonly id: string
  /** The customer whom it tells of. */
  readonly subjectId: string | null
}

export function emptyOutput(): Output {
  return {
    deletes: new Map(),
    inserts: new Map(),
    statements: [],
    completed: [],
    core: emptyCoreRows(),
    words: [],
    answers: new Map(),
    replaced: [],
    told: new Map(),
    notes: new Set(),
  }
}

/** Adds what an accepted decision writes. */
export function collect(
  world: OutputWorld,
  output: Output,
  scope: Scope,
  decision: Decision,
  verdict: { transfers: readonly ResolvedTransfer[]; after: After },
  outcome: Result<unknown, Failure>,
): void {
  const at = scope.now
  const { core } = output
  core.at = at
  output.statements.push(...(decision.statements ?? []))
  output.completed.push(...(decision.completes ?? []))
  for (const { table, row } of decision.deletes ?? []) {
    const rows = output.deletes.get(table) ?? []
    rows.push(row)
    output.deletes.set(table, rows)
  }
  for (const { table, row, ifAbsent = false } of decision.inserts ?? []) {
    const key = `${table} ${ifAbsent}`
    let group = output.inserts.get(key)
    if (!group) {
      group = { table, ifAbsent, rows: [] }
      output.inserts.set(key, group)
    }
    group.rows.push(row)
    if (row.words instanceof Words) output.words.push(row.words)
  }
  for (const { set } of decision.updates ?? []) {
    if (set.words instanceof Words) output.words.push(set.words)
  }
  for (const transfer of verdict.transfers) core.transfers.push({ transfer, at })
  for (const job of decision.jobs ?? []) core.jobs.push(jobRow(world, scope, job))
  for (const event of decision.events ?? []) {
    const id = world.id('Webhook')
    const data = typeof event.data === 'function' ? event.data(verdict.after) : event.data
    if (event.isOfBalance) dropSameTime(output, event.resourceId, id, data as { updatedAt: string })
    const body = JSON.stringify({ id, type: event.type, timestamp: toTimestamp(at), data })
    core.events.push({
      id,
      type: event.type,
      resourceId: event.resourceId,
      body,
      subjectId: event.subjectId,
      sealedFor: null,
      maxAttempts: event.question ? 1 : (event.maxAttempts ?? null),
      question: event.question ?? null,
      at,
    })
  }
  for (const { recording, reply } of decision.answers ?? []) {
    const answer = toStored(recording, reply)
    output.answers.set(recording, answer)
    const subjectId = subjectOfResponse(reply.body)
    output.replaced.push({
      id: recording.key,
      status: answer.status,
      body: recording.seal(answer.body),
      subjectId,
    })
  }
  const { note } = scope.actor
  if (note && !note.isWritten && !output.notes.has(note)) {
    output.notes.add(note)
    core.notes.push(note.toRow(outcome))
    if (note.mark && !scope.recording) core.answers.push({ ...note.mark(scope), subjectId: null })
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
      subjectId: subjectOfResponse(answer.body === '' ? null : JSON.parse(answer.body)),
      at,
      expiresAt: at + recording.retentionMs,
    })
  }
}

/** Changes of one commit that carry one time share an event: the last one, which shows them all. */
function dropSameTime(
  output: Output,
  account: string,
  id: string,
  { updatedAt }: { updatedAt: string },
): void {
  const { events } = output.core
  const before = output.told.get(account)
  if (before?.updatedAt === updatedAt) {
    const index = events.findIndex((event) => event.id === before.id)
    events.splice(index, 1)
  }
  output.told.set(account, { id, updatedAt })
}

function toStored(recording: Recording, reply: Reply): StoredAnswer {
  return { status: reply.status, body: recording.serialize(reply) }
}

function jobRow(world: OutputWorld, scope: Scope, { kind, payload, key, runAt, owner }: NewJob): JobRow {
  return {
    id: owner?.id ?? world.uuid(),
    kind,
    payload,
    key: key ?? null,
    runAt: runAt ?? scope.now,
    at: scope.now,
    claim: owner?.claim ?? null,
    leaseEnd: owner?.leaseEnd ?? null,
    wokenAt: null,
  }
}

const replaceAnswers = statement(
  'idempotency.replace',
  `merge into idempotency_keys k
   using unnest($3::text[], $4::text::int[], $5::text[], $6::text[]) v(id, status, body, subject_id)
   on k.platform_id = $1 and k.environment = $2 and k.id = v.id
   when matched then update set status = v.status, body = v.body, subject_id = v.subject_id`,
)

/** Puts other answers in the place of those that stand. */
export function replacing(book: Book, answers: readonly KeptAnswer[]): [Statement, unknown[]] {
  return [
    replaceAnswers,
    [
      book.platformId,
      book.environment,
      answers.map(({ id }) => id),
      numberColumn(answers, ({ status }) => status),
      answers.map(({ body }) => body),
      answers.map(({ subjectId }) => subjectId),
    ],
  ]
}

/** One that was asked for while it ran stays, as if it had never run. */
const completeJobs = statement(
  'complete jobs',
  `merge into jobs j using unnest($3::uuid[], $4::uuid[]) v(id, claim)
   on j.platform_id = $1 and j.environment = $2 and j.id = v.id
   when matched and j.claim is distinct from v.claim then update set attempts = corridor_overtaken(j.attempts)
   when matched and j.woken_at is not null then update set
     run_at = j.woken_at, attempts = 0, outcomes = 0, claim = null, woken_at = null, last_error = null,
     due_at = j.woken_at - (select clock_offset_ms from books where platform_id = $1 and environment = $2)
       * interval '1 millisecond'
   when matched then delete
   when not matched then insert (id) values (corridor_overtaken(v.id))`,
)

/**
 * Hands over what was collected; the transaction waits for it. The statements run in this order: finished
 * jobs before new ones, because the next one of a payment has the same key; rows that many share (counters,
 * balances) last, so that their locks are held for the commit alone.
 */
export function writeOutput(connection: Connection, book: Book, state: BatchState, output: Output): void {
  for (const { statement, parameters } of output.statements) void connection.query(statement, parameters)
  const byTable = new Map<GuardedTable, { known: Row[]; raised: Row[] }>()
  for (const { table, id, version, raised, set } of state.rows.values()) {
    if (!set) continue
    const rows = byTable.get(table) ?? { known: [], raised: [] }
    byTable.set(table, rows)
    if (version === undefined) rows.raised.push({ id, ...set, version: raised })
    else rows.known.push({ id, ...set, version })
  }
  for (const [table, { known, raised }] of byTable) {
    updateRows(connection, book, table, known)
    updateRows(connection, book, table, raised, { isVersionAdded: true })
  }
  for (const [table, rows] of output.deletes) deleteRows(connection, book, table, rows)
  for (const { table, ifAbsent, rows } of output.inserts.values()) {
    insertRows(connection, book, table, rows, { ifAbsent })
  }
  if (output.completed.length > 0) {
    const claims = [...output.completed].sort((a, b) => (a.id < b.id ? -1 : 1))
    void connection.query(completeJobs, [
      book.platformId,
      book.environment,
      claims.map(({ id }) => id),
      claims.map(({ claim }) => claim),
    ])
  }
  if (output.replaced.length > 0) void connection.query(...replacing(book, output.replaced))
  if (state.counters && state.counters.size > 0) void writeCounters(connection, book, state.counters)
  if (state.counted.size > 0) void addCounted(connection, book, state.counted)
  if (hasCoreRows(output.core)) {
    void connection.query(writeCoreRows, coreParameters(book, state, output.core))
  }
}
