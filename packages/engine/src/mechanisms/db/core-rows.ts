import { type Instant, toTimestamp } from '@corridor/kernel'
import type { Question } from '../../vocabulary/decision.ts'
import type { AuditRow, Book } from '../../vocabulary/scope.ts'
import { mustNotGoNegative } from '../ledger/chart.ts'
import { jsonColumn, numberColumn, splitJson, textColumn, toTime } from './columns.ts'
import { isSqlError, statement } from './driver.ts'
import { type BatchState, type LedgerDelta, lastChange, type ResolvedTransfer } from './evaluate.ts'

/** The rows that nearly every decision writes, whatever it is about. */
export interface CoreRows {
  readonly transfers: { readonly transfer: ResolvedTransfer; readonly at: Instant }[]
  readonly events: EventRow[]
  readonly jobs: JobRow[]
  readonly answers: AnswerRow[]
  /** Lines for the audit log. */
  readonly notes: AuditRow[]
  /** When the youngest decision of the batch was made. */
  at: Instant
}

export interface EventRow {
  readonly id: string
  readonly type: string
  readonly resourceId: string
  /** JSON text, final from here on, and sealed before it is written. */
  body: string
  /** The customer with whose key it is sealed; null: the installation's. */
  sealedFor: string | null
  /** The customer whom it tells of. */
  readonly subjectId: string | null
  readonly maxAttempts: number | null
  readonly question: Question | null
  readonly at: Instant
}

export interface JobRow {
  readonly id: string
  readonly kind: string
  readonly payload: object
  readonly key: string | null
  readonly runAt: Instant
  readonly at: Instant
  /** The token of an owner who runs it himself, and the real time at which others may. */
  readonly claim: string | null
  readonly leaseEnd: Instant | null
  /** When it is to run once more. */
  readonly wokenAt: Instant | null
}

/** The answer to an idempotent request (conventions 6). */
export interface AnswerRow {
  readonly id: string
  readonly fingerprint: string
  readonly status: number
  /** JSON text, or empty. */
  readonly body: string
  /** The customer whom it tells of. */
  readonly subjectId: string | null
  readonly at: Instant
  readonly expiresAt: Instant
}

/**
 * All of them in one statement and one round trip. Its parts touch different tables, so they need not see
 * each other; a part without rows costs next to nothing.
 *
 * Transfers and events go in first, so that the lock on a hot account is held for its own update and the
 * commit alone: while one batch waits for it, its rows are written already.
 *
 * Amounts are added to what an account has, in the order of the ids, so that two processes may post to the
 * same accounts at the same moment. An account that is not there is opened; one that lacks what it needs
 * fails the whole. MERGE does both in one pass, and its outer join locks in the order of the list. Without
 * statistics the planner expects a book to have one account and reads all of them (statistics.ts).
 */
