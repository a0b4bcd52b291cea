import { assert } from '@corridor/kernel'
import type { GuardedTable, Requirement } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { textColumn } from './columns.ts'
import { type Connection, type Statement, statement } from './driver.ts'

/** What must be true of a row that was not read before it was decided about. */
export type Guard = Pick<Requirement, 'table' | 'id' | 'version' | 'from'>

/** Made once for each table. A table need not have a status that no guard names. */
const texts = new Map<string, Statement>()

/** `share` is for rows that are only required: those who require the same one need not wait for each other. */
function guardRows(table: GuardedTable, strength: 'update' | 'share', readsStatus: boolean): Statement {
  const name = `guard ${table} for ${strength}${readsStatus ? ' by status' : ''}`
  let known = texts.get(name)
  if (!known) {
    assert(/^[a-z_]+$/.test(table), `${table} is the name of a table`)
    known = statement(
      name,
      `select corridor_outdated(v.id)
       from unnest($3::text::text[], $4::text::bigint[], $5::text::text[]) v(id, version, statuses)
       left join lateral (
         select t.version, ${readsStatus ? "coalesce(t.status, '')" : "''"} as status from ${table} t
         where t.platform_id = $1 and t.environment = $2 and t.id = v.id for ${strength}
       ) t on true
       where t.version is null or t.version <> v.version
         or not t.status = any(string_to_array(v.statuses, ' '))`,
    )
    texts.set(name, known)
  }
  return known
}

/**
 * Locks the rows of these guards until the transaction ends, and fails it where one is not as it was taken to be
 * (`isOutdated`). Handed over, not waited for. In the order of tables and ids in which `loadState` locks, so that two
 * transactions never wait for each other in a ring.
 */
export function requireGuards(
  connection: Connection,
  { platformId, environment }: Book,
  guards: readonly Guard[],
  isUpdated: (table: GuardedTable) => boolean,
): void {
  const byTable = new Map<GuardedTable, Map<string, Guard>>()
  for (const guard of guards) {
    const { table, id, version, from } = guard
    const known = byTable.get(table) ?? new Map<string, Guard>()
    byTable.set(table, known)
    known.set(`${id} ${version} ${from}`, guard)
  }
  for (const table of [...byTable.keys()].sort()) {
    const rows = [...byTable.get(table)!.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
    const byStatus = rows.some(({ from }) => from)
    const text = guardRows(table, isUpdated(table) ? 'update' : 'share', byStatus)
    void connection.query(text, [
      platformId,
      environment,
      textColumn(rows, ({ id }) => id),
      textColumn(rows, ({ version }) => version?.toString() ?? null),
      textColumn(rows, ({ from }) => from?.join(' ') ?? null),
    ])
  }
}
