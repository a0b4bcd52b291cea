import type { Id, Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'
import { begunAt, collectionKind, expectedEndOf, lateStages, stepKind } from '../payments/index.ts'

/**
 * Why nobody goes on with it; PAUSED: the operator holds it back from its rail; UNWATCHED: the bank of its collection, or of its
 * delivered payout, cannot be asked whether that came back.
 */
export type StuckReason = 'LATE' | 'GIVEN_UP' | 'PAUSED' | 'UNWATCHED'

/** One payment that is stuck, with how many are on its rail. */
export interface StuckRow extends Book {
  readonly rail: string
  readonly count: bigint
  readonly id: Id<'Transaction'>
  readonly status: string
  readonly reason: StuckReason
  readonly since: Instant
  readonly expectedAt: Instant
  /** Negative where its time has not come. */
  readonly lateMs: bigint
}

/** Payments under way that are looked at, of each book, and given up ones of all. */
const mostSteps = 10_000
/** Payments that are shown of a rail. */
const shownOfRail = 20
/** A watch that failed this often has failed for a quarter of an hour. */
const failedOften = 10
/** Rails of platforms that are shown. */
const mostRails = 200

/** A delivered payout, whose bank may still give it back. */
const watchesReturn = `t.flow ->> 'stage' = 'WATCH_RETURN'`

/**
 * What is under way, of all books. By way of the jobs, which are few beside the transactions and have an index by book and kind:
 * an index of transactions by status would cost every payment a write. Each is then read by its key. What waits at a pause has no
 * job and a row of its own.
 */
const looked = `steps as (
     select b.platform_id, b.environment, b.clock_offset_ms, j.key as transaction_id, 'LATE' as reason,
       j.attempts >= ${failedOften} as is_unheard, j.created_at as heard_at
     from books b cross join lateral (
       select key, attempts, created_at from jobs
       where platform_id = b.platform_id and environment = b.environment and kind = $2 and dead_at is null
       order by due_at limit $3
     ) j
     union all
     select b.platform_id, b.environment, b.clock_offset_ms, j.key, 'GIVEN_UP', true, j.created_at
     from (select * from jobs where dead_at is not null and kind = $2 order by dead_at desc limit $3) j
     join books b on b.platform_id = j.platform_id and b.environment = j.environment
     where not exists (select from jobs n where n.key = j.key and n.platform_id = j.platform_id
       and n.environment = j.environment and n.kind = j.kind and n.dead_at is null)
     and not exists (select from held_payouts h where h.id = j.key and h.platform_id = j.platform_id
       and h.environment = j.environment)
     union all
     select b.platform_id, b.environment, b.clock_offset_ms, h.id, 'PAUSED', false, null
     from books b cross join lateral (
       select id from held_payouts where platform_id = b.platform_id and environment = b.environment
       order by held_at, id limit $3
     ) h
   ), watches as (
     -- A watch is written when its bank has answered.
     select b.platform_id, b.environment, b.clock_offset_ms, j.transaction_id, j.created_at,
       case when j.dead_at is null then 'UNWATCHED' else 'GIVEN_UP' end as reason
     from books b cross join lateral (
       select payload ->> 'transactionId' as transaction_id, created_at, dead_at from jobs
       where platform_id = b.platform_id and environment = b.environment and kind = '${collectionKind}'
         and (attempts >= ${failedOften} or dead_at is not null)
       order by due_at limit $3
     ) j
   ), looked as (
     select s.platform_id, s.environment, case when s.reason = 'LATE' and ${watchesReturn} then 'UNWATCHED' else s.reason end as reason,
       t.id, t.status, t.updated_at,
       coalesce(case when t.flow ->> 'stage' like '%PULL' then t.flow -> 'funding' ->> 'rail'
         else t.flow -> 'delivery' ->> 'rail' end, 'INTERNAL') as rail,
       ${begunAt('t')} as begun_at, case when ${watchesReturn} then s.heard_at else ${expectedEndOf('t')} end as expected_at,
       $1::timestamptz + s.clock_offset_ms * interval '1 millisecond' as now,
       t.flow ->> 'stage' in (${lateStages}) as goes_by_itself,
       t.flow -> 'delivery' -> 'peer' ? 'lightning' as over_lightning
     from steps s join transactions t
       on t.platform_id = s.platform_id and t.environment = s.environment and t.id = s.transaction_id
     where t.status in ('PENDING', 'PROCESSING') or t.refund ->> 'status' = 'PENDING' or ${watchesReturn} and s.is_unheard
     union all
     select w.platform_id, w.environment, w.reason, t.id, t.status, t.updated_at, t.flow -> 'funding' ->> 'rail',
       ${begunAt('t')}, w.created_at, $1::timestamptz + w.clock_offset_ms * interval '1 millisecond', false, false
     from watches w join transactions t
       on t.platform_id = w.platform_id and t.environment = w.environment and t.id = w.transaction_id
   )`
/** What a step waits for people with is not counted. */
const isStuck = `(reason in ('GIVEN_UP', 'UNWATCHED') or (expected_at < now and goes_by_itself))`

const stuck = statement(
  'stuck.list',
  `with ${looked}, found as (
     select *, count(*) over (partition by platform_id, environment, rail) as on_rail,
       min(expected_at) over (partition by platform_id, environment, rail) as oldest,
       row_number() over (partition by platform_id, environment, rail order by expected_at, id) as place
     from looked where ${isStuck}
   )
   select platform_id as "platformId", environment, rail, on_rail as count, id, status, reason, updated_at as since,
     expected_at as "expectedAt", (extract(epoch from now - expected_at) * 1000)::bigint as "lateMs"
   from found where place <= $4
   order by oldest, platform_id, environment, rail, place limit $5`,
)

/** What is stuck in all books at a moment of real time, rail by rail, those that are late the longest first. */
export function listStuck(database: Database, at: string): Promise<StuckRow[]> {
  // It may take long where much is under way, and holds up no payment meanwhile.
  return database.maintenance((connection) =>
    connection.query<StuckRow>(stuck, [at, stepKind, mostSteps, shownOfRail, mostRails * shownOfRail]),
  )
}

/** What is under way on one rail, of one platform. */
export interface RailRow extends Book {
  readonly rail: string
  readonly underWay: bigint
  readonly stuck: bigint
  readonly held: bigint
  /** Whether payments to other institutions are among them that settle over Lightning. */
  readonly isOverLightning: boolean
  /** How long the oldest has been there, on the clock of its book. */
  readonly oldestMs: bigint
}

const underWay = statement(
  'stuck.rails',
  `with ${looked}
   select platform_id as "platformId", environment, rail, count(*) as "underWay",
     count(*) filter (where ${isStuck}) as stuck, count(*) filter (where reason = 'PAUSED') as held,
     coalesce(bool_or(over_lightning), false) as "isOverLightning",
     max((extract(epoch from now - begun_at) * 1000)::bigint) as "oldestMs"
   from looked where goes_by_itself or reason = 'GIVEN_UP'
   group by platform_id, environment, rail order by platform_id, environment, rail`,
)

/** What is under way in all books at a moment of real time, by platform and rail. */
export function listUnderWay(database: Database, at: string): Promise<RailRow[]> {
  return database.maintenance((connection) => connection.query<RailRow>(underWay, [at, stepKind, mostSteps]))
}

const environmentsInUse = statement(
  'stuck.environments',
  'select distinct environment from books order by environment',
)

/** Those that have a platform. */
export async function listEnvironments(database: Database): Promise<Environment[]> {
  const rows = await database.system((connection) =>
    connection.query<{ environment: Environment }>(environmentsInUse),
  )
  return rows.map(({ environment }) => environment)
}
