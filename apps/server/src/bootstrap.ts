import { type Connection, statement } from '@corridor/engine/db/driver.ts'
import type { Engine } from '@corridor/engine/engine.ts'
import type { Environment } from '@corridor/engine/http/scope.ts'
import { apiVersion } from '@corridor/engine/http/version.ts'
import { createPlatform, type NewPlatform } from '@corridor/engine/platforms/index.ts'
import { newCredential } from '@corridor/engine/tokens/index.ts'
import { assert, toTimestamp } from '@corridor/kernel'

/** What the first start leaves in `credentials.json`. */
export interface Credentials {
  readonly operatorKey: string
  /** With the version segment, as clients take it. */
  readonly baseUrl: string
  readonly webhookPublicKey: string
  readonly platforms: readonly {
    readonly name: string
    readonly environment: Environment
    readonly regulated: boolean
    readonly skipPaperwork: boolean
    readonly clientId: string
    readonly clientSecret: string
  }[]
}

type FirstPlatform = NewPlatform & { readonly clientId: string; readonly clientSecret: string }

/** One platform for each way an operator can set one up, so that a newcomer can try them all. */
const firstPlatforms: readonly NewPlatform[] = [
  { name: 'acme', environment: 'SANDBOX', isRegulated: false, skipPaperwork: false },
  { name: 'breeze', environment: 'SANDBOX', isRegulated: false, skipPaperwork: true },
  { name: 'civic', environment: 'SANDBOX', isRegulated: true, skipPaperwork: false },
]

const operatorKeyId = 'operator'

const findOperatorKey = statement(
  'bootstrap.findOperatorKey',
  'select sealed_part as "hash" from installation_keys where id = $1',
)
const storeOperatorKey = statement(
  'bootstrap.storeOperatorKey',
  `insert into installation_keys (id, purpose, sealed_part, created_at) values ($1, 'operator', $2, $3)
   on conflict (id) do update set sealed_part = excluded.sealed_part`,
)
const replaceCredential = statement(
  'bootstrap.replaceCredential',
  `update tokens t set client_id = $3, secret_hash = $4 from platforms p
   where p.name = $1 and t.platform_id = p.id and t.environment = $2`,
)

export interface Bootstrapped {
  readonly operatorKeyHash: string
  /** Present when this start was the one that set the installation up. */
  readonly credentials?: Credentials
}

/**
 * Sets up an empty installation: platforms, then the file with their credentials, and the hash of the
 * operator key last. That hash marks the work as done. A start that is killed before it begins again from
 * the front, so there is never an installation that nobody can log in to.
 */
export async function bootstrap(
  engine: Engine,
  options: { readonly operatorKey: string | undefined; readonly save: (credentials: Credentials) => void },
): Promise<Bootstrapped> {
  const { database, keys, world, settings } = engine
  const known = await database.system(async (connection) => {
    const [row] = await connection.query<{ hash: string }>(findOperatorKey, [operatorKeyId])
    return row?.hash
  })
  if (known !== undefined) {
    const { operatorKey } = options
    if (operatorKey === undefined || keys.matchesSecret(operatorKey, known)) return { operatorKeyHash: known }
    return { operatorKeyHash: await storeHash(operatorKey) }
  }

  const platforms: FirstPlatform[] = []
  for (const platform of firstPlatforms) {
    platforms.push({ ...platform, ...(await credentialsOf(engine, platform)) })
  }
  const operatorKey =
    options.operatorKey ?? `operator_${Buffer.from(world.randomBytes(32)).toString('base64url')}`
  const credentials: Credentials = {
    operatorKey,
    baseUrl: `${settings.baseUrl}/${apiVersion}`,
    webhookPublicKey: keys.webhookPublicKeys('SANDBOX')[0]!,
    platforms: platforms.map(({ name, environment, isRegulated, skipPaperwork, clientId, clientSecret }) => ({
      name,
      environment,
      regulated: isRegulated,
      skipPaperwork,
      clientId,
      clientSecret,
    })),
  }
  options.save(credentials)
  return { operatorKeyHash: await storeHash(operatorKey), credentials }

  async function storeHash(key: string): Promise<string> {
    const hash = keys.hashSecret(key)
    await database.system((connection: Connection) =>
      connection.query(storeOperatorKey, [operatorKeyId, hash, toTimestamp(world.now())]),
    )
    return hash
  }
}

/** Creates a platform, or gives one that an unfinished bootstrap left new credentials: nobody knows the old. */
async function credentialsOf(
  engine: Engine,
  platform: NewPlatform,
): Promise<{ clientId: string; clientSecret: string }> {
  const created = await createPlatform(engine, platform)
  if (created.ok) return created.value
  assert(created.failure.details.reason === 'PLATFORM_EXISTS', `platform ${platform.name} can be made`)
  const { clientId, clientSecret, secretHash } = newCredential(engine)
  await engine.database.system((connection) =>
    connection.query(replaceCredential, [platform.name, platform.environment, clientId, secretHash]),
  )
  return { clientId, clientSecret }
}

/** A first call that works as it stands, for the terminal of whoever has just started Corridor. */
export function firstCall(credentials: Credentials, credentialsPath: string): string {
  const [platform] = credentials.platforms
  return `
Corridor is ready. Three platforms to play with, in a simulated world where no money moves,
are in ${credentialsPath}. A first call, as the platform "${platform!.name}":

  curl -u ${platform!.clientId}:${platform!.clientSecret} \\
    ${credentials.baseUrl}/platform/internal-accounts

The API to read and to try: ${credentials.baseUrl.replace(`/${apiVersion}`, '')}/docs
`
}
