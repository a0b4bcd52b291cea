import { type Id, type Instant, toTimestamp } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { type Connection, statement } from '../../mechanisms/db/driver.ts'
import type { Signed } from '../../mechanisms/outbox/attempt.ts'
import type { LoggedAttempt } from '../../mechanisms/outbox/delivery-policy.ts'
import { bodyColumns, type SealedBody, tellsOf } from '../../mechanisms/outbox/sealed-bodies.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { EventType } from '../../vocabulary/webhook.ts'

/** A listener is forgotten when it was away for so long, like an event that cannot be delivered. */
export const forgottenAfterMs = 7 * 24 * 60 * 60_000
/** Names of a platform at a time: each costs rows for every event. */
const mostListeners = 50
/** What waits for a listener is counted up to here where all of them are listed. */
export const mostCountedWaiting = 1_000
/** How long it counts as connected after it has asked. */
export const connectedMs = 30_000
/** No transaction lasts so long: what was begun before has been committed, and is seen. */
const settledMs = 60_000

export interface Listener {
  readonly id: Id<'WebhookListener'>
  readonly name: string
  readonly session: string
  readonly types: readonly EventType[] | null
  readonly onlyHere: boolean
  readonly doneUntil: Instant
  readonly nextDoneUntil: Instant
  readonly nextSince: Instant
  readonly connectedUntil: Instant
}

/**
 * In the place of a session where the sandbox was restored (`worlds.ts` of the server writes it): whoever listened is told,
 * and opens the listener anew.
 */
export const restoredSession = ''

const columns = `id, name, session, types, only_here as "onlyHere", done_until as "doneUntil",
  next_done_until as "nextDoneUntil", next_since as "nextSince", connected_until as "connectedUntil"`

const byName = statement(
  'webhookListeners.byName',
  `select ${columns} from webhook_listeners where platform_id = $1 and environment = $2 and name = $3 for update`,
)
const forget = statement(
  'webhookListeners.forget',
  `with gone as (
     delete from webhook_listeners
     where platform_id = $1 and environment = $2 and connected_until < $3 returning id
   )
   delete from webhook_attempts a using gone
   where a.platform_id = $1 and a.environment = $2 and a.listener_id = gone.id`,
)
const forgetAttempts = statement(
  'webhookListeners.forgetAttempts',
  `delete from webhook_attempts
   where platform_id = $1 and environment = $2 and status <> 'RETRYING' and attempted_at < $3
     and attempted_at < (select min(done_until) from webhook_listeners where platform_id = $1 and environment = $2)`,
)
const countListeners = statement(
  'webhookListeners.countListeners',
  'select count(*) as count from webhook_listeners where platform_id = $1 and environment = $2',
)
const open = statement(
  'webhookListeners.open',
  `insert into webhook_listeners as l (platform_id, environment, id, name, session, types, only_here, done_until,
     next_done_until, next_since, connected_until, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $9, $9)
   on conflict (platform_id, environment, name) do update
     set session = excluded.session, types = excluded.types, only_here = excluded.only_here,
       connected_until = excluded.connected_until, updated_at = excluded.updated_at, version = l.version + 1
   returning ${columns}`,
)

/**
 * Opens a listener for a session; one that was away for too long begins anew, and all such are forgotten. Undefined where
 * that would be one more than `mostListeners`.
 */
export async function openListener(
  connection: Connection,
  book: Book,
  opened: Pick<Listener, 'id' | 'name' | 'session' | 'types' | 'onlyHere'>,
  { now, realNow }: { now: Instant; realNow: Instant },
): Promise<{ listener: Listener; isResumed: boolean } | undefined> {
  const key = [book.platformId, book.environment]
  await connection.query(forget, [...key, toTimestamp(realNow - forgottenAfterMs)])
  await connection.query(forgetAttempts, [...key, toTimestamp(now - forgottenAfterMs)])
  const [known] = await connection.query<Listener>(byName, [...key, opened.name])
  if (!known) {
    const [there] = await connection.query<{ count: bigint }>(countListeners, key)
    if (there!.count >= mostListeners) return undefined
  }
  const [listener] = await connection.query<Listener>(open, [
    ...key,
    opened.id,
    opened.name,
    opened.session,
    opened.types,
    opened.onlyHere,
    toTimestamp(now),
    toTimestamp(realNow),
    toTimestamp(realNow + connectedMs),
  ])
  return { listener: listener!, isResumed: known !== undefined }
}

const lock = statement(
  'webhookListeners.lock',
  `select ${columns} from webhook_listeners where platform_id = $1 and environment = $2 and id = $3 for update`,
)

