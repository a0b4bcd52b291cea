import { assert, failed, ok, type Result, toTimestamp } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { type Connection, statement } from '../../mechanisms/db/driver.ts'
import { transactNoted } from '../../mechanisms/db/noted.ts'
import { insertRows } from '../../mechanisms/db/write.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Permission } from '../../vocabulary/operation.ts'
import type { Actor, Book, Environment } from '../../vocabulary/scope.ts'
import { newCredential } from '../tokens/index.ts'
import { initialConfiguration } from './initial-configuration.ts'
import type { PlatformSettings } from './platform-settings.ts'

export interface NewPlatform {
  readonly name: string
  readonly environment: Environment
  readonly isRegulated: boolean
  readonly skipPaperwork: boolean
  readonly settings?: PlatformSettings
}

export interface ProvisionedPlatform extends Omit<NewPlatform, 'settings'> {
  readonly platformId: string
  readonly tokenId: string
  readonly clientId: string
  readonly clientSecret: string
  /** Verifies the webhooks of the platform in this environment, in PEM. */
  readonly webhookPublicKey: string
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
  `insert into books (platform_id, environment, settings) values ($1, $2, $3) on conflict do nothing
   returning platform_id`,
)
const insertDomain = statement(
  'platforms.insertDomain',
  `insert into uma_domains (environment, domain, platform_id) values ($1, $2, $3) on conflict do nothing
   returning domain`,
)

/**
 * Creates a platform (or gives an existing one its other environment), the book with its configuration
 * and one internal account per currency, and a first token with every permission. The secret is returned
 * here and nowhere else. Fails with CONFLICT when the book exists or the platform is of another kind.
 */
export async function createPlatform(
  engine: Engine,
  platform: NewPlatform,
  by?: Actor,
): Promise<Result<ProvisionedPlatform, Failure>> {
  const { world, database } = engine
  const { name, environment, isRegulated, skipPaperwork, settings = {} } = platform
  const at = toTimestamp(world.now())
  const credential = newCredential(engine)
  const stored = await database.system(async (connection) => {
    await connection.query(upsertPlatform, [world.uuid(), name, isRegulated, skipPaperwork, at])
    const [row] = await connection.query<Platform>(findPlatform, [name])
    return row!
  })
  if (stored.isRegulated !== isRegulated || stored.skipPaperwork !== skipPaperwork) {
    return failed(fail('CONFLICT', { reason: 'PLATFORM_OF_ANOTHER_KIND', id: stored.id }))
  }
  const platformId = stored.id
  const book: Book = { platformId, environment }
  const webhookKey = engine.keys.newWebhookKey(book)
  const configuration = await initialConfiguration(engine, book)
  const created = await transactNoted(database, book, by, async (connection) => {
    const books = await connection.query(insertBook, [platformId, environment, JSON.stringify(settings)])
    if (books.length === 0) {
      return failed(fail('CONFLICT', { reason: 'PLATFORM_EXISTS', id: platformId }))
    }
    const umaDomain = await takeDomain(connection, book, name)
    for (const { table, rows } of configuration(umaDomain)) {
      insertRows(connection, book, table, rows)
    }
    insertRows(connection, book, 'webhook_keys', [webhookKey.row])
    insertRows(connection, book, 'tokens', [
      {
        id: credential.id,
        name: 'First token',
        client_id: credential.clientId,
        secret_hash: credential.secretHash,
        permissions: allPermissions,
        created_at: at,
        updated_at: at,
      },
    ])
    return ok({ body: { id: platformId } })
  })
  if (!created.ok) return created
  const { id: tokenId, clientId, clientSecret } = credential
  const { publicKey: webhookPublicKey } = webhookKey
  const kind = { name, environment, isRegulated, skipPaperwork }
  return ok({ ...kind, platformId, tokenId, clientId, clientSecret, webhookPublicKey })
}

/** Creates a platform that cannot exist yet: the first ones of an installation, and those of tests. */
export async function provisionPlatform(engine: Engine, platform: NewPlatform): Promise<ProvisionedPlatform> {
  const created = await createPlatform(engine, platform)
  assert(created.ok, `the platform ${platform.name} is new`)
  return created.value
}

/** The domain of the platform's name; two names may read alike, so a taken one gets part of the id. */
async function takeDomain(connection: Connection, book: Book, name: string): Promise<string> {
  const label = domainLabel(name)
  for (const candidate of [label, `${label}-${book.platformId.slice(-12)}`]) {
    const domain = `${candidate}.${umaDomainOfInstallation}`
    const taken = await connection.query(insertDomain, [book.environment, domain, book.platformId])
    if (taken.length > 0) return domain
  }
  throw new Error('a domain with the platform id in it is free')
}

const umaDomainOfInstallation = 'uma.corridor.example'

function domainLabel(name: string): string {
  const label = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '')
  return label || 'platform'
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
