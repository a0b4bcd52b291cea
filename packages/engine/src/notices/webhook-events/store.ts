import { type Id, type Instant, toTimestamp } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { defineList, equals } from '../../mechanisms/lists/list.ts'
import { type LoggedAttempt, retryJobKind } from '../../mechanisms/outbox/delivery-policy.ts'
import { bodyColumns, type SealedBody, tellsOf } from '../../mechanisms/outbox/sealed-bodies.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { EventType } from '../../vocabulary/webhook.ts'
import type { SentEvent } from './contract.ts'

/** An event as its platform sees it. */
export interface EventRow {
  readonly id: Id<'Webhook'>
  readonly version: bigint
  readonly type: EventType
  readonly resourceId: string
  readonly status: SentEvent['status']
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly lastMilliseconds: number | null
  /** On the clock of the book. */
  readonly nextAttemptAt: Instant | null
  readonly createdAt: Instant
  /** Whether its answer decides something, so that it is sent once. */
  readonly asks: boolean
}

const columns = `id, version, type, resource_id as "resourceId", status, attempts, last_status as "lastStatus",
  last_error as "lastError", (attempt_log -> -1 ->> 'milliseconds')::int as "lastMilliseconds",
  case when status = 'RETRYING' then (
    select j.run_at from jobs j where j.key = events.id || ' ' || (events.attempts + 1)
      and j.platform_id = events.platform_id and j.environment = events.environment and j.kind = '${retryJobKind}'
      and j.dead_at is null) end as "nextAttemptAt",
  created_at as "createdAt", question is not null as asks`

/** Attempts that a list says of an event: more are no longer told at a glance, and a page has a hundred events. */
const listedAttempts = 10

/** As a list shows it. */
export interface ListedEventRow extends EventRow {
  /** Null before the first. */
  readonly latestAttempts: readonly LoggedAttempt[] | null
}

export const eventList = defineList<ListedEventRow>()({
  name: 'webhookEvents.list',
  table: 'events',
  columns: `${columns}, jsonb_path_query_array(attempt_log, '$[last - ${listedAttempts - 1} to last]') as "latestAttempts"`,
  filters: {
    type: equals('type'),
    status: equals('status'),
    resourceId: equals('resource_id'),
    createdAfter: 'created_at >= ?::timestamptz',
    createdBefore: 'created_at <= ?::timestamptz',
  },
})

export interface WholeEvent extends EventRow, Pick<SealedBody, 'body' | 'sealedFor' | 'sealedKey'> {
  readonly attemptLog: readonly LoggedAttempt[] | null
  readonly lastResponse: string | null
}

const load = statement(
  'webhookEvents.load',
  `select ${columns}, ${bodyColumns('events')}, attempt_log as "attemptLog", last_response as "lastResponse"
   from events where platform_id = $1 and environment = $2 and id = $3`,
)

export async function loadWholeEvent(
  database: Database,
  book: Book,
  id: string,
): Promise<WholeEvent | undefined> {
  const [event] = await database.read<WholeEvent>(book, load, [book.platformId, book.environment, id])
  return event
}

/** The attempts of a listener at an event: the last, and a list of those that it is known from. */
export interface HeardAttempt {
  readonly name: string
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly milliseconds: number
  readonly attemptedAt: Instant
  /** Null where an earlier release recorded the last one alone. */
  readonly attemptLog: readonly LoggedAttempt[] | null
}

const heard = statement(
  'webhookEvents.heard',
  `select l.name, a.attempts, a.last_status as "lastStatus", a.last_error as "lastError",
     a.milliseconds, a.attempted_at as "attemptedAt", a.attempt_log as "attemptLog"
   from webhook_attempts a
   join webhook_listeners l on l.platform_id = $1 and l.environment = $2 and l.id = a.listener_id
   where a.platform_id = $1 and a.environment = $2 and a.event_id = $3
   order by l.name`,
)

