import { type Instant, toTimestamp } from '@corridor/kernel'
import { type Environment, installationBook } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { type Statement, statement } from '../db/driver.ts'

/** What is kept for a time of its own, in days; absent or 0: for ever. */
export interface RetentionDays {
  /** Events that were told, given up, or had nobody to be told to. */
  readonly events?: number | undefined
  /** What endpoints answered to attempts that failed. */
  readonly deliveries?: number | undefined
  /** Messages to end users. */
  readonly messages?: number | undefined
  /** What was asked for and is over: lookups, what was to be signed, proposals. */
  readonly requests?: number | undefined
}

/** Rows that go after a time, declared by the feature whose table it is. */
export interface Retention {
  readonly of: keyof RetentionDays
  /** A table of books whose rows have an `id`. */
  readonly table: string
  /** The column whose time counts, by the clock of the book. */
  readonly since: string
  /** What rises with it and is indexed behind the book, where `since` itself is not. */
  readonly along?: string
  /** SQL of the rows of that index, where it is of some alone. */
  readonly among?: string
  /** SQL of what must hold of an old row `t` besides; others wait for the next round. */
  readonly unless?: string
  /** What is set instead of removing the row. */
  readonly set?: string
}

/** Rows in one transaction: a few milliseconds, for which nobody waits long. */
export const removedAtOnce = 1_000

interface OldBook {
  readonly platformId: string
  readonly environment: Environment
  /** Older than this by the clock of the book. */
  readonly before: Instant
}

/** Books whose oldest row is too old: `($1 the time by a clock that nobody moved)`. One look at the index for each. */
export function booksWithOld({ of, table, since, along = since, among = 'true' }: Retention): Statement {
  return statement(
    `retention.books ${of} ${table}`,
    `select b.platform_id as "platformId", b.environment,
       $1::timestamptz + b.clock_offset_ms * interval '1 millisecond' as before
     from (select platform_id, environment, clock_offset_ms from books
           union all select '${installationBook.platformId}'::uuid, '${installationBook.environment}', 0) b
     where (select t.${since} from ${table} t
            where t.platform_id = b.platform_id and t.environment = b.environment and ${among}
            order by t.${along} limit 1) < $1::timestamptz + b.clock_offset_ms * interval '1 millisecond'`,
  )
}

/**
 * Removes some of the oldest rows of a book: `($1 platform, $2 environment, $3 before, $4 how many are looked at)` → how
 * many went. What is looked at is bounded, however many there are and however few may go.
 */
export function removeOld(retention: Retention): Statement {
  const { of, table, since, along = since, among = 'true', unless = 'false', set } = retention
  const rows = `t.platform_id = $1 and t.environment = $2`
  const old = `${rows} and t.id = o.id and t.${since} < $3 and not (${unless})`
  return statement(
    `retention.remove ${of} ${table}`,
    `with oldest as materialized (
       select t.id from ${table} t where ${rows} and ${among} order by t.${along} limit $4
     ), gone as (
       ${set ? `update ${table} t set ${set} from oldest o where ${old}` : `delete from ${table} t using oldest o where ${old}`}
       returning 1
     )
     select count(*) as count from gone`,
  )
}

/**
 * Removes what is older than its setting allows. Batch by batch, each a transaction of its own, until nothing is left
 * that may go: what comes in meanwhile is removed no slower than it came.
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
    if (!kept) continue
    const before = toTimestamp(now - kept * dayMs)
    const books = await database.maintenance((connection) =>
      connection.query<OldBook>(booksWithOld(retention), [before]),
    )
    for (const book of books) removed += await forgetOfBook(database, retention, book)
  }
  return removed
}

const dayMs = 24 * 60 * 60_000

async function forgetOfBook(database: Database, retention: Retention, book: OldBook): Promise<number> {
  const { platformId, environment, before } = book
  const parameters = [platformId, environment, toTimestamp(before), removedAtOnce]
  const remove = removeOld(retention)
  for (let total = 0; ; ) {
    const [gone] = await database.write<{ count: bigint }>({ platformId, environment }, remove, parameters)
    const count = Number(gone!.count)
    if (count === 0) return total
    total += count
  }
}
