import { ok, toTimestamp } from '@corridor/kernel'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { insertRows } from '../db/write.ts'
import type { Engine } from '../engine.ts'
import type { Permission } from '../http/operation.ts'
import type { Book, Environment } from '../http/scope.ts'
import { newCredential } from '../tokens/index.ts'
import { initialConfiguration } from './initial-configuration.ts'

export interface NewPlatform {
  readonly name: string
  readonly environment: Environment
  readonly isRegulated: boolean
  readonly skipPaperwork: boolean
}

export interface ProvisionedPlatform extends NewPlatform {
  readonly platformId: string
  readonly clientId: string
  readonly clientSecret: string
}

/** What the rules need to know about a platform; fixed when the operator creates it (customers 1). */
export interface Platform {
  readonly id: string
  readonly name: string
  readonly isRegulated: boolean
  readonly skipPaperwork: boolean
}

const allPermissions: readonly Permission[] = ['VIEW', 'TRANSACT', 'MANAGE']

const upsertPlatform = statement(
  'platforms.upsert',
  `insert into platforms (id, name, is_regulated, skip_paperwork, created_at) values ($1, $2, $3, $4, $5)
   on conflict (name) do nothing`,
)
const findPlatform = statement(
  'platforms.find',
  `select id, name, is_regulated as "isRegulated", skip_paperwork as "skipPaperwork" from platforms where name = $1`,
)
const getPlatform = statement(
  'platforms.get',
  `select id, name, is_regulated as "isRegulated", skip_paperwork as "skipPaperwork" from platforms where id = $1`,
)
const anyPlatform = statement('platforms.any', 'select 1 as found from platforms limit 1')
const insertBook = statement(
  'platforms.insertBook',
  'insert into books (platform_id, environment) values ($1, $2) on conflict do nothing',
)

/**
 * Creates a platform, its book in one environment, its configuration with one internal account per
 * currency, and a first token with every permission. The secret is returned here and nowhere else.
 */
export async function provisionPlatform(engine: Engine, platform: NewPlatform): Promise<ProvisionedPlatform> {
  const { world, database } = engine
  const at = toTimestamp(world.now())
  const credential = newCredential(engine)
  const platformId = await database.system(async (connection) => {
    const { name, isRegulated, skipPaperwork } = platform
    await connection.query(upsertPlatform, [world.uuid(), name, isRegulated, skipPaperwork, at])
    const [row] = await connection.query<Platform>(findPlatform, [name])
    return row!.id
  })
  const book: Book = { platformId, environment: platform.environment }
  await database.transact(book, async (connection) => {
    const key = { platform_id: platformId, environment: platform.environment }
    await connection.query(insertBook, [platformId, platform.environment])
    for (const { table, rows } of initialConfiguration(engine, platform, book)) {
      await insertRows(
        connection,
        table,
        rows.map((row) => ({ ...key, ...row })),
        { ifAbsent: true },
      )
    }
    await insertRows(connection, 'tokens', [
      {
        ...key,
        id: credential.id,
        name: 'First token',
        client_id: credential.clientId,
        secret_hash: credential.secretHash,
        permissions: allPermissions,
        created_at: at,
        updated_at: at,
      },
    ])
    return ok(null)
  })
  const { clientId, clientSecret } = credential
  return { ...platform, platformId, clientId, clientSecret }
}

export async function hasPlatforms(database: Database): Promise<boolean> {
  const rows = await database.system((connection) => connection.query(anyPlatform))
  return rows.length > 0
}

const platformCache = new WeakMap<Database, Map<string, Platform>>()

/** A platform's fixed properties. They never change, so one look-up serves the life of the process. */
export async function loadPlatform(database: Database, book: Book): Promise<Platform> {
  let cache = platformCache.get(database)
  if (!cache) {
    cache = new Map()
    platformCache.set(database, cache)
  }
  let platform = cache.get(book.platformId)
  if (!platform) {
    const [row] = await database.system((connection) =>
      connection.query<Platform>(getPlatform, [book.platformId]),
    )
    platform = row!
    cache.set(book.platformId, platform)
  }
  return platform
}
