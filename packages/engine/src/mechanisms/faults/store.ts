import type { Instant } from '@corridor/kernel'
import type { Book } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import type { Fault, FaultKind, FaultMatch, FaultParams, FaultTarget, Side, Window } from './fault.ts'

/** What is kept of a fault as it was asked for, beside its kind and target. */
export interface Said {
  readonly match: FaultMatch
  readonly probability: number
  readonly times?: number
  readonly after: number
  /** RFC 3339. */
  readonly until?: string
  readonly seed: string
  readonly params: FaultParams
  readonly hidden: boolean
}

interface Row {
  readonly id: string
  readonly kind: FaultKind
  readonly target: FaultTarget
  readonly said: Said
  readonly silentUntil?: Instant | null
}

/** Whether a book has any fault in force, as a condition for its clock: asking costs nothing where it has none. */
export const anyInForce = `exists (select from faults where platform_id = $1 and environment = $2
  and (deleted_at is null or kind = 'OUTCOME'))`

const listInForce = statement(
  'faults.inForce',
  `select id, kind, target, said from faults
   where platform_id = $1 and environment = $2 and target = $3 and deleted_at is null
     and ((said->>'times') is null or hits < (said->>'times')::bigint)
     and ((said->>'until') is null or (said->>'until')::timestamptz > $4)
   order by id`,
)

/** Those of one part of the world that may hit now. */
export async function listFaults(
  database: Database,
  book: Book,
  target: FaultTarget,
  now: string,
): Promise<readonly Fault[]> {
  const rows = await database.read<Row>(book, listInForce, [book.platformId, book.environment, target, now])
  return rows.map(toFault)
}

function toFault({ id, kind, target, said, silentUntil = null }: Row): Fault {
  const { match, probability, times, after, until, seed, params, hidden } = said
  return {
    id,
    kind,
    target,
    match,
    probability,
    times,
    after,
    until: until === undefined ? undefined : (Date.parse(until) as Instant),
    seed,
    params,
    isHidden: hidden,
    ...(silentUntil === null ? {} : { silentUntil }),
  }
}

/** What is counted of a fault, as it was before. */
export interface Counted {
  readonly id: string
  readonly seen: bigint
  readonly hits: bigint
  readonly window: Window | null
  /** Asked for here: as a condition it would have all of a book looked through. */
  readonly isDeleted: boolean
}

/**
 * Locks the counters of these faults. In one order, so that nobody who meets several of them at once
 * waits for one who waits for him.
 */
export const lockCounters = statement(
  'faults.lockCounters',
  `select id, seen, hits, reorder_window as "window", deleted_at is not null as "isDeleted" from faults
   where platform_id = $1 and environment = $2 and id = any($3::text[]) order by id for no key update`,
)

/**
 * How often a subject has met each of these faults, this time included: `($3 faults, $4 subject, $5 an id for each, $6 now)`.
 * The faults are locked, so nobody else counts for them.
 */
export const countEncounters = statement(
  'faults.countEncounters',
  `insert into fault_encounters as e (platform_id, environment, fault_id, subject, seen, id, created_at)
   select $1::uuid, $2::text, f.fault_id, $4::text, 1, f.id, $6::timestamptz
   from unnest($3::text[], $5::text[]) as f (fault_id, id)
   on conflict (fault_id, subject, platform_id, environment) do update set seen = e.seen + 1
   returning fault_id as "faultId", seen`,
)

/** What is kept of the hits and of who was met in each book: the latest, and somewhat more until the next look. */
export const faultBounds = {
  /** Hits, beside those that say what becomes of a payment: these stay as long as the payment needs them. */
  hits: 10_000,
  /** Pairs of a fault and a subject whose meetings are counted. */
  encounters: 10_000,
  /** Rows after which is looked again. */
  look: 500,
  /** Removed in one transaction: a few milliseconds, for which nobody waits long. */
  removedAtOnce: 1_000,
} as const

/**
 * `($3 how many stay, less one, $4 how many go at most)`; the rows `among` are those of an index in this order (0143). Their ids are
 * an array: of a join the one side would be looked through for each row of the other.
 */
