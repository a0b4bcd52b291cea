import type { Id, Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { countedAtMost, defineList } from '../../mechanisms/lists/list.ts'
import type { LoggedAttempt } from '../../mechanisms/outbox/delivery-policy.ts'
import { tellsOf } from '../../mechanisms/outbox/sealed-bodies.ts'
import type { Book } from '../../vocabulary/scope.ts'

/** Where an event is on its way to the platform. */
export interface EventState {
  readonly id: Id<'Webhook'>
  readonly type: string
  readonly resourceId: string
  readonly createdAt: Instant
  readonly attemptLog: readonly LoggedAttempt[] | null
  readonly version: bigint
  readonly status: 'QUEUED' | 'RETRYING' | 'DELIVERED' | 'FAILED' | 'STORED'
  readonly attempts: number
  /** Whether its customer has not been erased. */
  readonly tells: boolean
}

const load = statement(
  'webhooks.loadEvent',
  `select id, version, status, attempts, type, resource_id as "resourceId", created_at as "createdAt",
     attempt_log as "attemptLog", ${tellsOf('events')} as tells
   from events
   where platform_id = $1 and environment = $2 and id = $3`,
)

export async function loadEvent(database: Database, book: Book, id: string): Promise<EventState | undefined> {
  const [event] = await database.read<EventState>(book, load, [book.platformId, book.environment, id])
  return event
}

const loadEndpoint = statement(
  'webhooks.loadEndpoint',
  'select webhook_endpoint as endpoint from platform_configs where platform_id = $1 and environment = $2',
)

/** The configured address, or undefined where there is none. */
export async function loadWebhookEndpoint(database: Database, book: Book): Promise<string | undefined> {
  const [row] = await database.read<{ endpoint: string | null }>(book, loadEndpoint, [
    book.platformId,
    book.environment,
  ])
  return row?.endpoint ?? undefined
}

/** An event that no endpoint took so far. */
export interface UndeliveredEvent {
  readonly id: Id<'Webhook'>
  readonly status: 'RETRYING' | 'FAILED'
  readonly type: string
  readonly resourceId: string
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly createdAt: Instant
}

const undelivered = (name: string, status: UndeliveredEvent['status']) =>
  defineList<UndeliveredEvent>()({
    name,
    table: 'events',
    columns: `id, status, type, resource_id as "resourceId", attempts, last_status as "lastStatus",
    last_error as "lastError", created_at as "createdAt"`,
    // Written out, and no parameter: each is in an index of its own.
    where: `status = '${status}'`,
    filters: {},
  })

export const undeliveredEvents = {
  FAILED: undelivered('webhooks.givenUp', 'FAILED'),
  RETRYING: undelivered('webhooks.waiting', 'RETRYING'),
}

/** Events that wait at one endpoint, and those that were given up. */
export interface EndpointRow extends Book {
  readonly isFailing: boolean
  readonly waiting: bigint
  readonly oldestAt: Instant | null
  readonly oldestMs: bigint | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly givenUp: bigint
  readonly lastGivenUpAt: Instant | null
}

/** So many attempts at one event in vain are no hiccup: the third comes a quarter of a minute after the first. */
const attemptsOfFailing = 3
/** Platforms that are shown. */
const mostEndpoints = 1_000

const endpoints = statement(
  'webhooks.endpoints',
  `select b.platform_id as "platformId", b.environment, coalesce(w.is_failing, false) or g.given_up > 0 as "isFailing",
     w.waiting, w.oldest_at as "oldestAt", o.last_status as "lastStatus", o.last_error as "lastError",
     (extract(epoch from $1::timestamptz - w.oldest_at) * 1000)::bigint + b.clock_offset_ms as "oldestMs",
     g.given_up as "givenUp", g.last_at as "lastGivenUpAt"
   from books b
   cross join lateral (
     select count(*) as waiting, min(created_at) as oldest_at,
       bool_or(last_error is not null and attempts >= $2) as is_failing
     from (select created_at, last_error, attempts from events e
       where e.platform_id = b.platform_id and e.environment = b.environment and e.status = 'RETRYING'
       order by created_at, id limit ${countedAtMost}) counted
   ) w
   left join lateral (
     select last_status, last_error from events e
     where e.platform_id = b.platform_id and e.environment = b.environment and e.status = 'RETRYING'
     order by created_at, id limit 1
   ) o on true
   cross join lateral (
     select count(*) as given_up, max(created_at) as last_at
     from (select created_at from events e
       where e.platform_id = b.platform_id and e.environment = b.environment and e.status = 'FAILED'
       order by created_at desc, id desc limit ${countedAtMost}) counted
   ) g
   where w.waiting > 0 or g.given_up > 0
   order by 3 desc, w.oldest_at nulls last, b.platform_id, b.environment limit $3`,
)

/** Of all books, where something waits or was given up at a moment of real time: those that fail first. */
export function listEndpoints(database: Database, at: string): Promise<EndpointRow[]> {
  // It reads a row of each event that waits, and holds up no payment meanwhile.
  return database.maintenance((connection) =>
    connection.query<EndpointRow>(endpoints, [at, attemptsOfFailing, mostEndpoints]),
  )
}

const findBook = statement(
  'webhooks.findBookOfToken',
  `select platform_id as "platformId", environment from tokens where client_id = $1 and deleted_at is null`,
)

/** The platform and environment of a token in use. */
export async function findBookOfToken(database: Database, clientId: string): Promise<Book | undefined> {
  const [book] = await database.system((connection) => connection.query<Book>(findBook, [clientId]))
  return book
}

const bookExists = statement(
  'webhooks.isPlatform',
  'select 1 as found from books where platform_id = $1 and environment = $2',
)

export async function isPlatform(database: Database, book: Book): Promise<boolean> {
  const rows = await database.read(book, bookExists, [book.platformId, book.environment])
  return rows.length > 0
}
