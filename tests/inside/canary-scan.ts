import type { Database } from '@corridor/engine/mechanisms/db/database.ts'

/** What tests that look for personal data share: every row of the database as text, and what the guide allows. */

/** Every row of every table as text, by `table.column`. */
export async function columnsInDatabase(database: Database): Promise<Map<string, string>> {
  return database.asLogin(async (connection) => {
    const tables = await connection.query<{ name: string }>({
      name: 'canary.tables',
      text: `select table_name as name from information_schema.tables
             where table_schema = current_schema() and table_type = 'BASE TABLE'`,
    })
    const columns = new Map<string, string>()
    for (const { name } of tables) {
      const rows = await connection.query<{ row: Record<string, unknown> }>({
        name: `canary.${name}`,
        text: `select to_jsonb(t) as row from ${name} t`,
      })
      for (const { row } of rows) {
        for (const [column, value] of Object.entries(row)) {
          const place = `${name}.${column}`
          const text = typeof value === 'string' ? value : JSON.stringify(value)
          columns.set(place, `${columns.get(place) ?? ''}\n${text}`)
        }
      }
    }
    return columns
  })
}

/**
 * The table of the guide: `plain` are the columns in which personal texts may stand unsealed, `stays` those of them that
 * erasure leaves.
 */
export function placesInGuide(markdown: string): { plain: Set<string>; stays: Set<string> } {
  const [, section = ''] = markdown.split('## What is not, and why\n')
  const rows = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((row) => row.startsWith('| '))
  const plain = new Set<string>()
  const stays = new Set<string>()
  for (const row of rows.slice(2)) {
    const [, , where = '', , erased = ''] = row.split('|')
    for (const [, place = ''] of where.matchAll(/`([a-z_]+(?:\.[a-z_]+)?)`/g)) {
      plain.add(place)
      if (erased.trim() === 'stays') stays.add(place)
    }
  }
  return { plain, stays }
}
