import type { Id, Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { expectedEndOf, lateStages, stepKind } from '../payments/index.ts'

/** One payment that is stuck, with how many are on its rail. */
export interface StuckRow extends Book {
  readonly rail: string
  readonly count: bigint
  readonly id: Id<'Transaction'>
  readonly status: string
  readonly isGivenUp: boolean
  readonly since: Instant
  readonly expectedAt: Instant
  /** Negative where its time has not come. */
  readonly lateMs: bigint
}

/** Payments under way that are looked at, of each book, and given up ones of all. */
const mostSteps = 10_000
/** Payments that are shown of a rail. */
const shownOfRail = 20
/** Rails of platforms that are shown. */
const mostRails = 200

/**
 * By way of the jobs, which are few beside the transactions and have an index by book and kind: an index of transactions by
 * status would cost every payment a write. Each is then read by its key. What a step waits for people with is not counted.
 */
const stuck = statement(
  'stuck.list',
  `with steps as (
     select b.platform_id, b.environment, b.clock_offset_ms, j.transaction_id, false as is_given_up
     from books b cross join lateral (
       select payload ->> 'transactionId' as transaction_id from jobs
       where platform_id = b.platform_id and environment = b.environment and kind = $2 and dead_at is null
       order by due_at limit $3
     ) j
     union all
     select b.platform_id, b.environment, b.clock_offset_ms, j.payload ->> 'transactionId', true
     from (select * from jobs where dead_at is not null and kind = $2 order by dead_at desc limit $3) j
     join books b on b.platform_id = j.platform_id and b.environment = j.environment
     where not exists (select from jobs n where n.key = j.key and n.platform_id = j.platform_id
       and n.environment = j.environment and n.kind = j.kind and n.dead_at is null)
   ), looked as (
     select s.platform_id, s.environment, s.is_given_up, t.id, t.status, t.updated_at,
       t.flow ->> 'stage' as stage,
       coalesce(case when t.flow ->> 'stage' like '%PULL' then t.flow -> 'funding' ->> 'rail'
         else t.flow -> 'delivery' ->> 'rail' end, 'INTERNAL') as rail,
       ${expectedEndOf('t')} as expected_at,
       $1::timestamptz + s.clock_offset_ms * interval '1 millisecond' as now
     from steps s join transactions t
       on t.platform_id = s.platform_id and t.environment = s.environment and t.id = s.transaction_id
     where t.status in ('PENDING', 'PROCESSING') or t.refund ->> 'status' = 'PENDING'
   ), found as (
     select *, count(*) over (partition by platform_id, environment, rail) as on_rail,
       min(expected_at) over (partition by platform_id, environment, rail) as oldest,
       row_number() over (partition by platform_id, environment, rail order by expected_at, id) as place
     from looked
     where is_given_up or (expected_at < now
       and stage in (${lateStages}))
   )
   select platform_id as "platformId", environment, rail, on_rail as count, id, status,
     is_given_up as "isGivenUp", updated_at as since, expected_at as "expectedAt",
     (extract(epoch from now - expected_at) * 1000)::bigint as "lateMs"
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
