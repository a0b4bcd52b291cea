import { type Instant, ok, toTimestamp } from '@corridor/kernel'
import type { Book, Environment } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { type Statement, statement } from '../db/driver.ts'
import { type AttemptedEvent, deliveryPolicy, type RetryPayload } from './delivery-policy.ts'
import { isHeld } from './held-endpoints.ts'
import { bodyColumns, type SealedBody } from './sealed-bodies.ts'

/** An event that this process may attempt now, with the endpoint as it is configured at this moment. */
export interface ClaimedEvent extends AttemptedEvent, SealedBody {
  /** Counts up with the events that are written. */
  readonly seq: bigint
  readonly platformId: string
  readonly environment: Environment
  readonly resourceId: string
  readonly endpoint: string | null
  readonly status: 'QUEUED' | 'RETRYING'
  /** Whether its answer is to come from a listener: there is one, and nothing else that could be asked. */
  readonly isListenedTo: boolean
}

/** A new event says by its status that it is due; a retry, and a lease that ran out, by their time. */
const isNew = "e.status = 'QUEUED' and e.due_at is null"

/** Jumps from book to book along the index of the events that meet the condition, however many there are. */
const booksAlong = (name: string, condition: string) => `${name} as (
     (select platform_id, environment from events where ${condition}
      order by platform_id, environment limit 1)
     union all
     select next.platform_id, next.environment from ${name} b cross join lateral (
       select platform_id, environment from events
       where ${condition} and (platform_id, environment) > (b.platform_id, b.environment)
       order by platform_id, environment limit 1) next
   )`

const findBooksWithDue = statement(
  'outbox.booksWithDue',
  `with recursive ${booksAlong('queued', "status = 'QUEUED'")}, ${booksAlong('timed', 'due_at is not null')}
   select platform_id as "platformId", environment, exists (
     select from events e where e.platform_id = busy.platform_id and e.environment = busy.environment
       and e.status = 'QUEUED' and e.question is not null) as asks
   from (
     select * from queued b where exists (
       select from events e where e.platform_id = b.platform_id and e.environment = b.environment and ${isNew})
     union
     select * from timed b where exists (
       select from events e where e.platform_id = b.platform_id and e.environment = b.environment
         and e.due_at <= $1)
   ) busy order by platform_id, environment limit $2`,
)

/** A book with events that are due, and whether some of what is queued asks for an answer. */
export interface DueBook extends Book {
  readonly asks: boolean
}

export async function booksWithDueEvents(
  database: Database,
  now: Instant,
  limit: number,
): Promise<DueBook[]> {
  return database.system((connection) =>
    connection.query<DueBook>(findBooksWithDue, [toTimestamp(now), limit]),
  )
}

/** Who listens at this moment (notices/webhook-events). */
const listeners = `webhook_listeners l
     where l.platform_id = $1 and l.environment = $2 and l.connected_until > $3`

/**
 * The row of the book is the turnstile of its claims: two processes count what is under way one after
 * the other. Whoever finds it taken comes back later.
 */
const enter = statement(
  'outbox.enter',
  `select exists (select from ${listeners}) as "isHeard",
     exists (select from ${listeners} and l.only_here) as "isMuted",
     (select c.webhook_endpoint from platform_configs c where c.platform_id = $1 and c.environment = $2) as endpoint
   from books where platform_id = $1 and environment = $2
     and (exists (select from events e where e.platform_id = $1 and e.environment = $2 and ${isNew})
       or exists (select from events e where e.platform_id = $1 and e.environment = $2 and e.due_at <= $3))
   for update skip locked`,
)
const countUnderWay = statement(
  'outbox.countUnderWay',
  `select count(*) filter (where question is null) as "all", count(*) filter (where question is not null) as "questions",
     count(*) filter (where status = 'RETRYING') as "retries",
     exists (select from events e where e.platform_id = $1 and e.environment = $2 and e.status = 'QUEUED'
       and e.question is not null and (e.due_at is null or e.due_at <= $3)) as "hasQuestions",
     exists (select from events e where e.platform_id = $1 and e.environment = $2 and e.status = 'RETRYING'
       and e.due_at <= $3) as "hasRetries"
   from events
   where platform_id = $1 and environment = $2 and due_at > $3`,
)

const claimedColumns = `e.platform_id as "platformId", e.environment, e.id, e.version, e.seq, e.status,
  e.resource_id as "resourceId", e.type, ${bodyColumns('e')}, e.attempts, e.max_attempts as "maxAttempts",
  e.created_at as "createdAt", e.question, e.attempt_log as "attemptLog",
  (select c.webhook_endpoint from platform_configs c
   where c.platform_id = e.platform_id and c.environment = e.environment) as endpoint`