const removeAllBut = (name: string, table: string, among: string) =>
  statement(
    name,
    `delete from ${table} where platform_id = $1 and environment = $2 and id = any(array(
       select id from ${table} where platform_id = $1 and environment = $2 and ${among} and (created_at, id) < (
         select created_at, id from ${table} where platform_id = $1 and environment = $2 and ${among}
         order by created_at desc, id desc offset $3 limit 1)
       order by created_at, id limit $4))`,
  )

export const removeOldHits = removeAllBut(
  'faults.removeOldHits',
  'fault_activations',
  `not (target = 'RAIL' and kind in ('OUTCOME', 'SILENCE', 'DELAY', 'REORDER'))`,
)
export const removeOldEncounters = removeAllBut(
  'faults.removeOldEncounters',
  'fault_encounters',
  `fault_id <> ''`,
)

const listLasting = statement(
  'faults.lasting',
  `select f.id, f.kind, f.target, f.said, a.silent_until as "silentUntil" from fault_activations a
   join faults f on f.platform_id = $1 and f.environment = $2 and f.id = a.fault_id
   where a.platform_id = $1 and a.environment = $2 and a.subject = $3 and a.subject <> ''
     and (a.resource_id = $4 or a.resource_id is null)
     and (a.kind = 'OUTCOME' or (a.kind in ('SILENCE', 'DELAY', 'REORDER') and f.deleted_at is null))
   order by a.created_at, a.id`,
)

/**
 * What an earlier hit decided for good about this hand-over of a payment: what becomes of it, or that nothing is heard. A hit of an
 * earlier release does not say of which it is, and counts for both as it did then.
 */
export async function listLastingFaults(
  database: Database,
  book: Book,
  subject: string,
  side: Side,
): Promise<readonly Fault[]> {
  const parameters = [book.platformId, book.environment, subject, side]
  const rows = await database.read<Row>(book, listLasting, parameters)
  return rows.map(toFault)
}

export const setResource = statement(
  'faults.setResource',
  `update fault_activations set resource_id = $4
   where platform_id = $1 and environment = $2 and id = any($3::text[]) and resource_id is null`,
)

/** What hit on purpose, as it is told to whoever asks about what was hit. */
export interface ShownHit {
  readonly faultId: string
  readonly kind: FaultKind
  readonly target: FaultTarget
  readonly params: FaultParams
  readonly probability: number
  readonly operationId: string | null
  readonly requestId: string | null
  readonly createdAt: Instant
}

/** Hits of one thing that are told at most. */
export const mostShownHits = 100

const listShown = statement(
  'faults.shown',
  `select f.id as "faultId", a.kind, a.target, f.said->'params' as params, f.said->'probability' as probability, a.operation as "operationId", a.request_id as "requestId",
     a.created_at as "createdAt"
   from (
     select id, fault_id, kind, target, operation, request_id, created_at from fault_activations
     where platform_id = $1 and environment = $2 and subject = any($3::text[]) and subject <> ''
     union
     select id, fault_id, kind, target, operation, request_id, created_at from fault_activations
     where platform_id = $1 and environment = $2 and resource_id = any($3::text[])
     union
     select id, fault_id, kind, target, operation, request_id, created_at from fault_activations
     where platform_id = $1 and environment = $2 and request_id = any($3::text[])
   ) a
   join faults f on f.platform_id = $1 and f.environment = $2 and f.id = a.fault_id
   where not (f.said->>'hidden')::boolean
   order by not (a.target = 'RAIL' and a.kind in ('OUTCOME', 'SILENCE', 'DELAY', 'REORDER')), a.created_at, a.id limit $4`,
)

/**
 * What hit any of these, in its order: payments, quotes, webhooks, requests. Of more than a hundred all that says what becomes of a payment,
 * which may be the last of them, and of the others the first. Hidden faults are left out, and those that have ended are not.
 */
export async function listShownHits(
  database: Database,
  book: Book,
  ids: readonly string[],
): Promise<readonly ShownHit[]> {
  const { platformId, environment } = book
  const parameters = [platformId, environment, ids, mostShownHits]
  const hits = await database.read<ShownHit>(book, listShown, parameters)
  return hits.toSorted((a, b) => a.createdAt - b.createdAt)
}
