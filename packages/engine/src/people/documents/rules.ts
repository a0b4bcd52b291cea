import { failed, type Id, ok, type Result, stateAfter, toTimestamp, upperAscii } from '@corridor/kernel'
import type { Decision, NewJob, Row, Update } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import type { DocumentReplaceRequest, Document as DocumentWire } from './contract.ts'
import { documentMachine } from './machine.ts'
import { type Document, removeFileJob, sealDetails } from './store.ts'

/** Metadata only: the file cannot be downloaded (customers 11.1). */
export function renderDocument({ details, side, ...document }: Document): DocumentWire {
  return {
    id: document.id,
    documentHolder: document.holderId,
    documentType: document.documentType,
    ...(side === null ? {} : { side }),
    country: document.country,
    ...details,
    createdAt: toTimestamp(document.createdAt),
    updatedAt: toTimestamp(document.updatedAt),
  }
}

/** What an upload says about its document; omitted parts are empty, also when it replaces one. */
export function describeUpload(
  request: Omit<DocumentReplaceRequest, 'file'>,
  file: {
    readonly name: string
    readonly contentType: string
    readonly sizeBytes: number
    readonly blobKey: string
  },
) {
  const { documentNumber, issuingAuthority } = request
  return {
    status: 'UPLOADED',
    documentType: request.documentType,
    side: request.side ?? null,
    country: upperAscii(request.country),
    details: {
      fileName: file.name.slice(0, 255),
      ...(documentNumber ? { documentNumber } : {}),
      ...(issuingAuthority ? { issuingAuthority } : {}),
    },
    contentType: file.contentType,
    sizeBytes: file.sizeBytes,
    blobKey: file.blobKey,
  } as const satisfies Partial<Document>
}

export function decideUpload(scope: Scope, document: Document): Decision<Reply> {
  const at = toTimestamp(scope.now)
  const row = { ...rowOf(document), id: document.id, created_at: at, updated_at: at }
  return {
    inserts: [
      {
        table: 'documents',
        row: { ...row, holder_id: document.holderId, customer_id: document.customerId },
      },
    ],
    result: () => ({ status: 201, body: renderDocument(document) }),
  }
}

/** Replaces file and metadata as a whole, also after a submission; the holder stays (customers 11.1). */
export function decideReplace(
  scope: Scope,
  before: Document,
  upload: ReturnType<typeof describeUpload>,
): Decision<Reply> {
  const at = changedAt(scope, before.updatedAt)
  const after: Document = { ...before, ...upload, updatedAt: Date.parse(at) }
  return {
    updates: [
      {
        table: 'documents',
        id: before.id,
        version: before.version,
        set: { ...rowOf(after), updated_at: at },
      },
    ],
    jobs: [removal(before)],
    result: () => ({ status: 200, body: renderDocument(after) }),
  }
}

/** CONFLICT for a document that is part of a submission (customers 11.2). */
export function decideDelete(scope: Scope, document: Document): Result<Decision<Reply>, Failure> {
  const { id, version, status } = document
  if (status === 'SUBMITTED') {
    return failed(fail('CONFLICT', { reason: 'DOCUMENT_SUBMITTED', resourceType: 'Document', id }))
  }
  const at = changedAt(scope, document.updatedAt)
  return ok({
    updates: [
      { table: 'documents', id, version, from: ['UPLOADED'], set: { deleted_at: at, updated_at: at } },
    ],
    jobs: [removal(document)],
    result: () => ({ status: 204 }),
  })
}

/** Makes documents part of a submission. Their `updatedAt` stays: nothing that they show changes. */
export function markSubmitted(documents: readonly Document[]): Update[] {
  return documents
    .filter(({ status }) => status === 'UPLOADED')
    .map(({ id, version }) => ({
      table: 'documents',
      id,
      version,
      set: { status: stateAfter(documentMachine, 'submit') },
    }))
}

export function newDocument(
  scope: Scope,
  id: Id<'Document'>,
  holder: Pick<Document, 'holderId' | 'customerId' | 'dataKey'>,
  upload: ReturnType<typeof describeUpload>,
): Document {
  return { id, ...holder, ...upload, version: 1n, createdAt: scope.now, updatedAt: scope.now }
}

function removal({ blobKey }: Document): NewJob {
  return { kind: removeFileJob, payload: { blobKey } }
}

function rowOf(document: Document): Row {
  return {
    status: document.status,
    document_type: document.documentType,
    side: document.side,
    country: document.country,
    details: sealDetails(document.dataKey, document.id, document.details),
    content_type: document.contentType,
    size_bytes: document.sizeBytes,
    blob_key: document.blobKey,
  }
}