const returning = `returning ${claimedColumns}`

/**
 * Materialized, or the planner may run the inner statement once per row of the outer one: each run skips
 * what the one before has locked, and together they take more than the limit.
 */
const claimRetries = statement(
  'outbox.claimRetries',
  `with due as materialized (
     select id from events where platform_id = $1 and environment = $2 and status = 'RETRYING' and due_at <= $3
     order by due_at limit $5 for update skip locked
   )
   update events e set due_at = $4 from due
   where e.platform_id = $1 and e.environment = $2 and e.id = due.id ${returning}`,
)

/** Whoever asks has seconds to wait for the answer, and is the first that is told of its resource. */
const claimQuestions = statement(
  'outbox.claimQuestions',
  `with due as materialized (
     select id from events
     where platform_id = $1 and environment = $2 and status = 'QUEUED' and question is not null
       and (due_at is null or due_at <= $3)
     order by seq limit $5 for update skip locked
   )
   update events e set due_at = $4 from due
   where e.platform_id = $1 and e.environment = $2 and e.id = due.id ${returning}`,
)

/**
 * The oldest queued event of each resource, jumping from resource to resource along the index. It stays
 * QUEUED while it is leased, which keeps the next one of its resource waiting: first attempts happen in
 * the order of the commits, in whichever process (webhooks 3.2).
 */
const claimHeads = statement(
  'outbox.claimHeads',
  `with recursive heads as (
     (select resource_id, id, due_at from events
      where platform_id = $1 and environment = $2 and status = 'QUEUED' and resource_id > $6
      order by resource_id, seq limit 1)
     union all
     select next.resource_id, next.id, next.due_at from heads cross join lateral (
       select resource_id, id, due_at from events
       where platform_id = $1 and environment = $2 and status = 'QUEUED' and resource_id > heads.resource_id
       order by resource_id, seq limit 1) next
   ),
   due as materialized (select id from heads where due_at is null or due_at <= $3 limit $5)
   update events e set due_at = $4 from due
   where e.platform_id = $1 and e.environment = $2 and e.id = due.id
     and e.status = 'QUEUED' and (e.due_at is null or e.due_at <= $3) ${returning}`,
)

/**
 * Leases events of one book until `leaseUntil`: questions, which have a room of their own, then retries, which never
 * take all of the rest, then heads of resources, going round all resources from `cursor` so that none waits for ever behind a busy one.
 */
export async function claimEvents(
  database: Database,
  book: Book,
  claim: {
    now: Instant
    leaseUntil: Instant
    room: number
    cursor: string
    heldEndpoints?: readonly string[]
  },
): Promise<ClaimedEvent[]> {
  const { platformId, environment } = book
  const { heldEndpoints = [] } = claim
  const now = toTimestamp(claim.now)
  const leaseUntil = toTimestamp(claim.leaseUntil)
  const { concurrencyPerBook, questionsPerBook, retriesPerBook } = deliveryPolicy
  const claimed = await database.transact<ClaimedEvent[]>(book, async (connection) => {
    const [turn] = await connection.query<{ isHeard: boolean; isMuted: boolean; endpoint: string | null }>(
      enter,
      [platformId, environment, now],
    )
    if (!turn) return ok([])
    // In a fork an endpoint of the world that it is a copy of is told nothing.
    const isMuted = turn.isMuted || isHeld(heldEndpoints, turn.endpoint)
    // Most claims find neither questions nor retries, and each statement is a way to the database and back.
    type UnderWay = Record<'all' | 'questions' | 'retries', bigint> &
      Record<'hasQuestions' | 'hasRetries', boolean>
    const [underWay] = await connection.query<UnderWay>(countUnderWay, [platformId, environment, now])
    const room = Math.min(claim.room, concurrencyPerBook - Number(underWay!.all))
    const roomForRetries = Math.min(room, retriesPerBook - Number(underWay!.retries))
    const roomForQuestions = questionsPerBook - Number(underWay!.questions)
    const found: ClaimedEvent[] = []
    // What an update returns comes in the order of whichever plan it had.
    const take = async (
      statement: Statement,
      parameters: readonly unknown[],
      isBefore: (a: ClaimedEvent, b: ClaimedEvent) => boolean,
    ) => {
      const events = await connection.query<ClaimedEvent>(statement, parameters)
      found.push(...events.sort((a, b) => (isBefore(a, b) ? -1 : 1)))
    }
    if (underWay!.hasQuestions && roomForQuestions > 0) {
      const parameters = [platformId, environment, now, leaseUntil, roomForQuestions]
      await take(claimQuestions, parameters, isOlder)
    }
    if (isMuted) return ok(found.map((event) => listened({ ...event, endpoint: null }, turn)))
    const questions = found.length
    if (underWay!.hasRetries && roomForRetries > 0) {
      const parameters = [platformId, environment, now, leaseUntil, roomForRetries]
      await take(claimRetries, parameters, isOlder)
    }
    for (const after of claim.cursor === '' ? [''] : [claim.cursor, '']) {
      const left = room - (found.length - questions)
      if (left <= 0) break
      const parameters = [platformId, environment, now, leaseUntil, left, after]
      await take(claimHeads, parameters, (a, b) => a.resourceId < b.resourceId)
    }
    return ok(found.map((event) => listened(event, turn)))
  })
  return claimed.ok ? claimed.value : []
}

