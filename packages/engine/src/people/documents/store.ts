import type { Id, Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { type DataKey, sealedKeyOf } from '../../mechanisms/keys/data-keys.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import { defineList, equals } from '../../mechanisms/lists/list.ts'
import type { PageRequest } from '../../mechanisms/lists/pages.ts'
import type { NewJob } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { keyOf, type Vault } from '../customers/index.ts'
import type { DocumentType } from './contract.ts'

/** What a document says about a person; kept sealed. */
export interface DocumentDetails {
  readonly fileName: string
  readonly documentNumber?: string
  readonly issuingAuthority?: string
}

export interface Document {
  readonly id: Id<'Document'>
  readonly version: bigint
  readonly holderId: Id<'Customer'> | Id<'BeneficialOwner'>
  /** The holder, or the business that the holder is an owner of. */
  readonly customerId: Id<'Customer'>
  /** SUBMITTED: part of a submission that got somewhere, so it can be replaced and not deleted. */
  readonly status: 'UPLOADED' | 'SUBMITTED'
  readonly documentType: DocumentType
  readonly side: 'FRONT' | 'BACK' | null
  readonly country: string
  readonly details: DocumentDetails
  readonly contentType: string
  readonly sizeBytes: number
  /** Where the blob store has the file, sealed. */
  readonly blobKey: string
  /** The key of the customer, which opens the file. */
  readonly dataKey: DataKey
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

const columns = `id, version, holder_id as "holderId", customer_id as "customerId", status,
  document_type as "documentType", side, country, details as "detailsSealed",
  content_type as "contentType", size_bytes as "sizeBytes", blob_key as "blobKey",
  ${sealedKeyOf('documents', 'customer_id')} as "sealedKey",
  created_at as "createdAt", updated_at as "updatedAt"`

type DocumentRow = Omit<Document, 'details' | 'dataKey'> & {
  readonly detailsSealed: string | null
  readonly sealedKey: string | null
}

export const sealedDetails: SealedColumn = {
  table: 'documents',
  column: 'details',
  row: 'id',
  owner: 'customer_id',
  formerly: 'document {row}',
}

function open({ keys }: Vault, book: Book, { detailsSealed, sealedKey, ...row }: DocumentRow): Document {
  const dataKey = keyOf({
    dataKey: sealedKey === null ? null : keys.dataKey(book, row.customerId, sealedKey),
  })
  return { ...row, dataKey, details: JSON.parse(dataKey.open(sealedDetails, row.id, detailsSealed ?? '')) }
}

export function sealDetails(key: DataKey, id: string, details: DocumentDetails): string {
  return key.seal(sealedDetails, id, JSON.stringify(details))
}

const load = statement(
  'documents.load',
  `select ${columns} from documents
   where platform_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
)

export async function loadDocument(vault: Vault, book: Book, id: string): Promise<Document | undefined> {
  const [row] = await vault.database.read<DocumentRow>(book, load, [book.platformId, book.environment, id])
  return row && open(vault, book, row)
}

const ofCustomer = statement(
  'documents.ofCustomer',
  `select ${columns} from documents
   where platform_id = $1 and environment = $2 and customer_id = $3 and deleted_at is null
   order by created_at, id`,
)

/** The documents of a customer and of its owners, the oldest first. */
export async function loadDocumentsOf(vault: Vault, book: Book, customerId: string): Promise<Document[]> {
  const parameters = [book.platformId, book.environment, customerId]
  const rows = await vault.database.read<DocumentRow>(book, ofCustomer, parameters)
  return rows.map((row) => open(vault, book, row))
}

/** The job that removes a file nobody refers to any more. */
export const removeFileJob = 'documents.removeFile'

const blobKeys = statement(
  'documents.blobKeys',
  `select blob_key as "blobKey" from documents
   where platform_id = $1 and environment = $2 and customer_id = $3 and deleted_at is null`,
)

/** The jobs that remove every file of a customer, for its erasure. */
export async function loadFileRemovals(
  database: Database,
  book: Book,
  customerId: string,
): Promise<NewJob[]> {
  const parameters = [book.platformId, book.environment, customerId]
  const rows = await database.read<{ blobKey: string }>(book, blobKeys, parameters)
  return rows.map((payload) => ({ kind: removeFileJob, payload }))
}

const list = defineList<DocumentRow>()({
  name: 'documents.list',
  table: 'documents',
  columns,
  where: 'deleted_at is null',
  filters: { documentHolder: equals('holder_id') },
  kept: [{ filters: {}, total: { list: 'documents', parts: [''] } }],
})

export async function listDocuments(
  vault: Vault,
  book: Book,
  filters: Parameters<typeof list.read>[2],
  page: PageRequest,
): Promise<{ rows: Document[]; totalCount: number }> {
  const { rows, totalCount } = await list.read(vault.database, book, filters, page)
  return { rows: rows.map((row) => open(vault, book, row)), totalCount }
}
