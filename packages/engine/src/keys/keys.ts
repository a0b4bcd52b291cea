import {
  createECDH,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign as signBytes,
  timingSafeEqual,
} from 'node:crypto'
import { assert, toTimestamp, type World } from '@corridor/kernel'
import type { Database } from '../db/database.ts'
import { type Connection, statement } from '../db/driver.ts'
import type { Environment } from '../http/scope.ts'
import { type DataKey, newSealedKey, openDataKey } from './data-keys.ts'
import { openText, sealText } from './sealing.ts'

/**
 * Everything derived from the installation's master key. Secrets are kept only as keyed hashes or
 * sealed; a copy of the database alone opens none of them.
 */
export interface Keys {
  /** Keyed hash of a high-entropy secret, for storage (conventions 2.2). */
  hashSecret(secret: string): string
  /** Compares in constant time. */
  matchesSecret(secret: string, hash: string): boolean
  /** A short authenticity tag over text that leaves and comes back, such as a cursor. */
  tag(purpose: string, text: string): string
  /** Encrypts what must not be readable in a copy of the database; another text every time. */
  seal(text: string): string
  open(sealed: string): string
  /** A new key for the data of one owner, sealed. */
  newDataKey(): string
  dataKey(sealedKey: string): DataKey
  /** Equal for equal texts of one purpose: finds again what is only kept sealed. */
  searchHash(purpose: string, text: string): string
  webhookSigner(environment: Environment): WebhookSigner
  /** Public keys that verify webhooks of an environment: the current one first. */
  webhookPublicKeys(environment: Environment): readonly string[]
}

export interface WebhookSigner {
  readonly keyId: string
  /** Standard base64 of the DER-encoded ECDSA P-256 signature over SHA-256 of the bytes (webhooks 3.1). */
  sign(bytes: string): string
}

const masterKeyBytes = 32

/** A master key from its text: 32 bytes in base64 or hexadecimal. */
export function parseMasterKey(text: string): Uint8Array {
  const bytes = Buffer.from(text.trim(), /^[0-9a-f]{64}$/i.test(text.trim()) ? 'hex' : 'base64')
  assert(bytes.length === masterKeyBytes, 'a master key is 32 bytes in base64 or hexadecimal')
  return bytes
}

const listSigningKeys = statement(
  'keys.listSigning',
  `select id, environment, public_part as "publicPem", sealed_part as "sealed", retired_at as "retiredAt"
   from installation_keys where purpose = 'webhook' order by created_at desc`,
)
const insertSigningKey = statement(
  'keys.insertSigning',
  `insert into installation_keys (id, purpose, environment, public_part, sealed_part, created_at)
   values ($1, 'webhook', $2, $3, $4, $5) on conflict do nothing`,
)

interface SigningKeyRow {
  readonly id: string
  readonly environment: Environment
  readonly publicPem: string
  readonly sealed: string
  readonly retiredAt: number | null
}

/** Loads the signing keys, making one for each environment on the first start. */
export async function loadKeys(database: Database, world: World, masterKey: Uint8Array): Promise<Keys> {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `corridor/${purpose}`, 32))
  const sealing = derive('seal')
  const hashing = derive('secret-hash')
  const tagging = derive('tag')
  const dataKeySealing = derive('data-keys')
  const searching = derive('search-hash')

  const rows = await database.system(async (connection) => {
    for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
      await ensureSigningKey(connection, world, environment, sealing)
    }
    return connection.query<SigningKeyRow>(listSigningKeys)
  })

  const signers = new Map<Environment, { keyId: string; key: KeyObject }>()
  for (const row of rows) {
    if (row.retiredAt !== null || signers.has(row.environment)) continue
    signers.set(row.environment, { keyId: row.id, key: createPrivateKey(openText(row.sealed, sealing)) })
  }

  return {
    hashSecret: (secret) => createHmac('sha256', hashing).update(secret).digest('base64url'),
    matchesSecret(secret, hash) {
      const expected = createHmac('sha256', hashing).update(secret).digest()
      const actual = Buffer.from(hash, 'base64url')
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    },
    tag: (purpose, text) =>
      createHmac('sha256', tagging).update(`${purpose}\n${text}`).digest('base64url').slice(0, 22),
    seal: (text) => sealText(text, sealing, world),
    open: (sealed) => openText(sealed, sealing),
    newDataKey: () => newSealedKey(dataKeySealing, world),
    dataKey: (sealedKey) => openDataKey(sealedKey, dataKeySealing, world),
    searchHash: (purpose, text) =>
      createHmac('sha256', searching).update(`${purpose}\n${text}`).digest('base64url'),
    webhookSigner(environment) {
      const signer = signers.get(environment)
      assert(signer, 'every environment has a signing key')
      return {
        keyId: signer.keyId,
        sign: (bytes) => signBytes('sha256', Buffer.from(bytes), signer.key).toString('base64'),
      }
    },
    webhookPublicKeys: (environment) =>
      rows.filter((row) => row.environment === environment).map((row) => row.publicPem),
  }
}

async function ensureSigningKey(
  connection: Connection,
  world: World,
  environment: Environment,
  sealing: Buffer,
): Promise<void> {
  const known = await connection.query<SigningKeyRow>(listSigningKeys)
  if (known.some((row) => row.environment === environment && row.retiredAt === null)) return
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
  const publicPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  // The id is derived from the environment, so that two starters of an empty database agree on one key.
  const parameters = [
    `webhook-${environment.toLowerCase()}-1`,
    environment,
    publicPem,
    sealText(privatePem, sealing, world),
    toTimestamp(world.now()),
  ]
  await connection.query(insertSigningKey, parameters)
}
