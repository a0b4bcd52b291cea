import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { resetRole } from '@corridor/engine/mechanisms/db/claims.ts'
import { createDatabase } from '@corridor/engine/mechanisms/db/database.ts'
import { type Connection, type Driver, statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { admit, migrate, readMigrations } from '@corridor/engine/mechanisms/db/migrate.ts'
import { openPostgresql } from '@corridor/engine/mechanisms/db/postgresql.ts'
import type { Bootstrapped } from './bootstrap.ts'
import { type Config, StartRefused } from './config.ts'

/** What is done to a database, and asked of it, before anything is served from it. */

/** Beside this file once bundled, in the engine's folder when run from the sources. */
export function migrationsDirectory(): string {
  const bundled = join(import.meta.dirname, 'migrations')
  return existsSync(bundled) ? bundled : join(import.meta.dirname, '../../../packages/engine/migrations')
}

/** Brings the schema up to date, under a login of its own where there is one. Returns what was applied. */
export async function migrateFirst(driver: Driver, config: Config): Promise<string[]> {
  const migrations = await readMigrations(migrationsDirectory())
  if (!config.migrateDatabaseUrl) {
    const applied = await migrate(createDatabase(driver), migrations)
    if (driver.kind === 'pglite') await driver.use('maintenance', keepRequestLog)
    return applied
  }
  const owner = createDatabase(openPostgresql({ url: config.migrateDatabaseUrl }))
  try {
    const applied = await migrate(owner, migrations)
    const [user] = await driver.use('maintenance', (connection) =>
      connection.query<{ login: string }>(whoAmI),
    )
    await admit(owner, user!.login)
    return applied
  } finally {
    await owner.close()
  }
}

/**
 * An embedded database is copied as a killed one would be found, and what stands outside of its log is empty then: forks and
 * snapshots would have no requests. On a server nothing of a copy is lost, and the log is shorter without them (migration 0119).
 */
async function keepRequestLog(connection: Connection): Promise<void> {
  await resetRole(connection)
  const [found] = await connection.query<{ isUnlogged: boolean }>(findRequestLog)
  if (found?.isUnlogged) await connection.query(logRequests)
}

const findRequestLog = statement(
  'wiring.findRequestLog',
  `select relpersistence = 'u' as "isUnlogged" from pg_class where oid = 'request_log'::regclass`,
)
const logRequests = statement('wiring.logRequests', 'alter table request_log set logged')

const whoAmI = statement('wiring.whoAmI', 'select session_user::text as login')

/** Whether the login could change the policies that it is held to. */
export async function isPowerful(driver: Driver): Promise<boolean> {
  const [found] = await driver.use('maintenance', (connection) =>
    connection.query<{ isPowerful: boolean }>(findPower),
  )
  return found!.isPowerful
}

const findPower = statement(
  'wiring.findPower',
  `select rolsuper or rolbypassrls or pg_has_role(session_user, (
     select relowner from pg_class where oid = to_regclass('books')), 'MEMBER') as "isPowerful"
   from pg_roles where rolname = session_user`,
)

const anyProduction = statement(
  'wiring.anyProduction',
  "select 1 as found from books where environment = 'PRODUCTION' limit 1",
)

export async function refuseProduction(driver: Driver, config: Config): Promise<void> {
  const isEmbedded = driver.kind === 'pglite' && !config.allowsEmbeddedProduction
  if (!isEmbedded && config.seed === undefined) return
  const found = await createDatabase(driver).system((connection) => connection.query(anyProduction))
  if (found.length === 0) return
  throw new StartRefused(
    config.seed === undefined
      ? 'This embedded database contains production platforms, and a power failure can damage it. Move to PostgreSQL with DATABASE_URL, or accept the risk with CORRIDOR_ALLOW_EMBEDDED_PRODUCTION=on.'
      : 'This database contains production platforms, and their secrets must not come from a seed. Unset CORRIDOR_SEED.',
  )
}

/** Any two starters of one installation agree on this number, nothing else uses it. */
const bootstrapLock = 7_263_002

/** Two processes that start on one empty server take turns. The embedded database has one process anyway. */
export async function oneAtATime(driver: Driver, work: () => Promise<Bootstrapped>): Promise<Bootstrapped> {
  if (driver.kind === 'pglite') return work()
  return driver.use('maintenance', async (connection) => {
    await connection.script(`select pg_advisory_lock(${bootstrapLock})`)
    try {
      return await work()
    } finally {
      await connection.script(`select pg_advisory_unlock(${bootstrapLock})`)
    }
  })
}
