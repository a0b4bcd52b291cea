import { createHmac, timingSafeEqual } from 'node:crypto'
import { assert, type World } from '@corridor/kernel'
import type { KeyService } from '../../ports/key-service.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { type DataKey, dataKeyOf, newDataKeyText, sealedDataKeys } from './data-keys.ts'
import { currentKey, deriveKey, type Keyring, loadKeyring, openWrapped, readWrapped } from './keyring.ts'
import { loadQuorumKeys, type QuorumKey } from './quorum-keys.ts'
import {
  formerContext,
  keyIdOf,
  openAt,
  openFormer,
  type SealedColumn,
  type SealingKey,
  sealAt,
} from './sealing.ts'
import { loadWebhookKeys, type WebhookKeys } from './webhook-keys.ts'

/**
 * Everything that the keyring of the installation makes. Secrets are kept only as keyed hashes or sealed; a
 * copy of the database alone opens none of them.
 *
 * To keep a secret: declare its column (`SealedColumn`), list it in `assembly/sealed-columns.ts`, and seal and
 * open it by that declaration. What belongs to a person, or to the platform, is sealed with the data key of
 * its owner, so that erasing the owner erases it; what belongs to nobody with `seal`.
 */
export interface Keys extends WebhookKeys {
  /** Keyed hash of a high-entropy secret, for storage (conventions 2.2). */
  hashSecret(secret: string): string
  /** Compares in constant time. */
  matchesSecret(secret: string, hash: string): boolean
  /** A short authenticity tag over text that leaves and comes back, such as a cursor. */
  tag(purpose: string, text: string): string
  /**
   * Seals a text for one row of a column without an owner, with a key of its own for each table and platform:
   * another text every time. `row` is what the column's SQL gives for that row.
   */
  seal(book: Book, column: SealedColumn, row: string, text: string): string
  /** Throws for a text that was sealed for another place. */
  open(book: Book, column: SealedColumn, row: string, sealed: string): string
  /** A new key for the data of one owner, sealed for the row of `data_keys` that will hold it. */
  newDataKey(book: Book, ownerId: string): string
  /** Throws for a key that was sealed for another owner. */
  dataKey(book: Book, ownerId: string, sealedKey: string): DataKey
  /** Equal for equal texts of one purpose: finds again what is only kept sealed. */
  searchHash(purpose: string, text: string): string
  /** Vouches for what clients of wallets are given. */
  quorumKey(environment: Environment): QuorumKey
  /** Learns of a sealing key that the rotation of the master key has made. */
  refreshKeyring(): Promise<void>
  /** Seals a text anew if it is not of the current key and form; undefined when it is. For the rotation. */
  resealed(book: Book, column: SealedColumn, row: string, sealed: string): string | undefined
}

/** Opened data keys and derived keys at hand; the keyring, which opens all of them, is in the same memory. */
const maxOpenedKeys = 1_000

export async function loadKeys(database: Database, world: World, service: KeyService): Promise<Keys> {
  const { keys, use } = createKeys(world, await loadKeyring(database, world, service))
  const webhookKeys = await loadWebhookKeys(database, world, keys)
  const quorumKey = await loadQuorumKeys(database, world, keys)
  return {
    ...keys,
    ...webhookKeys,
    quorumKey,
    async refreshKeyring() {
      const server = database.server()
      const rows = await readWrapped(database)
      // If a failover undid a key, nothing that it sealed could be opened again.
      await database.whenDurable(server)
      // Once the rotation is finished, a process with the master key of before goes on with what it knows.
      if (rows.some(({ id }) => id === service.id)) use(await openWrapped(rows, service))
    },
  }
}

export type RingKeys = Omit<Keys, keyof WebhookKeys | 'quorumKey' | 'refreshKeyring'>

/** The work of a keyring, without a database. */
export function createKeys(
  world: Pick<World, 'now' | 'randomBytes'>,
  initial: Keyring,
): { readonly keys: RingKeys; use(keyring: Keyring): void } {
  let keyring = initial
  const derived = new Map<string, SealingKey>()
  const openedKeys = new Map<string, DataKey>()

  function remember<T>(cache: Map<string, T>, key: string, value: T): T {
    if (cache.size >= maxOpenedKeys) cache.clear()
    cache.set(key, value)
    return value
  }
  function keyFor({ platformId, environment }: Book, { table }: SealedColumn, id: string): SealingKey {
    const name = `${id} ${platformId} ${environment} ${table}`
    const known = derived.get(name)
    if (known) return known
    const root = keyring.sealing.find((key) => key.id === id)
    assert(root, 'a sealed text names a key of the keyring')
    const secret = deriveKey(root.secret, 'seal', table, platformId, environment)
    return remember(derived, name, { id, secret })
  }
  function seal(book: Book, column: SealedColumn, row: string, text: string): string {
    const key = keyFor(book, column, currentKey(keyring, world.now()).id)
    return sealAt(key, world, { book, column, row }, text)
  }
  function open(book: Book, column: SealedColumn, row: string, sealed: string): string {
    const id = keyIdOf(sealed)
    if (id !== undefined) return openAt(keyFor(book, column, id), { book, column, row }, sealed)
    const { former } = keyring
    assert(former, 'every text of the older form has been sealed anew')
    const key = column === sealedDataKeys ? former.dataKeys : former.sealing
    return openFormer(sealed, key, formerContext(column, row))
  }

  const keys: RingKeys = {
    hashSecret: (secret) => createHmac('sha256', keyring.hashing).update(secret).digest('base64url'),
    matchesSecret(secret, hash) {
      const expected = createHmac('sha256', keyring.hashing).update(secret).digest()
      const actual = Buffer.from(hash, 'base64url')
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    },
    tag: (purpose, text) =>
      createHmac('sha256', keyring.tagging).update(`${purpose}\n${text}`).digest('base64url').slice(0, 22),
    searchHash: (purpose, text) =>
      createHmac('sha256', keyring.searching).update(`${purpose}\n${text}`).digest('base64url'),
    seal,
    open,
    newDataKey: (book, ownerId) => seal(book, sealedDataKeys, ownerId, newDataKeyText(world)),
    dataKey(book, ownerId, sealedKey) {
      // By owner too: a key that was copied to another owner must not be found here.
      const name = `${book.platformId} ${book.environment} ${ownerId} ${sealedKey}`
      const known = openedKeys.get(name)
      if (known) return known
      const text = open(book, sealedDataKeys, ownerId, sealedKey)
      return remember(openedKeys, name, dataKeyOf(text, book, world, keyring.former !== undefined))
    },
    resealed(book, column, row, sealed) {
      if (keyIdOf(sealed) === currentKey(keyring, world.now()).id) return undefined
      return seal(book, column, row, open(book, column, row, sealed))
    },
  }
  return {
    keys,
    use(next) {
      keyring = next
      openedKeys.clear()
    },
  }
}