const isOlder = (a: ClaimedEvent, b: ClaimedEvent) => a.seq < b.seq

/** A question that no endpoint could be asked is put to whoever listens. */
function listened(event: ClaimedEvent, { isHeard }: { isHeard: boolean }): ClaimedEvent {
  return { ...event, isListenedTo: isHeard && event.endpoint === null }
}

/** Nothing where a listener has all for itself. */
const findRetries = statement(
  'outbox.retries',
  `select ${claimedColumns}
   from events e join unnest($3::text[], $4::int[]) v(id, attempt) on e.id = v.id
   where e.platform_id = $1 and e.environment = $2 and e.status = 'RETRYING' and e.due_at is null
     and e.attempts + 1 = v.attempt and e.question is null
     and not exists (select from webhook_listeners l
       where l.platform_id = $1 and l.environment = $2 and l.connected_until > $5 and l.only_here)`,
)

/**
 * The events, by their ids, whose next attempt is the one that a timer leads to, as they are at this moment; none where the book
 * tells its endpoint nothing.
 */
export async function loadRetries(
  database: Database,
  book: Book,
  wanted: readonly RetryPayload[],
  { now, heldEndpoints }: { now: Instant; heldEndpoints: readonly string[] },
): Promise<Map<string, ClaimedEvent>> {
  const events = await database.read<ClaimedEvent>(book, findRetries, [
    book.platformId,
    book.environment,
    wanted.map(({ eventId }) => eventId),
    wanted.map(({ attempt }) => attempt),
    toTimestamp(now),
  ])
  const told = events.filter(({ endpoint }) => !isHeld(heldEndpoints, endpoint))
  return new Map(told.map((event) => [event.id, { ...event, isListenedTo: false }]))
}

const findUndelivered = statement(
  'outbox.undelivered',
  `select platform_id as "platformId", environment, id, version, attempts, max_attempts as "maxAttempts",
     created_at as "createdAt", question, attempt_log as "attemptLog"
   from events
   where platform_id = $1 and environment = $2 and id = $3 and status in ('QUEUED', 'RETRYING')`,
)

/** An event that an outcome is still to be recorded of. */
export async function loadUndelivered(
  database: Database,
  book: Book,
  id: string,
): Promise<(AttemptedEvent & Pick<ClaimedEvent, 'platformId' | 'environment'>) | undefined> {
  const [event] = await database.read<ClaimedEvent>(book, findUndelivered, [
    book.platformId,
    book.environment,
    id,
  ])
  return event
}

const release = statement(
  'outbox.release',
  `update events set due_at = $4
   where platform_id = $1 and environment = $2 and id = any($3::text[]) and due_at = $5`,
)

/** Ends leases early, of events that were claimed and are not going to be attempted by this process. */
export async function releaseEvents(
  database: Database,
  book: Book,
  lease: { ids: readonly string[]; now: Instant; leaseUntil: Instant },
): Promise<void> {
  const { ids, now, leaseUntil } = lease
  await database.read(book, release, [
    book.platformId,
    book.environment,
    ids,
    toTimestamp(now),
    toTimestamp(leaseUntil),
  ])
}

/** Of a retry that waits the timer knows when it is due, so what is due later than now is leased. */
const endLeases = statement('outbox.endLeases', 'update events set due_at = $1 where due_at > $1')

/** Ends all leases: for whoever has the database for himself, as those who claimed them attempt nothing any more. */
export async function endEventLeases(database: Database, now: Instant): Promise<void> {
  await database.system((connection) => connection.query(endLeases, [toTimestamp(now)]))
}
