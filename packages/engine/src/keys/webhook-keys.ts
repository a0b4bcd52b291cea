import { createECDH, createPrivateKey, createPublicKey, type KeyObject, sign as signBytes } from 'node:crypto'
import { assert, type Instant, toTimestamp, type World } from '@corridor/kernel'
import type { Database } from '../db/database.ts'
import { type Connection, statement } from '../db/driver.ts'
import { type Environment, environments } from '../http/scope.ts'
import { openText, sealText } from './sealing.ts'

/** The pairs that sign webhooks. Each environment has its own (webhooks 3.1). */
export interface WebhookKeys {
  webhookSigner(environment: Environment): WebhookSigner
  /** Public keys that verify webhooks of an environment: the one that signs first. */
  webhookPublicKeys(environment: Environment): readonly string[]
  /**
   * Makes a successor of the key that signs. It is published at once and signs a little later, so that
   * nobody meets a signature of a key that they could not know. Undefined while a successor is waiting.
   */
  rotateWebhookKey(environment: Environment): Promise<NextKey | undefined>
  /** Learns of keys that another process made. */
  refreshWebhookKeys(): Promise<void>
}

export interface WebhookSigner {
  readonly keyId: string
  /** Standard base64 of the DER-encoded ECDSA P-256 signature over SHA-256 of the bytes (webhooks 3.1). */
  sign(bytes: string): string
}

export interface NextKey {
  readonly keyId: string
  readonly publicKey: string
  readonly signsFrom: Instant
}

/** Twice the time that the page of public keys may be kept, and time for every process to hear of a key. */
export const takeOverMs = 10 * 60_000
/** How long a key stays published after its last signature: longer than any event is retried. */
export const publishedAfterwardsMs = 30 * 24 * 60 * 60_000

const listKeys = statement(
  'keys.listSigning',
  `select id, environment, public_part as "publicPem", sealed_part as "sealed", retired_at as "retiredAt"
   from installation_keys where purpose = 'webhook' order by created_at, id`,
)
const insertKey = statement(
  'keys.insertSigning',
  `insert into installation_keys (id, purpose, environment, public_part, sealed_part, created_at)
   values ($1, 'webhook', $2, $3, $4, $5) on conflict do nothing`,
)
/** The id is the number of the key, so of two rotations at the same moment one finds it taken. */
const succeed = statement(
  'keys.succeedSigning',
  `with made as (
     insert into installation_keys (id, purpose, environment, public_part, sealed_part, created_at)
     values ($1, 'webhook', $2, $3, $4, $5) on conflict do nothing returning id
   )
   update installation_keys set retired_at = $6
   where purpose = 'webhook' and environment = $2 and retired_at is null and exists (select from made)
   returning id`,
)

interface KeyRow {
  readonly id: string
  readonly environment: Environment
  readonly publicPem: string
  readonly sealed: string
  /** When it signs no more. */
  readonly retiredAt: Instant | null
}

/** Loads the signing keys, making one for each environment on the first start. */
export async function loadWebhookKeys(
  database: Database,
  world: World,
  sealing: Buffer,
): Promise<WebhookKeys> {
  const read = (connection: Connection) => connection.query<KeyRow>(listKeys)
  let rows = await database.system(async (connection) => {
    const known = await read(connection)
    for (const environment of environments) {
      if (known.some((row) => row.environment === environment)) continue
      await connection.query(insertKey, newKey(world, sealing, environment, 1).parameters)
    }
    return read(connection)
  })

  const opened = new Map<string, KeyObject>()
  function privateKeyOf({ id, sealed }: KeyRow): KeyObject {
    const key = opened.get(id) ?? createPrivateKey(openText(sealed, sealing))
    opened.set(id, key)
    return key
  }
  const keysOf = (environment: Environment) => rows.filter((row) => row.environment === environment)

  function signingRow(environment: Environment): KeyRow {
    const now = world.now()
    const row = keysOf(environment).find(({ retiredAt }) => retiredAt === null || retiredAt > now)
    assert(row, 'every environment has a signing key')
    return row
  }
  async function refresh(): Promise<void> {
    rows = await database.system(read)
  }
  // A wrong master key shows at the start and not with the first webhook.
  for (const environment of environments) privateKeyOf(signingRow(environment))

  return {
    webhookSigner(environment) {
      const row = signingRow(environment)
      const key = privateKeyOf(row)
      return {
        keyId: row.id,
        sign: (bytes) => signBytes('sha256', Buffer.from(bytes), key).toString('base64'),
      }
    },
    webhookPublicKeys(environment) {
      const signing = signingRow(environment)
      const publishedSince = world.now() - publishedAfterwardsMs
      const others = keysOf(environment).filter(
        (row) => row !== signing && (row.retiredAt === null || row.retiredAt > publishedSince),
      )
      return [signing, ...others.reverse()].map(({ publicPem }) => publicPem)
    },
    async rotateWebhookKey(environment) {
      await refresh()
      const known = keysOf(environment)
      if (signingRow(environment) !== known.at(-1)) return undefined
      const { keyId, publicKey, parameters } = newKey(world, sealing, environment, known.length + 1)
      const signsFrom = world.now() + takeOverMs
      const retired = await database.system((connection) =>
        connection.query(succeed, [...parameters, toTimestamp(signsFrom)]),
      )
      await refresh()
      return retired.length === 0 ? undefined : { keyId, publicKey, signsFrom }
    },
    refreshWebhookKeys: refresh,
  }
}

/** The id is made of environment and number, so that two starters of an empty database agree on one key. */
function newKey(world: World, sealing: Buffer, environment: Environment, number: number) {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(world.randomBytes(32))
  const point = curve.getPublicKey()
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: curve.getPrivateKey().toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33, 65).toString('base64url'),
  }
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const keyId = `webhook-${environment.toLowerCase()}-${number}`
  const sealed = sealText(privatePem, sealing, world)
  return { keyId, publicKey, parameters: [keyId, environment, publicKey, sealed, toTimestamp(world.now())] }
}
