import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { enterAsLogin } from './claims.ts'
import type { Database } from './database.ts'
import { type Connection, isSqlError, statement } from './driver.ts'
import { expectRows } from './expect-rows.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
}

const listApplied = statement(
  'migrations.list',
  'select name, checksum from corridor_migrations order by name',
)
const findTable = statement(
  'migrations.findTable',
  'select to_regclass(\'corridor_migrations\') is not null as "isThere"',
)
const recordApplied = statement(
  'migrations.record',
  'insert into corridor_migrations (name, checksum) values ($1, $2)',
)

/** The program and the database do not fit each other; nothing was changed. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused'
}

/** Two files of the first release share a number. Both stand in every database, so neither can be renamed. */
const knownTwins: ReadonlySet<string> = new Set(['0003_customers.sql', '0003_ownership_challenges.sql'])

/** Any two starters of one installation agree on this number, nothing else uses it. */
const lockNumber = 7_263_001

/** Reads the numbered files of a directory, in order. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(join(directory, name), 'utf8') })),
  )
}

/** `0012` of `0012_suspense_items.sql`. Numbers say the order, and may leave gaps. */
function numberOf(name: string): number {
  const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]
  if (!number) throw new MigrationRefused(`migration ${name} has no name like 0012_what_it_does.sql`)
  return Number(number)
}

/**
 * Refuses what cannot be put in one order for everybody: two files with one number, a file that would come
 * before one that has been applied already, and a database that knows files which this program does not.
 */
function assertOrder(migrations: readonly Migration[], applied: ReadonlySet<string>): void {
  const names = new Map<number, string>()
  for (const { name } of migrations) {
    const twin = names.get(numberOf(name))
    if (twin !== undefined && !(knownTwins.has(name) && knownTwins.has(twin))) {
      throw new MigrationRefused(`migrations ${twin} and ${name} have the same number`)
    }
    names.set(numberOf(name), name)
  }
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied].filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new MigrationRefused(
      `the database is newer than this program, which does not know ${unknown.join(', ')}: start the release that made it, or a later one`,
    )
  }
  const last = Math.max(0, ...[...applied].map(numberOf))
  const late = migrations.find(({ name }) => !applied.has(name) && numberOf(name) < last)
  if (late) {
    throw new MigrationRefused(
      `migration ${late.name} comes before one that this database has already: give it a number above ${last}`,
    )
  }
}

/**
 * Applies what is missing, one transaction per file. Two processes that start at once take turns, and
 * a file that changed after it was applied stops the start: migrations are append-only. Before anything is
 * done, the files and what the database has must stand in one order (`assertOrder`).
 */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<string[]> {
  return oneAtATime(database, async (connection) => {
    const done = await applyMissing(connection, migrations)
    // Also where a start ended before it came here.
    await connection.script(expectRows)
    return done
  })
}

/** The same without statistics: what a release of before has left, whose tables are not those of today. */
export async function applyMigrations(
  database: Database,
  migrations: readonly Migration[],
): Promise<string[]> {
  return oneAtATime(database, (connection) => applyMissing(connection, migrations))
}

async function oneAtATime<T>(database: Database, work: (connection: Connection) => Promise<T>): Promise<T> {
  return database.asLogin(async (connection) => {
    await connection.script(`select pg_advisory_lock(${lockNumber})`)
    try {
      return await work(connection)
    } finally {
      await connection.script(`select pg_advisory_unlock(${lockNumber})`)
    }
  })
}

async function applyMissing(connection: Connection, migrations: readonly Migration[]): Promise<string[]> {
  const [table] = await connection.query<{ isThere: boolean }>(findTable)
  // A login that owns nothing may not even ask for a table that is there.
  if (!table!.isThere) {
    await connection.script(
      'create table corridor_migrations (name text primary key, checksum text not null)',
    )
  }
  const applied = new Map(
    (await connection.query<{ name: string; checksum: string }>(listApplied)).map((row) => [
      row.name,
      row.checksum,
    ]),
  )
  assertOrder(migrations, new Set(applied.keys()))
  const done: string[] = []
  for (const { name, sql } of migrations) {
    const checksum = createHash('sha256').update(sql).digest('hex')
    const known = applied.get(name)
    if (known === checksum) continue
    if (known) throw new MigrationRefused(`migration ${name} was changed after it had been applied`)
    // What it does to rows it does to those of all books, from the migration on that asks for it.
    await enterAsLogin(connection)
    await connection.script('begin')
    try {
      await connection.script(sql)
      await connection.query(recordApplied, [name, checksum])
      await connection.script('commit')
    } catch (error) {
      await connection.script('rollback')
      if (isSqlError(error) && error.code === '42501') {
        throw new MigrationRefused(
          `the user of the database may not apply migration ${name}, ${error.message}`,
        )
      }
      throw new Error(`migration ${name} failed`, { cause: error })
    }
    done.push(name)
  }
  return done
}

const memberships = statement(
  'migrations.memberships',
  `select quote_ident($1::text) as login, array(
     select rolname::text from pg_roles
     where rolname in ('corridor_app', 'corridor_bound', 'corridor_system')
       and not pg_has_role($1::text, oid, 'MEMBER') order by 1) as missing`,
)

/**
 * Lets another login take the roles that the application works in; it owns nothing, and needs nothing else. Run by
 * the one that migrates.
 */
export async function admit(owner: Database, login: string): Promise<void> {
  await owner.asLogin(async (connection) => {
    type Found = { login: string; missing: string[] }
    const [found] = await connection.query<Found>(memberships, [login])
    if (found!.missing.length === 0) return
    const grant = `grant ${found!.missing.join(', ')} to ${found!.login}`
    try {
      await connection.script(grant)
    } catch (error) {
      if (!isSqlError(error) || error.code !== '42501') throw error
      throw new MigrationRefused(`the user that migrates may not do this, so a superuser has to: ${grant}`)
    }
  })
}
