import { type Instant, toTimestamp } from '@corridor/kernel'
import type { Database } from '../db/database.ts'
import { type Statement, statement } from '../db/driver.ts'

/** What is kept for a time of its own, in days; absent or 0: for ever. */
export interface RetentionDays {
  /** Events that were told, given up, or had nobody to be told to. */
  readonly events?: number | undefined
  /** What endpoints and listeners answered. */
  readonly deliveries?: number | undefined
  /** Messages to end users. */
  readonly messages?: number | undefined
  /** What was asked for and is over: lookups, what was to be signed, proposals. */
  readonly requests?: number | undefined
}

/** Rows that go after a time, declared by the feature whose table it is. */
export interface Retention {
  readonly of: keyof RetentionDays
  /** A table of books whose ids rise with time. */
  readonly table: string
  /** What tells its rows apart within a book, `id` when absent; the first rises with time. */
  readonly keys?: readonly [string, ...string[]]
  /** The column of the time that makes a row old; `created_at` when absent. */
  readonly at?: string
  /** SQL of the rows `t` that are looked at, where an index of ids has those alone. */
  readonly among?: string
  /** SQL of what must not hold of an old row `t`; it waits for a later round. `$1` is the time, by a clock that nobody moved. */
  readonly unless?: string
  /** What is set instead of removing the row. */
  readonly set?: string
}

/** Rows that are looked at in one transaction: a few milliseconds, for which nobody waits long. */
export const lookedAtAtOnce = 1_000

interface Batch {
  readonly removed: bigint
  /** How many of those that were looked at are older. */
  readonly old: bigint
  readonly looked: bigint
  readonly last: string | null
}

/**
 * Removes the old ones among the next rows: `($1 older than this, by a clock that nobody moved, $2 behind this id, $3 how
 * many are looked at)`. Ids rise with time in all books, so the oldest are found along the key, however many there are and
 * however few may go.
 */
export function removeOld(retention: Retention): Statement {
  const { of, table, keys = ['id'], at = 'created_at', among = 'true', unless = 'false', set } = retention
  const [first] = keys
  const looked = [...keys, 'platform_id', 'environment'].map((column) => `t.${column}`).join(', ')
  // By their place in the table: a join by key reads all of a table that the planner believes to be empty. A row that
  // changed meanwhile has another place, and waits for the next round.
  const gone = `t.ctid = o.place and o.is_old and not (${unless})`
  return statement(
    `retention.remove ${of} ${table}`,
    `with oldest as materialized (
       select ${looked}, t.place,
         t.${at} < $1::timestamptz + coalesce(b.clock_offset_ms, 0) * interval '1 millisecond' as is_old
       from (select ${looked}, t.${at}, t.ctid as place from ${table} t
             where t.${first} > $2 and ${among} order by t.${first} limit $3) t
       left join books b on b.platform_id = t.platform_id and b.environment = t.environment
     ), gone as (
       ${set ? `update ${table} t set ${set} from oldest o where ${gone}` : `delete from ${table} t using oldest o where ${gone}`}
       returning 1
     )
     select (select count(*) from gone) as removed, count(*) filter (where is_old) as old, count(*) as looked,
       max(${first}) as last
     from oldest`,
  )
}

/**
 * Removes what is older than its setting allows, and says how much that was. Batch by batch, each a transaction of its
 * own, until none of the next are old: what comes in meanwhile is removed no slower than it came.
 */
export async function forgetOld(
  database: Database,
  retentions: readonly Retention[],
  days: RetentionDays,
  now: Instant,
): Promise<number> {
  let removed = 0
  for (const retention of retentions) {
    const kept = days[retention.of]
    if (kept) removed += await forgetTable(database, removeOld(retention), now - kept * dayMs)
  }
  return removed
}

const dayMs = 24 * 60 * 60_000

async function forgetTable(database: Database, remove: Statement, before: Instant): Promise<number> {
  let removed = 0
  let behind = ''
  for (;;) {
    const parameters = [toTimestamp(before), behind, lookedAtAtOnce]
    const [batch] = await database.maintenance((connection) => connection.query<Batch>(remove, parameters))
    const { removed: gone, old, looked, last } = batch!
    removed += Number(gone)
    if (old === 0n || looked < lookedAtAtOnce || last === null) return removed
    behind = last
  }
}
