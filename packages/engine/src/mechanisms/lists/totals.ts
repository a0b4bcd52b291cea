import type { Book } from '../../vocabulary/scope.ts'
import { batchedLoad } from '../db/batched-loads.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'

/**
 * How many rows the large lists have, kept by triggers (migration 0054): each statement that adds rows, or takes them
 * away, writes how many as a row of `list_totals`. So no two batches wait for each other, and a total is right in the
 * transaction that changed it and for nobody before.
 */
export interface KeptTotal {
  /** A table whose total is kept. */
  readonly list: string
  /** Which of its rows, as the migration names them. */
  readonly parts: readonly string[]
}

/** Those of a book are few, so all that requests ask at once are one statement. */
const load = batchedLoad<{ readonly id: string; readonly part: string; readonly rows: bigint }>(
  statement(
    'lists.totals',
    `select list as id, part, sum(rows)::bigint as rows from list_totals
     where platform_id = $1 and environment = $2 and list = any($3::text[]) group by list, part`,
  ),
)

/** The rows of a list in a book, whatever their number. */
export async function keptTotal(database: Database, book: Book, { list, parts }: KeptTotal): Promise<number> {
  const found = await load(database, book, [list])
  return Number(found.reduce((total, { part, rows }) => (parts.includes(part) ? total + rows : total), 0n))
}

/** At a time, so that no round takes long. */
const listsPerRound = 500

/**
 * What is summed up is removed by the same statement, so a reader sees the one or the other. Two processes may do it at
 * once: each row is removed by one of them, and added up by that one.
 */
const sumUp = statement(
  'lists.sumUp',
  `with grown as materialized (
     select platform_id, environment, list, part from list_totals where not is_sum
     group by platform_id, environment, list, part limit ${listsPerRound}
   ), removed as (
     delete from list_totals t using grown g
     where t.platform_id = g.platform_id and t.environment = g.environment and t.list = g.list and t.part = g.part
     returning t.platform_id, t.environment, t.list, t.part, t.rows
   )
   insert into list_totals (platform_id, environment, list, part, rows, is_sum)
   select platform_id, environment, list, part, sum(rows), true from removed
   group by platform_id, environment, list, part`,
)

/** Leaves one row for each list that has grown, so that its total stays one row to read. */
export async function sumUpTotals(database: Database): Promise<void> {
  await database.maintenance((connection) => connection.query(sumUp))
}