export const writeCoreRows = statement(
  'apply.writeCoreRows',
  `with posted as (
     insert into ledger_transfers (platform_id, environment, id, kind, debit_account, credit_account, currency,
       amount, pending_id, created_at)
     select $1, $2, v.id, coalesce(v.kind, 'POSTED'), v.debit_account, v.credit_account, v.currency, v.amount,
       v.pending_id, ${toTime('v.created_at')}
     from unnest($12::text::text[], $13::text::text[], $14::text::text[], $15::text::text[], $16::text::text[],
         $17::text::bigint[], $18::text::text[], $19::text::bigint[])
       v(id, kind, debit_account, credit_account, currency, amount, pending_id, created_at)
     returning 1
   ), told as (
     insert into events (platform_id, environment, id, type, resource_id, body, max_attempts, created_at, question,
       subject_id, sealed_for, status)
     select $1, $2, v.id, v.type, v.resource_id, v.body, v.max_attempts, ${toTime('v.created_at')},
       v.question::jsonb, v.subject_id, v.sealed_for,
       -- Without an endpoint an event is kept and never sent, whatever is configured later. What asks something was
       -- let in because somebody listens.
       case when w.endpoint is null and v.question is null then 'STORED' else 'QUEUED' end
     from unnest($20::text::text[], $21::text::text[], $22::text::text[], ${splitJson('$23')},
         $24::text::int[], $25::text::bigint[], ${splitJson('$41')}, $44::text::text[],
         $46::text::text[])
       v(id, type, resource_id, body, max_attempts, created_at, question, subject_id, sealed_for)
     cross join (select (select webhook_endpoint from platform_configs
                         where platform_id = $1 and environment = $2) as endpoint) w
     returning 1
   ), enqueued as (
     insert into jobs (platform_id, environment, id, kind, key, run_at, created_at, payload, claim, attempts,
       woken_at, due_at)
     select $1, $2, v.id, v.kind, v.key, ${toTime('v.run_at')}, ${toTime('v.created_at')}, v.payload::jsonb,
       v.claim, case when v.claim is null then 0 else 1 end, ${toTime('v.woken_at')},
       -- A job is due when the book's clock reaches its time, or when its owner's lease ends; due_at is that
       -- moment in real time.
       ${toTime('coalesce(v.lease_end, v.run_at - b.clock_offset_ms)')}
     from unnest($26::text::uuid[], $27::text::text[], $28::text::text[], $29::text::bigint[],
         $30::text::bigint[], ${splitJson('$31')}, $38::text::uuid[], $39::text::bigint[], $40::text::bigint[])
       v(id, kind, key, run_at, created_at, payload, claim, lease_end, woken_at)
     join books b on b.platform_id = $1 and b.environment = $2
     on conflict (platform_id, environment, kind, key) where key is not null and dead_at is null
     -- A second job of the same key makes one that waits run as early as the earlier of the two, also where it
     -- waits for another attempt. One that runs remembers, and an owner takes over one that was never tried.
     do update set
       run_at = case when jobs.claim is null then least(jobs.run_at, excluded.run_at) else jobs.run_at end,
       due_at = case
         when jobs.claim is not null then jobs.due_at
         when jobs.attempts = 0 and excluded.claim is not null then excluded.due_at
         else least(jobs.due_at, excluded.due_at) end,
       woken_at = case when jobs.claim is null then excluded.woken_at
                  else least(jobs.woken_at, excluded.run_at, excluded.woken_at) end,
       id = case when jobs.attempts = 0 and excluded.claim is not null then excluded.id else jobs.id end,
       claim = case when jobs.attempts = 0 then excluded.claim else jobs.claim end,
       attempts = case when jobs.attempts = 0 then excluded.attempts else jobs.attempts end
   ), answered as (
     insert into idempotency_keys (platform_id, environment, id, fingerprint, status, created_at, expires_at, body,
       subject_id)
     select $1, $2, v.id, v.fingerprint, v.status, ${toTime('v.created_at')}, ${toTime('v.expires_at')},
       coalesce(v.body, ''), v.subject_id
     from unnest($32::text::text[], $33::text::text[], $34::text::int[], $35::text::bigint[],
         $36::text::bigint[], ${splitJson('$37')}, $45::text::text[])
       v(id, fingerprint, status, created_at, expires_at, body, subject_id)
   ), noted as (
     insert into audit_inbox (platform_id, environment, id, entry)
     select $1, $2, v.id, v.entry from unnest($42::text::text[], ${splitJson('$43')}) v(id, entry)
   )
   merge into ledger_accounts a
   using (
     select v.id, v.currency, coalesce(v.must_not_go_negative, true) as must_not_go_negative,
       v.debits_posted, v.credits_posted, coalesce(v.debits_pending, 0) as debits_pending,
       coalesce(v.credits_pending, 0) as credits_pending, v.needed, v.spendable, v.held, v.version,
       coalesce(v.changes, 0) as changes, ${toTime('v.changed_at')} as changed_at,
       coalesce(v.must_be_unfrozen, false) as must_be_unfrozen
     from unnest($4::text::text[], $5::text::text[], $6::text::boolean[], $7::text::bigint[],
         $8::text::bigint[], $9::text::bigint[], $10::text::bigint[], $11::text::bigint[],
         $47::text::bigint[], $48::text::bigint[], $49::text::bigint[], $50::text::bigint[], $51::text::bigint[],
         $53::text::boolean[])
       v(id, currency, must_not_go_negative, debits_posted, credits_posted, debits_pending, credits_pending, needed,
         spendable, held, version, changes, changed_at, must_be_unfrozen)
     -- Asks for them, so that they come first.
     where (select count(*) from posted) + (select count(*) from told) >= 0
   ) m
   on a.platform_id = $1 and a.environment = $2 and a.id = m.id
   when matched and m.needed > 0 and a.credits_posted - a.debits_posted - a.debits_pending < m.needed then
     update set moved_at = corridor_uncovered(a.moved_at)
   when matched and m.must_be_unfrozen and a.is_frozen then update set moved_at = corridor_frozen(a.moved_at)
   -- What an event shows was made from a balance that is another one.
   when matched and (a.credits_posted - a.debits_posted - a.debits_pending <> m.spendable or a.debits_pending <> m.held
       or a.version <> m.version) then
     update set moved_at = corridor_mistaken(a.moved_at)
   when matched then update set
     debits_posted = a.debits_posted + m.debits_posted,
     credits_posted = a.credits_posted + m.credits_posted,
     debits_pending = a.debits_pending + m.debits_pending,
     credits_pending = a.credits_pending + m.credits_pending,
     version = a.version + m.changes,
     -- As in changes.ts, for changes that nobody is told of. Of the rest of the accounts it is the time of the last posting.
     moved_at = coalesce(m.changed_at, case when m.changes = 0 then greatest(a.moved_at, $3) else
       greatest($3, a.moved_at, least(a.moved_at + interval '1 millisecond', $52)) end)
   when not matched then
     insert (platform_id, environment, id, currency, must_not_go_negative,
       debits_posted, credits_posted, debits_pending, credits_pending, version, moved_at)
     values ($1, $2, m.id, m.currency, m.must_not_go_negative,
       m.debits_posted, m.credits_posted, m.debits_pending, m.credits_pending, m.changes,
       case when m.needed > 0 then corridor_uncovered($3::timestamptz)
         when m.spendable <> 0 or m.held <> 0 or m.version <> 0 then corridor_mistaken($3::timestamptz)
         else coalesce(m.changed_at, $3) end)`,
)