/** The listener, of which nobody else takes or reports anything meanwhile. */
export async function lockListener(
  connection: Connection,
  book: Book,
  id: string,
): Promise<Listener | undefined> {
  const [listener] = await connection.query<Listener>(lock, [book.platformId, book.environment, id])
  return listener
}

/** An event that a listener is to deliver, with the attempts that it has made already. */
export interface ListenedEvent extends Pick<SealedBody, 'body' | 'sealedFor' | 'sealedKey'> {
  readonly id: Id<'Webhook'>
  readonly type: EventType
  readonly resourceId: string
  readonly createdAt: Instant
  readonly attempts: number
  /** Those that it has recorded at it. */
  readonly attemptLog?: readonly LoggedAttempt[] | null
  /** What its last attempt at it came to, and when it is given to it again. */
  readonly reported?: ListenerAttempt['status'] | null
  readonly dueAt?: Instant | null
  readonly asks: boolean
  /** What its last attempt at the endpoint was signed with, if it is to be repeated. */
  readonly signed: Signed | null
}

const eventColumns = `e.id, e.type, e.resource_id as "resourceId", ${bodyColumns('e')}, e.created_at as "createdAt",
  e.question is not null as asks, e.attempt_log -> -1 -> 'signed' as signed`

const untaken = `from events e
   where e.platform_id = $1 and e.environment = $2 and e.created_at >= $4
     and ($5::text[] is null or e.type = any($5)) and ${tellsOf('e')}
     and not exists (select from webhook_attempts a where a.platform_id = $1 and a.environment = $2
       and a.listener_id = $3 and a.event_id = e.id)`

const takeDue = statement(
  'webhookListeners.takeDue',
  `select ${eventColumns}, a.attempts
   from webhook_attempts a
   join events e on e.platform_id = $1 and e.environment = $2 and e.id = a.event_id
   where a.platform_id = $1 and a.environment = $2 and a.listener_id = $3 and a.status = 'RETRYING'
     and a.due_at <= $4 and ${tellsOf('e')}
   order by a.due_at limit $5`,
)
const takeNew = statement(
  'webhookListeners.takeNew',
  `select ${eventColumns}, 0 as attempts ${untaken} order by e.created_at, e.seq limit $6`,
)
const countNew = statement(
  'webhookListeners.countNew',
  `select count(*) as count from (select 1 ${untaken} limit $6) counted`,
)
const countDue = statement(
  'webhookListeners.countDue',
  `select count(*) as count from webhook_attempts a
   join events e on e.platform_id = $1 and e.environment = $2 and e.id = a.event_id
   where a.platform_id = $1 and a.environment = $2 and a.listener_id = $3 and a.status = 'RETRYING'
     and ${tellsOf('e')}`,
)

const keyOf = (book: Book, { id }: Listener) => [book.platformId, book.environment, id]

/** Up to `limit` events: those to be tried again, then those not taken yet in the order in which they happened. */
export async function takeNext(
  connection: Connection,
  book: Book,
  listener: Listener,
  { now, limit }: { now: Instant; limit: number },
): Promise<{ due: ListenedEvent[]; fresh: ListenedEvent[] }> {
  const key = keyOf(book, listener)
  const due = await connection.query<ListenedEvent>(takeDue, [...key, toTimestamp(now), limit])
  const left = limit - due.length
  if (left === 0) return { due, fresh: [] }
  const fresh = await connection.query<ListenedEvent>(takeNew, [
    ...key,
    toTimestamp(listener.doneUntil),
    listener.types,
    left,
  ])
  return { due, fresh }
}

/** How many events the listener has not taken, counted up to 10,000. */
export async function countWaiting(connection: Connection, book: Book, listener: Listener): Promise<number> {
  const key = keyOf(book, listener)
  const parameters = [...key, toTimestamp(listener.doneUntil), listener.types, 10_000]
  const [fresh] = await connection.query<{ count: bigint }>(countNew, parameters)
  const [due] = await connection.query<{ count: bigint }>(countDue, key)
  return Math.min(10_000, Number(fresh!.count) + Number(due!.count))
}

export interface ListenerRow
  extends Pick<Listener, 'id' | 'name' | 'types' | 'onlyHere' | 'doneUntil' | 'connectedUntil'> {
  readonly waiting: bigint
}

