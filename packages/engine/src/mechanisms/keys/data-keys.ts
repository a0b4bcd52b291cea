import { createHash } from 'node:crypto'
import { assert } from '@corridor/kernel'
import type { Insert } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { batchedLoad } from '../db/batched-loads.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import {
  formerContext,
  keyIdOf,
  openAt,
  openBytes,
  openFormer,
  type Randomness,
  type SealedColumn,
  type SealingKey,
  sealAt,
  sealBytes,
} from './sealing.ts'

/**
 * Personal data is sealed with a key of its owner, which is itself kept sealed by the installation. Without
 * the row of `data_keys` nothing of the owner opens any more, whatever copies of the sealed texts exist.
 */
export interface DataKey {
  /**
   * Seals a text for one row of a column that has an `owner`: `dataKey.seal(column, id, text)`. The owner, its
   * platform and environment are those that the key was opened for.
   */
  seal(column: SealedColumn, row: string, text: string): string
  /** Throws for a text that was sealed for another place or owner. */
  open(column: SealedColumn, row: string, sealed: string): string
  /** The same for files, which are bound to where they are stored. */
  sealBytes(context: string, bytes: Uint8Array): Uint8Array
  openBytes(context: string, sealed: Uint8Array): Uint8Array
}

/** Where the keys themselves are kept. */
export const sealedDataKeys: SealedColumn = { table: 'data_keys', column: 'sealed_key', row: 'owner_id' }

const keyBytes = 32

export function newDataKeyText(world: Randomness): string {
  return Buffer.from(world.randomBytes(keyBytes)).toString('base64')
}

/** `opensFormer`: whether texts are still to be opened that name no key and are bound to less. */
export function dataKeyOf(keyText: string, book: Book, world: Randomness, opensFormer: boolean): DataKey {
  const secret = Buffer.from(keyText, 'base64')
  // Says which key a text needs, and nothing about it.
  const id = `d${createHash('sha256').update('corridor/data-key-id').update(secret).digest('hex').slice(0, 16)}`
  const key: SealingKey = { id, secret }
  return {
    seal: (column, row, text) => sealAt(key, world, { book, column, row }, text),
    open(column, row, sealed) {
      if (keyIdOf(sealed) !== undefined) return openAt(key, { book, column, row }, sealed)
      assert(opensFormer, 'every text of the older form has been sealed anew')
      return openFormer(sealed, secret, formerContext(column, row))
    },
    sealBytes: (context, bytes) => sealBytes(bytes, secret, world, context),
    openBytes: (context, sealed) => openBytes(sealed, secret, context),
  }
}

/** A column with the sealed key of the owner of a row, for the statements that load the row. */
export function sealedKeyOf(table: string, ownerColumn: string): string {
  return `(select k.sealed_key from data_keys k where k.platform_id = ${table}.platform_id
    and k.environment = ${table}.environment and k.owner_id = ${table}.${ownerColumn})`
}

const load = statement(
  'dataKeys.load',
  'select sealed_key as "sealedKey" from data_keys where platform_id = $1 and environment = $2 and owner_id = $3',
)

export async function loadSealedKey(
  database: Database,
  book: Book,
  ownerId: string,
): Promise<string | undefined> {
  const [row] = await database.read<{ sealedKey: string }>(book, load, [
    book.platformId,
    book.environment,
    ownerId,
  ])
  return row?.sealedKey
}

export const loadSeveralKeys = statement(
  'dataKeys.loadSeveral',
  `select owner_id as id, sealed_key as "sealedKey" from data_keys
   where platform_id = $1 and environment = $2 and owner_id = any($3::text[])`,
)

/** The sealed keys of several owners, read at once; who has been erased has none. */
export const loadSealedKeys = batchedLoad<{ readonly id: string; readonly sealedKey: string }>(
  loadSeveralKeys,
)

export function dataKeyRow(ownerId: string, sealedKey: string, createdAt: string): Insert {
  return { table: 'data_keys', row: { owner_id: ownerId, sealed_key: sealedKey, created_at: createdAt } }
}