export function emptyCoreRows(): CoreRows {
  return { transfers: [], events: [], jobs: [], answers: [], notes: [], at: 0 }
}

export function hasCoreRows({ transfers, events, jobs, answers, notes }: CoreRows): boolean {
  return transfers.length + events.length + jobs.length + answers.length + notes.length > 0
}

export function coreParameters(book: Book, state: BatchState, rows: CoreRows): unknown[] {
  const { transfers, events, answers, notes, at } = rows
  const jobs = onePerKey(rows.jobs)
  // What was read is locked, and stays as it is; a row that was not there cannot be locked.
  const { balances, consulted } = state
  const isRelied = (id: string) => consulted.has(id) && !balances?.has(id)
  const relied = new Map([...consulted].filter(([id]) => isRelied(id)))
  const moved = movedAccounts(state, relied)
  return [
    book.platformId,
    book.environment,
    toTimestamp(at),
    textColumn(moved, ({ id }) => id),
    textColumn(moved, ({ delta }) => delta.currency),
    textColumn(moved, ({ id }) => (mustNotGoNegative(id) ? 't' : 'f'), 't'),
    numberColumn(moved, ({ delta }) => delta.debitsPosted),
    numberColumn(moved, ({ delta }) => delta.creditsPosted),
    numberColumn(moved, ({ delta }) => delta.debitsPending, 0n),
    numberColumn(moved, ({ delta }) => delta.creditsPending, 0n),
    numberColumn(moved, ({ id }) => state.needed.get(id) ?? 0n),
    textColumn(transfers, ({ transfer }) => transfer.id),
    textColumn(transfers, ({ transfer }) => transfer.kind, 'POSTED'),
    textColumn(transfers, ({ transfer }) => transfer.debit),
    textColumn(transfers, ({ transfer }) => transfer.credit),
    textColumn(transfers, ({ transfer }) => transfer.currency),
    numberColumn(transfers, ({ transfer }) => transfer.amountMinor),
    textColumn(transfers, ({ transfer }) => transfer.pendingId, null),
    numberColumn(transfers, ({ at }) => at),
    textColumn(events, ({ id }) => id),
    textColumn(events, ({ type }) => type),
    textColumn(events, ({ resourceId }) => resourceId),
    jsonColumn(events, ({ body }) => body),
    numberColumn(events, ({ maxAttempts }) => maxAttempts, null),
    numberColumn(events, ({ at }) => at),
    textColumn(jobs, ({ id }) => id),
    textColumn(jobs, ({ kind }) => kind),
    textColumn(jobs, ({ key }) => key),
    numberColumn(jobs, ({ runAt }) => runAt),
    numberColumn(jobs, ({ at }) => at),
    jsonColumn(jobs, ({ payload }) => JSON.stringify(payload)),
    textColumn(answers, ({ id }) => id),
    textColumn(answers, ({ fingerprint }) => fingerprint),
    numberColumn(answers, ({ status }) => status),
    numberColumn(answers, ({ at }) => at),
    numberColumn(answers, ({ expiresAt }) => expiresAt),
    jsonColumn(answers, ({ body }) => body),
    textColumn(jobs, ({ claim }) => claim, null),
    numberColumn(jobs, ({ leaseEnd }) => leaseEnd, null),
    numberColumn(jobs, ({ wokenAt }) => wokenAt, null),
    jsonColumn(events, ({ question }) => (question ? JSON.stringify(question) : '')),
    textColumn(notes, ({ id }) => id),
    jsonColumn(notes, ({ entry }) => entry),
    textColumn(events, ({ subjectId }) => subjectId, null),
    textColumn(answers, ({ subjectId }) => subjectId, null),
    textColumn(events, ({ sealedFor }) => sealedFor, null),
    numberColumn(moved, ({ id }) => relied.get(id)?.spendable ?? null, null),
    numberColumn(moved, ({ id }) => relied.get(id)?.held ?? null, null),
    numberColumn(moved, ({ id }) => relied.get(id)?.version ?? null, null),
    numberColumn(moved, ({ id }) => state.changes.get(id)?.decidedAt.length ?? 0, 0),
    numberColumn(moved, ({ id }) => changedAt(state, id), null),
    toTimestamp(state.latestChange),
    textColumn(moved, ({ id }) => (state.unfrozen.has(id) ? 'true' : null), null),
  ]
}