const list = statement(
  'webhookListeners.list',
  `select l.id, l.name, l.types, l.only_here as "onlyHere", l.done_until as "doneUntil",
     l.connected_until as "connectedUntil", fresh.count + due.count as waiting
   from webhook_listeners l
   cross join lateral (select count(*) as count from (select 1 from events e
     where e.platform_id = $1 and e.environment = $2 and e.created_at >= l.done_until
       and (l.types is null or e.type = any(l.types)) and ${tellsOf('e')}
       and not exists (select from webhook_attempts a where a.platform_id = $1 and a.environment = $2
         and a.listener_id = l.id and a.event_id = e.id)
     order by e.created_at limit $3) counted) fresh
   cross join lateral (select count(*) as count from (select 1 from webhook_attempts a
     join events e on e.platform_id = $1 and e.environment = $2 and e.id = a.event_id
     where a.platform_id = $1 and a.environment = $2 and a.listener_id = l.id and a.status = 'RETRYING'
       and ${tellsOf('e')}
     order by a.due_at limit $3) counted) due
   where l.platform_id = $1 and l.environment = $2 order by l.name limit $4`,
)

/** All listeners of a book by name, each with how much waits for it, counted up to `mostCountedWaiting`. */
export function loadListeners(database: Database, book: Book): Promise<ListenerRow[]> {
  const parameters = [book.platformId, book.environment, mostCountedWaiting, mostListeners]
  return database.read<ListenerRow>(book, list, parameters)
}

const keep = statement(
  'webhookListeners.keep',
  `update webhook_listeners set connected_until = $4, done_until = $5, next_done_until = $6, next_since = $7
   where platform_id = $1 and environment = $2 and id = $3`,
)

/**
 * Stays connected, and remembers how far the listener has come. That counts only a minute later: a transaction that is
 * under way now may still commit an event of an earlier time.
 */
export async function keepConnected(
  connection: Connection,
  book: Book,
  listener: Listener,
  { realNow, doneUntil }: { realNow: Instant; doneUntil: Instant },
): Promise<void> {
  const isSettled = realNow - listener.nextSince >= settledMs
  const isConnected = listener.connectedUntil - realNow > connectedMs / 2
  if (isConnected && !isSettled) return
  await connection.query(keep, [
    ...keyOf(book, listener),
    toTimestamp(realNow + connectedMs),
    toTimestamp(isSettled ? listener.nextDoneUntil : listener.doneUntil),
    toTimestamp(isSettled ? doneUntil : listener.nextDoneUntil),
    toTimestamp(isSettled ? realNow : listener.nextSince),
  ])
}

/** An attempt that a listener has made. */
export interface ListenerAttempt {
  readonly eventId: string
  readonly status: 'DELIVERED' | 'RETRYING' | 'FAILED'
  readonly attempts: number
  readonly dueAt: Instant | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly milliseconds: number
  /** The latest ones, this one included. */
  readonly attemptLog: readonly LoggedAttempt[]
}

const loadEvents = statement(
  'webhookListeners.reported',
  `select ${eventColumns}, coalesce(a.attempts, 0) as attempts, a.attempt_log as "attemptLog",
     a.status as reported, a.due_at as "dueAt"
   from events e
   left join webhook_attempts a on a.platform_id = $1 and a.environment = $2 and a.listener_id = $3
     and a.event_id = e.id
   where e.platform_id = $1 and e.environment = $2 and e.id = any($4::text[])`,
)

/** The events that a listener reports of, with the attempts that are on record. */
export async function loadReported(
  database: Database,
  book: Book,
  listenerId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ListenedEvent>> {
  const parameters = [book.platformId, book.environment, listenerId, ids]
  const rows = await database.read<ListenedEvent>(book, loadEvents, parameters)
  return new Map(rows.map((event) => [event.id, event]))
}

const record = statement(
  'webhookListeners.record',
  `insert into webhook_attempts as a (platform_id, environment, listener_id, event_id, status, attempts, due_at,
     last_status, last_error, milliseconds, attempted_at, attempt_log)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
   on conflict (event_id, listener_id, platform_id, environment) do update
     set status = excluded.status, attempts = excluded.attempts, due_at = excluded.due_at,
       last_status = excluded.last_status, last_error = excluded.last_error,
       milliseconds = excluded.milliseconds, attempted_at = excluded.attempted_at,
       attempt_log = excluded.attempt_log
     where a.attempts < excluded.attempts`,
)

/** Records an attempt; one that is on record already changes nothing. */
export async function recordAttempt(
  connection: Connection,
  book: Book,
  listener: Listener,
  attempt: ListenerAttempt,
  now: Instant,
): Promise<void> {
  await connection.query(record, [
    ...keyOf(book, listener),
    attempt.eventId,
    attempt.status,
    attempt.attempts,
    attempt.dueAt === null ? null : toTimestamp(attempt.dueAt),
    attempt.lastStatus,
    attempt.lastError,
    attempt.milliseconds,
    toTimestamp(now),
    JSON.stringify(attempt.attemptLog),
  ])
}
