import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { assert, type World } from '@corridor/kernel'
import type { Database } from '../db/database.ts'
import { type DataKey, newSealedKey, openDataKey } from './data-keys.ts'
import { openText, sealText } from './sealing.ts'
import { loadWebhookKeys, type WebhookKeys } from './webhook-keys.ts'

/**
 * Everything derived from the installation's master key. Secrets are kept only as keyed hashes or
 * sealed; a copy of the database alone opens none of them.
 */
export interface Keys extends WebhookKeys {
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
}

const masterKeyBytes = 32
/** Opened data keys at hand; the master key, which opens all of them, is in the same memory. */
const maxOpenedKeys = 1_000

/** A master key from its text: 32 bytes in base64 or hexadecimal. */
export function parseMasterKey(text: string): Uint8Array {
  const bytes = Buffer.from(text.trim(), /^[0-9a-f]{64}$/i.test(text.trim()) ? 'hex' : 'base64')
  assert(bytes.length === masterKeyBytes, 'a master key is 32 bytes in base64 or hexadecimal')
  return bytes
}

/** Derives everything from the master key, and opens what the database keeps sealed with it. */
export async function loadKeys(database: Database, world: World, masterKey: Uint8Array): Promise<Keys> {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `corridor/${purpose}`, 32))
  const sealing = derive('seal')
  const hashing = derive('secret-hash')
  const tagging = derive('tag')
  const dataKeySealing = derive('data-keys')
  const searching = derive('search-hash')

  const openedKeys = new Map<string, DataKey>()

  const webhookKeys = await loadWebhookKeys(database, world, sealing)

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
    dataKey(sealedKey) {
      let key = openedKeys.get(sealedKey)
      if (!key) {
        key = openDataKey(sealedKey, dataKeySealing, world)
        if (openedKeys.size >= maxOpenedKeys) openedKeys.clear()
        openedKeys.set(sealedKey, key)
      }
      return key
    },
    searchHash: (purpose, text) =>
      createHmac('sha256', searching).update(`${purpose}\n${text}`).digest('base64url'),
    ...webhookKeys,
  }
}
