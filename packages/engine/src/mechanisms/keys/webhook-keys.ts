import { createECDH, createPrivateKey, createPublicKey, type KeyObject, sign as signBytes } from 'node:crypto'
import { assert, failed, type Instant, ok, toTimestamp, type World } from '@corridor/kernel'
import { type Actor, type Book, bookKey, type Environment } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { transactNoted } from '../db/noted.ts'
import { ofInstallation, sealedInstallationKeys } from './installation-keys.ts'
import type { RingKeys } from './keys.ts'
import type { SealedColumn } from './sealing.ts'

/**
 * The pairs that sign webhooks. Each platform has its own in each environment: what was signed for one is no
 * true signature for another (webhooks 3.1).
 */
export interface WebhookKeys {
  webhookSigner(book: Book): Promise<WebhookSigner>
  /** With the key that signed last before, or one that is published nowhere: for what receivers have to refuse. */
  staleWebhookSigner(book: Book): Promise<WebhookSigner>
  /** Public keys that verify webhooks of a platform, in PEM: the one that signs first. */
  webhookPublicKeys(book: Book): Promise<readonly string[]>
  /** The row of a platform's first key, and its public key. */
  newWebhookKey(book: Book): { readonly row: Readonly<Record<string, unknown>>; readonly publicKey: string }
  /**
   * Makes a successor of the key that signs. It is published at once and signs a little later, so that
   * nobody meets a signature of a key that they could not know. Undefined while a successor is waiting.
   */
  rotateWebhookKey(book: Book, by?: Actor): Promise<NextKey | undefined>
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

export const sealedSigningKeys: SealedColumn = { table: 'webhook_keys', column: 'sealed_part', row: 'id' }

/** Twice the time that the page of public keys may be kept, and time for every process to hear of a key. */
export const takeOverMs = 10 * 60_000
/** How long a key stays published after its last signature: longer than any event is retried. */
export const publishedAfterwardsMs = 30 * 24 * 60 * 60_000
/** How long platforms of before sign on with the key that all of them had. */
export const sharedKeySignsOnMs = 7 * 24 * 60 * 60_000
/** Platforms whose keys are at hand. */
const maxPlatforms = 10_000

const listKeys = statement(
  'webhookKeys.list',
  `select id, public_part as "publicPem", sealed_part as "sealed", retired_at as "retiredAt"
   from webhook_keys where platform_id = $1 and environment = $2 order by number`,
)
/** The number is taken once, so of two rotations at the same moment one finds it taken. */
const succeed = statement(
  'webhookKeys.succeed',
  `with made as (
     insert into webhook_keys (platform_id, environment, id, number, public_part, sealed_part, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning id
   )
   update webhook_keys set retired_at = $8
   where platform_id = $1 and environment = $2 and retired_at is null and exists (select from made)
   returning id`,
)

interface KeyRow {
  readonly id: string
  readonly publicPem: string
  readonly sealed: string
  /** When it signs no more. */
  readonly retiredAt: Instant | null
}

export async function loadWebhookKeys(
  database: Database,
  world: World,
  keys: Pick<RingKeys, 'seal' | 'open'>,
): Promise<WebhookKeys> {
  await adoptPlatforms(database, world, keys)
  let known = new Map<string, Promise<readonly KeyRow[]>>()
  const opened = new Map<string, KeyObject>()

  function keysOf(book: Book): Promise<readonly KeyRow[]> {
    const name = bookKey(book)
    const found = known.get(name)
    if (found) return found
    const loading = database.read<KeyRow>(book, listKeys, [book.platformId, book.environment])
    if (known.size >= maxPlatforms) known.clear()
    known.set(name, loading)
    loading.catch(() => known.delete(name))
    return loading
  }
  function signingRow(rows: readonly KeyRow[]): KeyRow {
    const now = world.now()
    const row = rows.find(({ retiredAt }) => retiredAt === null || retiredAt > now)
    assert(row, 'every platform has a signing key')
    return row
  }
  function privateKeyOf(book: Book, { id, sealed }: Pick<KeyRow, 'id' | 'sealed'>): KeyObject {
    // By the text too: a row that was changed must not meet a key that was opened before.
    const name = `${bookKey(book)} ${id} ${sealed}`
    let key = opened.get(name)
    if (!key) {
      key = createPrivateKey(keys.open(book, sealedSigningKeys, id, sealed))
      if (opened.size >= maxPlatforms) opened.clear()
      opened.set(name, key)
    }
    return key
  }

  return {
    async webhookSigner(book) {
      const row = signingRow(await keysOf(book))
      const key = privateKeyOf(book, row)
      return {
        keyId: row.id,
        sign: (bytes) => signBytes('sha256', Buffer.from(bytes), key).toString('base64'),
      }
    },
    async staleWebhookSigner(book) {
      const rows = await keysOf(book)
      const before = rows[rows.indexOf(signingRow(rows)) - 1]
      const { keyId, sealed } = newKey(world, keys, book, 0)
      const stale = before ?? { id: keyId, sealed }
      const key = privateKeyOf(book, stale)
      return {
        keyId: stale.id,
        sign: (bytes) => signBytes('sha256', Buffer.from(bytes), key).toString('base64'),
      }
    },
    async webhookPublicKeys(book) {
      const rows = await keysOf(book)
      const signing = signingRow(rows)
      const publishedSince = world.now() - publishedAfterwardsMs
      const others = rows.filter(
        (row) => row !== signing && (row.retiredAt === null || row.retiredAt > publishedSince),
      )
      return [signing, ...others.reverse()].map(({ publicPem }) => publicPem)
    },
    newWebhookKey(book) {
      const made = newKey(world, keys, book, 1)
      return { row: rowOf(world, made), publicKey: made.publicKey }
    },
    async rotateWebhookKey(book, by) {
      known.delete(bookKey(book))
      const rows = await keysOf(book)
      if (signingRow(rows) !== rows.at(-1)) return undefined
      const { keyId, publicKey, sealed, number } = newKey(world, keys, book, rows.length + 1)
      const signsFrom = world.now() + takeOverMs
      const parameters = [
        book.platformId,
        book.environment,
        keyId,
        number,
        publicKey,
        sealed,
        toTimestamp(world.now()),
        toTimestamp(signsFrom),
      ]
      const rotated = await transactNoted(database, book, by, async (connection) => {
        const retired = await connection.query(succeed, parameters)
        return retired.length === 0 ? failed(null) : ok(null)
      })
      known.delete(bookKey(book))
      return rotated.ok ? { keyId, publicKey, signsFrom } : undefined
    },
    async refreshWebhookKeys() {
      known = new Map()
    },
  }
}

interface NewSigningKey {
  readonly keyId: string
  readonly number: number
  readonly publicKey: string
  readonly sealed: string
}

function newKey(world: World, keys: Pick<RingKeys, 'seal'>, book: Book, number: number): NewSigningKey {
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
  // Part of the platform's id, so that receivers of several platforms can tell the keys apart.
  const keyId = `webhook-${book.environment.toLowerCase()}-${book.platformId.slice(-12)}-${number}`
  return { keyId, number, publicKey, sealed: keys.seal(book, sealedSigningKeys, keyId, privatePem) }
}

function rowOf(world: World, { keyId, number, publicKey, sealed }: NewSigningKey) {
  return {
    id: keyId,
    number,
    public_part: publicKey,
    sealed_part: sealed,
    created_at: toTimestamp(world.now()),
  }
}

// --- installations whose platforms shared one key for each environment ---------------------------

const platformsWithout = statement(
  'webhookKeys.platformsWithout',
  `select b.platform_id as "platformId", b.environment from books b where not exists (
     select from webhook_keys k where k.platform_id = b.platform_id and k.environment = b.environment)`,
)
const sharedKeys = statement(
  'webhookKeys.shared',
  `select id, environment, public_part as "publicPem", sealed_part as "sealed", retired_at as "retiredAt"
   from installation_keys where purpose = 'webhook' order by created_at, id`,
)
const adopt = statement(
  'webhookKeys.adopt',
  `insert into webhook_keys
     (platform_id, environment, id, number, public_part, sealed_part, created_at, retired_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
)
const forgetShared = statement(
  'webhookKeys.forgetShared',
  `delete from installation_keys where purpose = 'webhook'`,
)

/**
 * Gives every platform of before its own key. For a week it signs on with the key that all of them had, which
 * stays published afterwards like any other, and the one of its own is published beside it from now on.
 */
async function adoptPlatforms(
  database: Database,
  world: World,
  keys: Pick<RingKeys, 'seal' | 'open'>,
): Promise<void> {
  type Shared = KeyRow & { readonly environment: Environment }
  await database.system(async (connection) => {
    const books = await connection.query<Book>(platformsWithout)
    const shared = await connection.query<Shared>(sharedKeys)
    const now = world.now()
    for (const book of books) {
      const current = shared.findLast(({ environment }) => environment === book.environment)
      if (current) {
        const pem = keys.open(
          ofInstallation(book.environment),
          sealedInstallationKeys,
          current.id,
          current.sealed,
        )
        await connection.query(adopt, [
          book.platformId,
          book.environment,
          current.id,
          1,
          current.publicPem,
          keys.seal(book, sealedSigningKeys, current.id, pem),
          toTimestamp(now),
          toTimestamp(now + sharedKeySignsOnMs),
        ])
      }
      const own = newKey(world, keys, book, current ? 2 : 1)
      await connection.query(adopt, [
        book.platformId,
        book.environment,
        own.keyId,
        own.number,
        own.publicKey,
        own.sealed,
        toTimestamp(now),
        null,
      ])
    }
    if (shared.length > 0) await connection.query(forgetShared)
  })
}