export function loadHeardAttempts(database: Database, book: Book, id: string): Promise<HeardAttempt[]> {
  return database.read<HeardAttempt>(book, heard, [book.platformId, book.environment, id])
}

/** Which events are sent again. */
export interface Replayed {
  readonly createdAfter: string
  readonly createdBefore?: string | undefined
  readonly types?: readonly string[] | undefined
  readonly statuses?: readonly string[] | undefined
  readonly resourceIds?: readonly string[] | undefined
}

const matching = (what: string, order: string) => `select ${what} from events
   where platform_id = $1 and environment = $2 and question is null and created_at >= $3::timestamptz
     and ($4::timestamptz is null or created_at <= $4) and ($5::text[] is null or type = any($5))
     and status = any($6::text[]) and ($7::text[] is null or resource_id = any($7))
     -- One whose attempt is under way is left to that.
     and (status <> 'RETRYING' or due_at is null) and ${tellsOf('events')} ${order} limit $8`

const countMatching = statement(
  'webhookEvents.countMatching',
  `select count(*) as count from (${matching('1', '')}) counted`,
)
const loadMatching = statement('webhookEvents.loadMatching', matching(columns, 'order by created_at, id'))

const parametersOf = (book: Book, replayed: Replayed, atMost: number) => [
  book.platformId,
  book.environment,
  replayed.createdAfter,
  replayed.createdBefore ?? null,
  replayed.types ?? null,
  replayed.statuses ?? ['DELIVERED', 'FAILED', 'STORED'],
  replayed.resourceIds ?? null,
  atMost,
]

/** How many match, counted up to `atMost`. */
export async function countReplayed(
  database: Database,
  book: Book,
  replayed: Replayed,
  atMost: number,
): Promise<number> {
  const rows = await database.read<{ count: bigint }>(
    book,
    countMatching,
    parametersOf(book, replayed, atMost),
  )
  return Number(rows[0]!.count)
}

/** Those that match, oldest first. */
export function loadReplayed(
  database: Database,
  book: Book,
  replayed: Replayed,
  atMost: number,
): Promise<EventRow[]> {
  return database.read<EventRow>(book, loadMatching, parametersOf(book, replayed, atMost))
}

const states = statement(
  'webhookEvents.states',
  `select id, version, status, attempts, due_at is null as "isIdle" from events
   where platform_id = $1 and environment = $2 and id = any($3::text[])`,
)

/** How far an event is; idle: no attempt at it is under way or due. */
export type EventProgress = Pick<EventRow, 'version' | 'status' | 'attempts'> & { readonly isIdle: boolean }

/** How far each of these is now. */
export async function loadStates(
  database: Database,
  book: Book,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EventProgress>> {
  type State = Pick<EventRow, 'id'> & EventProgress
  const rows = await database.read<State>(book, states, [book.platformId, book.environment, ids])
  return new Map(rows.map((row) => [row.id, row]))
}

const isHeard = statement(
  'webhookEvents.isHeard',
  `select 1 as found from webhook_listeners
   where platform_id = $1 and environment = $2 and connected_until > $3 limit 1`,
)

/** Whether somebody listens at this (real) moment. */
export async function hasListener(database: Database, book: Book, realNow: Instant): Promise<boolean> {
  const rows = await database.read(book, isHeard, [book.platformId, book.environment, toTimestamp(realNow)])
  return rows.length > 0
}

/**
 * Makes events due again at every listener that has taken them; those that have not taken them yet get them anyway. For
 * the `statements` of a Decision: $3 the ids, $4 when each is due and $5 the status of that.
 */
export const hearAgain = statement(
  'webhookEvents.hearAgain',
  `update webhook_attempts a set status = $5, due_at = v.due_at::timestamptz
   from unnest($3::text[], $4::text[]) v(id, due_at)
   where a.platform_id = $1 and a.environment = $2 and a.event_id = v.id`,
)
