import type { Id, Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { defineList } from '../../mechanisms/lists/list.ts'
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

/** An event that was given up. */
export interface GivenUpEvent {
  readonly id: Id<'Webhook'>
  readonly type: string
  readonly resourceId: string
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly createdAt: Instant
}

export const givenUpEvents = defineList<GivenUpEvent>()({
  name: 'webhooks.givenUp',
  table: 'events',
  columns: `id, type, resource_id as "resourceId", attempts, last_status as "lastStatus",
    last_error as "lastError", created_at as "createdAt"`,
  where: "status = 'FAILED'",
  filters: {},
})

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
