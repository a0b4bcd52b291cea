import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { sealedKeyOf } from '../../mechanisms/keys/data-keys.ts'
import type { RingKeys } from '../../mechanisms/keys/keys.ts'
import type { BlobStore } from '../../ports/blobs.ts'
import type { Environment } from '../../vocabulary/scope.ts'

interface StoredFile {
  readonly blobKey: string
  readonly platformId: string
  readonly environment: Environment
  readonly customerId: string
  readonly sealedKey: string | null
}

const next = statement(
  'documents.storedFiles',
  `select blob_key as "blobKey", platform_id as "platformId", environment, customer_id as "customerId",
     ${sealedKeyOf('documents', 'customer_id')} as "sealedKey"
   from documents where deleted_at is null and blob_key > $1 order by blob_key limit $2`,
)

const batchSize = 200

/** Every file that the database refers to, of all platforms, for copies of the whole installation and their check. */
async function* storedFiles(database: Database): AsyncGenerator<StoredFile> {
  let after = ''
  for (;;) {
    const rows = await database.system((connection) => connection.query<StoredFile>(next, [after, batchSize]))
    if (rows.length === 0) return
    yield* rows
    after = rows.at(-1)!.blobKey
  }
}

/** The keys in the blob store of every file that the database refers to. */
export async function* storedFileKeys(database: Database): AsyncGenerator<string> {
  for await (const { blobKey } of storedFiles(database)) yield blobKey
}

export interface FilesReport {
  readonly opened: number
  /** In the database, and not in the store. */
  readonly missing: readonly string[]
  /** In the store, and not what was put there. */
  readonly unreadable: readonly string[]
}

/** Opens every file that the database refers to. */
export async function checkStoredFiles(
  database: Database,
  keys: RingKeys,
  blobs: BlobStore,
): Promise<FilesReport> {
  let opened = 0
  const missing: string[] = []
  const unreadable: string[] = []
  for await (const { blobKey, customerId, sealedKey, ...book } of storedFiles(database)) {
    const sealed = await blobs.get(blobKey)
    if (!sealed) {
      missing.push(blobKey)
      continue
    }
    try {
      if (sealedKey === null) throw new Error('the owner has no key')
      keys.dataKey(book, customerId, sealedKey).openBytes(blobKey, sealed)
      opened++
    } catch {
      unreadable.push(blobKey)
    }
  }
  return { opened, missing, unreadable }
}
