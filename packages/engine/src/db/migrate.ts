import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from './database.ts'
import { statement } from './driver.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
}

const listApplied = statement(
  'migrations.list',
  'select name, checksum from corridor_migrations order by name',
)
const recordApplied = statement(
  'migrations.record',
  'insert into corridor_migrations (name, checksum) values ($1, $2)',
)

/** Any two starters of one installation agree on this number, nothing else uses it. */
const lockNumber = 7_263_001

/** Reads the numbered files of a directory, in order. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(join(directory, name), 'utf8') })),
  )
}

/**
 * Applies what is missing, one transaction per file. Two processes that start at once take turns, and
 * a file that changed after it was applied stops the start: migrations are append-only.
 */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<string[]> {
  return database.system(async (connection) => {
    await connection.script(`select pg_advisory_lock(${lockNumber})`)
    try {
      await connection.script(
        'create table if not exists corridor_migrations (name text primary key, checksum text not null)',
      )
      const applied = new Map(
        (await connection.query<{ name: string; checksum: string }>(listApplied)).map((row) => [
          row.name,
          row.checksum,
        ]),
      )
      const done: string[] = []
      for (const { name, sql } of migrations) {
        const checksum = createHash('sha256').update(sql).digest('hex')
        const known = applied.get(name)
        if (known === checksum) continue
        if (known) throw new Error(`migration ${name} was changed after it had been applied`)
        await connection.script('begin')
        try {
          await connection.script(sql)
          await connection.query(recordApplied, [name, checksum])
          await connection.script('commit')
        } catch (error) {
          await connection.script('rollback')
          throw new Error(`migration ${name} failed`, { cause: error })
        }
        done.push(name)
      }
      return done
    } finally {
      await connection.script(`select pg_advisory_unlock(${lockNumber})`)
    }
  })
}
