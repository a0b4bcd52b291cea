import type { Id, Instant } from '@corridor/kernel'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { defineList } from '../db/list.ts'
import type { Book } from '../http/scope.ts'
import type { DocumentType } from './contract.ts'

export interface Document {
  readonly id: Id<'Document'>
  readonly version: bigint
  readonly holderId: Id<'Customer'> | Id<'BeneficialOwner'>
  /** SUBMITTED: part of a submission that got somewhere, so it can be replaced and not deleted. */
  readonly status: 'UPLOADED' | 'SUBMITTED'
  readonly documentType: DocumentType
  readonly side: 'FRONT' | 'BACK' | null
  readonly country: string
  readonly numberSealed: string | null
  readonly issuingAuthority: string | null
  readonly fileName: string
  readonly contentType: string
  readonly sizeBytes: number
  /** Where the blob store has the file, sealed. */
  readonly blobKey: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

const columns = `id, version, holder_id as "holderId", status, document_type as "documentType", side, country,
  number_sealed as "numberSealed", issuing_authority as "issuingAuthority", file_name as "fileName",
  content_type as "contentType", size_bytes as "sizeBytes", blob_key as "blobKey",
  created_at as "createdAt", updated_at as "updatedAt"`

const load = statement(
  'documents.load',
  `select ${columns} from documents
   where platform_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
)

export async function loadDocument(
  database: Database,
  book: Book,
  id: string,
): Promise<Document | undefined> {
  const [document] = await database.read<Document>(book, load, [book.platformId, book.environment, id])
  return document
}

const ofHolders = statement(
  'documents.ofHolders',
  `select ${columns} from documents
   where platform_id = $1 and environment = $2 and holder_id = any($3::text[]) and deleted_at is null
   order by created_at, id`,
)

/** The documents of a customer or its owners, the oldest first. */
export async function loadDocumentsOf(
  database: Database,
  book: Book,
  holderIds: readonly string[],
): Promise<Document[]> {
  return database.read<Document>(book, ofHolders, [book.platformId, book.environment, holderIds])
}

export const documentList = defineList<Document>()({
  name: 'documents.list',
  table: 'documents',
  columns,
  where: 'deleted_at is null',
  filters: { documentHolder: 'holder_id = ?' },
})