/** One statement may not meet the same key twice, so the rule for it is applied here first. */
function onePerKey(jobs: readonly JobRow[]): JobRow[] {
  const byKey = new Map<string, JobRow>()
  for (const job of jobs) {
    const key = job.key === null ? job.id : `${job.kind} ${job.key}`
    const first = byKey.get(key)
    byKey.set(key, first ? asOne(first, job) : job)
  }
  return [...byKey.values()]
}

function asOne(first: JobRow, second: JobRow): JobRow {
  const owned = first.claim === null ? second : first
  const other = owned === first ? second : first
  // Whoever owns it runs it now; what the other wanted comes after that.
  if (owned.claim !== null) return { ...owned, wokenAt: Math.min(owned.wokenAt ?? other.runAt, other.runAt) }
  return second.runAt < first.runAt ? { ...first, runAt: second.runAt } : first
}

/** A job that the batch finishes is another worker's by now. */
export function isOvertaken(error: unknown): boolean {
  return isSqlError(error) && error.code === 'CR002'
}

/** A balance was another one than was known. */
export function isMistaken(error: unknown): boolean {
  return isSqlError(error) && error.code === 'CR004'
}

/** An account is frozen, and was to gain or lose. */
export function isFrozen(error: unknown): boolean {
  return isSqlError(error) && error.code === 'CR005'
}

/** An account could not cover what was taken for covered. */
export function isUncovered(error: unknown): boolean {
  return isSqlError(error) && error.code === 'CR001'
}

/** When it changed last, where somebody has looked: what an event shows is what is written. */
function changedAt(state: BatchState, id: string): Instant | null {
  const isShown = state.consulted.has(id) && state.changes.has(id)
  return isShown ? (lastChange(state, id).changedAt ?? null) : null
}

/** In the order of their ids, which is the order in which every transaction locks. */
function movedAccounts(
  { deltas, needed, changes }: BatchState,
  relied: BatchState['consulted'],
): { id: string; delta: LedgerDelta }[] {
  const moved: { id: string; delta: LedgerDelta }[] = []
  for (const [id, delta] of deltas) {
    if (isMoved(delta) || needed.has(id) || relied.has(id) || changes.has(id)) moved.push({ id, delta })
  }
  return moved.sort((a, b) => (a.id < b.id ? -1 : 1))
}

function isMoved(delta: LedgerDelta): boolean {
  return (
    delta.debitsPosted !== 0n ||
    delta.creditsPosted !== 0n ||
    delta.debitsPending !== 0n ||
    delta.creditsPending !== 0n
  )
}
