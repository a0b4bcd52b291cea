import type { World } from '@corridor/kernel'
import type { Database } from '../db/database.ts'
import type { Insert } from '../db/decision.ts'
import { statement } from '../db/driver.ts'
import type { Book } from '../http/scope.ts'
import { openBytes, openText, sealBytes, sealText } from './sealing.ts'

/**
 * Personal data is sealed with a key of its owner, which is itself kept sealed under the master key. Without
 * the row of `data_keys` nothing of the owner opens any more, whatever copies of the sealed texts exist.
 */
export interface DataKey {
  /** `context` says what is sealed, such as `customer` or the id of the row; it must be the same to open. */
  seal(context: string, text: string): string
  open(context: string, sealed: string): string
  /** The same for files. */
  sealBytes(context: string, bytes: Uint8Array): Uint8Array
  openBytes(context: string, sealed: Uint8Array): Uint8Array
}

const keyBytes = 32

export function newSealedKey(sealing: Uint8Array, world: Pick<World, 'randomBytes'>): string {
  return sealText(Buffer.from(world.randomBytes(keyBytes)).toString('base64'), sealing, world)
}

export function openDataKey(
  sealedKey: string,
  sealing: Uint8Array,
  world: Pick<World, 'randomBytes'>,
): DataKey {
  const key = Buffer.from(openText(sealedKey, sealing), 'base64')
  return {
    seal: (context, text) => sealText(text, key, world, context),
    open: (context, sealed) => openText(sealed, key, context),
    sealBytes: (context, bytes) => sealBytes(bytes, key, world, context),
    openBytes: (context, sealed) => openBytes(sealed, key, context),
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

export function dataKeyRow(ownerId: string, sealedKey: string, createdAt: string): Insert {
  return { table: 'data_keys', row: { owner_id: ownerId, sealed_key: sealedKey, created_at: createdAt } }
}
