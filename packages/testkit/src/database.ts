import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createDatabase } from '@corridor/engine/mechanisms/db/database.ts'
import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import { admit, migrate, readMigrations } from '@corridor/engine/mechanisms/db/migrate.ts'
import { openPglite } from '@corridor/engine/mechanisms/db/pglite.ts'
import { openPostgresql } from '@corridor/engine/mechanisms/db/postgresql.ts'
import pg from 'pg'
import { noteStatements } from './answered-statements.ts'
import { openReused } from './reused-database.ts'

const migrationsDirectory = fileURLToPath(new URL('../../engine/migrations', import.meta.url))

/** Names set by the global set-up and read by every test file. */
export const templateVariables = {
  pglite: 'CORRIDOR_TEST_PGLITE_TEMPLATE',
  postgresql: 'CORRIDOR_TEST_POSTGRESQL_TEMPLATE',
} as const

/** Of the folder for what is made once for many test files; it is removed after all of them. */
export const madeOnceVariable = 'CORRIDOR_TEST_FOLDER'

/** A migrated database of its own for one test file, on the engine this run tests. */
export async function openTestDatabase(): Promise<Driver> {
  return noteStatements(await openCopy())
}

async function openCopy(): Promise<Driver> {
  const template = process.env[templateVariables.postgresql]
  if (template) return openFromTemplate(template)
  const dump = process.env[templateVariables.pglite]
  return dump
    ? openReused(async () => openPglite({ loadFrom: blobOf(await readFile(dump)) }))
    : openMigrated()
}

/** Hands out the bytes themselves: a true Blob copies them three times, which was a fifth of opening a database. */
function blobOf(bytes: Buffer): Blob {
  return Object.assign(new Blob(), { arrayBuffer: async () => new Uint8Array(bytes).buffer })
}

/** An embedded database with all tables, in memory or in a directory, which may begin as a copy of an empty cluster. */
export async function openMigrated(
  directory?: string,
  template?: string,
): Promise<Awaited<ReturnType<typeof openPglite>>> {
  const driver = await openPglite({ ...(directory ? { directory } : {}), ...(template ? { template } : {}) })
  await migrate(createDatabase(driver), await readMigrations(migrationsDirectory))
  return driver
}

export async function migrateUrl(url: string): Promise<void> {
  const driver = openPostgresql({ url })
  const database = createDatabase(driver)
  await migrate(database, await readMigrations(migrationsDirectory))
  await makeApplicationLogin(url)
  await admit(database, application)
  await driver.close()
}

let made = 0

/** Requests and jobs run as a login that owns nothing; migrations, and tests that tamper, as the owner. */
async function openFromTemplate(template: string): Promise<Driver> {
  const name = `${new URL(template).pathname.slice(1)}_${process.pid}_${made++}`
  const url = await createMigratedDatabase(template, name)
  const owner = openPostgresql({ url })
  const driver = openPostgresql({ url: asApplication(url) })
  return {
    ...driver,
    use: (lane, work) => (lane === 'maintenance' ? owner : driver).use(lane, work),
    async close() {
      await Promise.all([driver.close(), owner.close()])
      await admin(template, `drop database if exists ${name} with (force)`)
    },
  }
}

/** An empty database with all tables, as an installation leaves it before its first start. Returns its address. */
export async function createMigratedDatabase(serverUrl: string, name: string): Promise<string> {
  const source = new URL(process.env[templateVariables.postgresql]!).pathname.slice(1)
  await admin(serverUrl, `create database ${name} template ${source}`)
  // What migration 0037 does to a database; a copy has its tables alone.
  await admin(serverUrl, `revoke temporary on database ${name} from public`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

const application = 'corridor_test_application'

/** The address of a database under a login that owns nothing in it. */
export function asApplication(url: string): string {
  const under = new URL(url)
  under.username = application
  under.password = application
  return under.href
}

/** Makes that login, once for the server. Who migrates admits it. */
export async function makeApplicationLogin(serverUrl: string): Promise<void> {
  await admin(
    serverUrl,
    `do $$ begin
       perform pg_advisory_xact_lock(7263003);
       if not exists (select from pg_roles where rolname = '${application}') then
         create role ${application} login password '${application}';
       end if;
     end $$`,
  )
}

/** Runs a statement on the maintenance database of the same server; templates must have no sessions. */
export async function admin(serverUrl: string, text: string): Promise<void> {
  const url = new URL(serverUrl)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Drops a database and the copies that a server on it has made of its sandbox, which outlive that server. */
export async function dropWithCopies(serverUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  const { rows } = await client.query<{ datname: string; text: string | null }>(
    `select datname, shobj_description(oid, 'pg_database') as text from pg_database
     where datname = $1 or datname like 'corridor\\_copy\\_%'`,
    [name],
  )
  for (const { datname, text } of rows) {
    if (datname !== name && JSON.parse(text ?? '{}').corridor !== name) continue
    await client.query(`drop database if exists ${client.escapeIdentifier(datname)} with (force)`)
  }
  await client.end()
}

/** A connection to the server of an address as it is, also where that names the folder of a socket: for what stands in between. */
export function connectionTo(serverUrl: string): Socket {
  const url = new URL(serverUrl)
  const folder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  return folder?.startsWith('/') ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, url.hostname)
}

/** The same address by way of a port of this machine. */
export function throughPort(address: string, port: number): URL {
  const url = new URL(address)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url
}
