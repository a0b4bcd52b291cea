import { createOperator } from '@corridor/engine/access/operators/index.ts'
import { type Connection, statement } from '@corridor/engine/mechanisms/db/driver.ts'
import type { Engine } from '@corridor/engine/mechanisms/feature/engine.ts'
import { createPlatform, type NewPlatform } from '@corridor/engine/platform/platforms/index.ts'
import { newCredential } from '@corridor/engine/platform/tokens/index.ts'
import { type Environment, installationBook } from '@corridor/engine/vocabulary/scope.ts'
import { apiVersion } from '@corridor/engine/vocabulary/version.ts'
import { assert, toTimestamp } from '@corridor/kernel'
import { StartRefused } from './config.ts'

/** What the first start leaves in `credentials.json`. */
export interface Credentials {
  readonly operatorKey: string
  /** Makes the key of the first administrator, once and within three days (`POST /operator/join`). */
  readonly operatorJoinCode: string
  /** With the version segment, as clients take it. */
  readonly baseUrl: string
  readonly platforms: readonly {
    readonly name: string
    readonly environment: Environment
    readonly regulated: boolean
    readonly skipPaperwork: boolean
    readonly clientId: string
    readonly clientSecret: string
    /** Verifies its webhooks, in PEM. */
    readonly webhookPublicKey: string
  }[]
}

interface FirstCredentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookPublicKey: string
}

type FirstPlatform = NewPlatform & FirstCredentials

/** One platform for each way an operator can set one up, so that a newcomer can try them all. */
const firstPlatforms: readonly NewPlatform[] = [
  { name: 'acme', environment: 'SANDBOX', isRegulated: false, skipPaperwork: false },
  { name: 'breeze', environment: 'SANDBOX', isRegulated: false, skipPaperwork: true },
  { name: 'civic', environment: 'SANDBOX', isRegulated: true, skipPaperwork: false },
]

const operatorKeyId = 'operator'

/** The current one, and those it took the place of. */
const findOperatorKeys = statement(
  'bootstrap.findOperatorKeys',
  `select id, sealed_part as "hash" from installation_keys where purpose = 'operator'`,
)
const retireOperatorKey = statement(
  'bootstrap.retireOperatorKey',
  `insert into installation_keys (id, purpose, sealed_part, created_at)
   select $2, purpose, sealed_part, $3 from installation_keys where id = $1`,
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
  const rows = await loadOperatorKeys(database)
  const known = rows.find(({ id }) => id === operatorKeyId)?.hash
  if (known !== undefined) {
    const { operatorKey } = options
    if (operatorKey === undefined || keys.matchesSecret(operatorKey, known)) return {}
    // Else a process that was left behind with the old key would bring it back when it starts again.
    if (rows.some(({ hash }) => keys.matchesSecret(operatorKey, hash))) {
      throw new StartRefused(
        'CORRIDOR_OPERATOR_KEY is an old key that was replaced. Use the newest key or create another key.',
      )
    }
    const retired = `${operatorKeyId} until ${toTimestamp(world.now())}`
    await database.system((connection) =>
      connection.query(retireOperatorKey, [operatorKeyId, retired, toTimestamp(world.now())]),
    )
    await storeHash(operatorKey)
    return {}
  }

  const platforms: FirstPlatform[] = []
  for (const platform of firstPlatforms) {
    platforms.push({ ...platform, ...(await credentialsOf(engine, platform)) })
  }
  const operatorKey =
    options.operatorKey ?? `operator_${Buffer.from(world.randomBytes(32)).toString('base64url')}`
  const credentials: Credentials = {
    operatorKey,
    operatorJoinCode: await firstAdministrator(engine),
    baseUrl: `${settings.baseUrl}/${apiVersion}`,
    platforms: platforms.map(({ name, environment, isRegulated, skipPaperwork, ...credential }) => ({
      name,
      environment,
      regulated: isRegulated,
      skipPaperwork,
      clientId: credential.clientId,
      clientSecret: credential.clientSecret,
      webhookPublicKey: credential.webhookPublicKey,
    })),
  }
  options.save(credentials)
  await storeHash(operatorKey)
  return { credentials }

  async function storeHash(key: string): Promise<void> {
    await database.system((connection: Connection) =>
      connection.query(storeOperatorKey, [operatorKeyId, keys.hashSecret(key), toTimestamp(world.now())]),
    )
  }
}

/** An account for whoever holds the credentials of the first start. */
async function firstAdministrator(engine: Engine): Promise<string> {
  const actor = { id: 'system', permissions: [] }
  const scope = { ...installationBook, actor, now: engine.world.now() }
  const made = await createOperator(engine, scope, { name: 'First administrator', role: 'ADMINISTRATOR' })
  assert(made.ok, 'the account can be created')
  return (made.value.body as { joinCode: string }).joinCode
}

function loadOperatorKeys(database: Engine['database']): Promise<{ id: string; hash: string }[]> {
  return database.system((connection) => connection.query(findOperatorKeys))
}

/** Less than the two seconds within which a changed key ends the old one in every process. */
const operatorKeyCacheMs = 1_500

/** Whether a text is the operator's key: asked of the database, because another process may have changed it. */
export function operatorKeyCheck({ database, keys, world }: Engine): (key: string) => Promise<boolean> {
  let known: { readonly hash: string | undefined; readonly until: number } | undefined
  return async (key) => {
    if (!known || known.until <= world.now()) {
      const until = world.now() + operatorKeyCacheMs
      const rows = await loadOperatorKeys(database)
      known = { hash: rows.find(({ id }) => id === operatorKeyId)?.hash, until }
    }
    return known.hash !== undefined && keys.matchesSecret(key, known.hash)
  }
}

/** Creates a platform, or gives one that an unfinished bootstrap left new credentials: nobody knows the old. */
async function credentialsOf(engine: Engine, platform: NewPlatform): Promise<FirstCredentials> {
  const created = await createPlatform(engine, platform)
  if (created.ok) return created.value
  assert(created.failure.details.reason === 'PLATFORM_EXISTS', `platform ${platform.name} can be created`)
  const { clientId, clientSecret, secretHash } = newCredential(engine)
  await engine.database.system((connection) =>
    connection.query(replaceCredential, [platform.name, platform.environment, clientId, secretHash]),
  )
  const id = created.failure.details.id as string
  const [webhookPublicKey] = await engine.keys.webhookPublicKeys({
    platformId: id,
    environment: platform.environment,
  })
  return { clientId, clientSecret, webhookPublicKey: webhookPublicKey! }
}

/** The text of a first start. At a terminal the example request works as it is. Elsewhere it has placeholders instead of secrets. */
export function firstCall(
  credentials: Credentials,
  credentialsPath: string,
  { showsSecrets }: { readonly showsSecrets: boolean },
): string {
  const [platform] = credentials.platforms
  const origin = credentials.baseUrl.replace(`/${apiVersion}`, '')
  const user = showsSecrets ? `${platform!.clientId}:${platform!.clientSecret}` : '<clientId>:<clientSecret>'
  return `
Corridor is ready. It has three sandbox platforms. No real money moves.
The credentials are in ${credentialsPath}.

Example request as the platform "${platform!.name}":

  curl -u '${user}' \\
    ${credentials.baseUrl}/platform/internal-accounts

Within three days, create your operator account with the operatorJoinCode in that file:

  curl -X POST -H 'content-type: application/json' -d '{"joinCode":"…"}' \\
    ${origin}/operator/join

API documentation: ${origin}/docs
Console: ${origin}/console (sign in with the clientId and clientSecret of a platform)
`
}
