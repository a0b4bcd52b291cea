import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@corridor/engine/mechanisms/db/database.ts'
import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { dump } from '../../apps/server/src/backups/postgresql.ts'

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

/** The name of what a backup of the embedded database is: the bytes of its files, among them those of rows that are gone. */
export const bytesOfFiles = 'bytes'

const whereItIs = statement('canary.whereItIs', 'select current_database() as name')
const writeOut = statement('canary.writeOut', 'checkpoint')
const listFiles = statement(
  'canary.listFiles',
  `select 'base/' || d.oid || '/' || f as path from pg_database d, pg_ls_dir('base/' || d.oid) f
   where d.datname = current_database()
   union all select 'pg_wal/' || w.name from pg_ls_waldir() w`,
)
const readBytes = statement(
  'canary.readBytes',
  "select encode(pg_read_binary_file($1, 0, 1 << 28, true), 'base64') as bytes",
)

/**
 * What the command `backup` takes of the database: by `table.column` out of a dump of PostgreSQL, all of the embedded
 * database as `bytesOfFiles`.
 */
export async function placesInBackup(database: Database): Promise<Map<string, string>> {
  const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
  if (!serverUrl) return new Map([[bytesOfFiles, await embeddedFiles(database)]])
  const [{ name } = { name: '' }] = await database.asLogin((connection) =>
    connection.query<{ name: string }>(whereItIs),
  )
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const folder = mkdtempSync(join(tmpdir(), 'corridor-canaries-'))
  try {
    const file = join(folder, 'dump')
    await dump(url.href, file)
    const text = execFileSync('pg_restore', ['--file=-', file], { maxBuffer: 1 << 28 }).toString('utf8')
    return columnsInDump(text)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function embeddedFiles(database: Database): Promise<string> {
  return database.asLogin(async (connection) => {
    await connection.query(writeOut)
    const texts: string[] = []
    for (const { path } of await connection.query<{ path: string }>(listFiles)) {
      const [file] = await connection.query<{ bytes: string | null }>(readBytes, [path])
      if (file?.bytes) texts.push(Buffer.from(file.bytes, 'base64').toString('latin1'))
    }
    return texts.join('\n')
  })
}

/** The data of a dump by `table.column`, and everything else in it as `rest`. */
function columnsInDump(text: string): Map<string, string> {
  const found = new Map<string, string[]>()
  const put = (place: string, value: string) => {
    const known = found.get(place)
    if (known) known.push(value)
    else found.set(place, [value])
  }
  let columns: string[] | undefined
  for (const line of text.split('\n')) {
    const copied = /^COPY public\.(\w+) \((.*)\) FROM stdin;$/.exec(line)
    if (copied) columns = copied[2]!.split(', ').map((column) => `${copied[1]}.${column.replaceAll('"', '')}`)
    else if (line === '\\.') columns = undefined
    else if (columns) for (const [index, value] of line.split('\t').entries()) put(columns[index]!, value)
    else put('rest', line)
  }
  return new Map([...found].map(([place, values]) => [place, values.join('\n')]))
}

/**
 * The table of the guide: `plain` are the columns in which personal texts may stand unsealed, `stays` those of them that
 * erasure leaves.
 */
export function placesInGuide(markdown: string): { plain: Set<string>; stays: Set<string> } {
  const [, section = ''] = markdown.split('## Unencrypted data\n')
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
