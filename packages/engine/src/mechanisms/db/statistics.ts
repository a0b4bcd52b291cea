import type { Database } from './database.ts'
import { statement } from './driver.ts'

const changedTables = statement(
  'statistics.changedTables',
  `select format('%I.%I', schemaname, relname) as "table" from pg_stat_user_tables
   where schemaname = current_schema() and n_mod_since_analyze > 0.5 * n_live_tup
     + case when greatest(analyze_count, autoanalyze_count) = 0 then 20 else 200 end`,
)

/** The owner of the tables does it, whoever we are. */
const analyze = statement('statistics.analyze', 'select corridor_analyze($1::text::regclass)')

/**
 * Tells the planner about tables that have grown. Without statistics it takes a whole book for a single
 * row and reads all of it where it could reach one by its key, a hundredfold slower. A server's own
 * housekeeping comes by once a minute; the embedded database has none. Returns how many tables it told of.
 */
export async function refreshStatistics(database: Database): Promise<number> {
  return database.maintenance(async (connection) => {
    const tables = await connection.query<{ table: string }>(changedTables)
    for (const { table } of tables) await connection.query(analyze, [table])
    return tables.length
  })
}
