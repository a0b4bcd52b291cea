import { failed, isId, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { DataKey } from '../../mechanisms/keys/data-keys.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { loadOwner, unknownOwner } from '../beneficial-owners/index.ts'
import { type Customer, keyOf, loadCustomer, type Vault } from '../customers/index.ts'
import type { DocumentReplaceRequest, DocumentUploadRequest } from './contract.ts'
import { documentFileType } from './file-type.ts'
import { decideDelete, decideReplace, decideUpload, describeUpload, newDocument } from './rules.ts'
import { type Document, loadDocument } from './store.ts'

/** Stores an uploaded file whose fields have been checked, for a customer or an owner. */
export async function uploadDocument(
  engine: Engine,
  scope: Scope,
  request: DocumentUploadRequest,
): Promise<Result<Reply, Failure>> {
  const holderId = request.documentHolder
  const customer = await requireHolder(engine, scope, holderId)
  if (!customer.ok) return customer
  return withStoredFile(
    engine,
    scope,
    { request, customerId: customer.value.id, dataKey: keyOf(customer.value) },
    (upload) =>
      commit(engine.applier, scope, async () => {
        const known = await requireHolder(engine, scope, holderId)
        if (!known.ok) return known
        const holder = { holderId, customerId: known.value.id, dataKey: keyOf(known.value) }
        return ok(decideUpload(scope, newDocument(scope, engine.world.id('Document'), holder, upload)))
      }),
  )
}

export async function replaceDocument(
  engine: Engine,
  scope: Scope,
  { id, request }: { id: string; request: DocumentReplaceRequest },
): Promise<Result<Reply, Failure>> {
  const known = await requireDocument(engine, scope, id)
  if (!known.ok) return known
  return withStoredFile(engine, scope, { request, ...known.value }, (upload) =>
    commit(engine.applier, scope, async () => {
      const document = await requireDocument(engine, scope, id)
      return document.ok ? ok(decideReplace(scope, document.value, upload)) : document
    }),
  )
}

export async function deleteDocument(
  engine: Engine,
  scope: Scope,
  id: string,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const document = await requireDocument(engine, scope, id)
    return document.ok ? decideDelete(scope, document.value) : document
  })
}

export async function requireDocument(
  vault: Vault,
  scope: Scope,
  id: string,
): Promise<Result<Document, Failure>> {
  const document = await loadDocument(vault, scope, id)
  return document ? ok(document) : failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Document', id }))
}

/** The file of a document, as it was uploaded: for the people who review it. */
export async function readFile(
  { blobs }: Engine,
  { blobKey, dataKey }: Document,
): Promise<Uint8Array | undefined> {
  const sealed = await blobs.get(blobKey)
  return sealed && dataKey.openBytes(blobKey, sealed)
}

/**
 * Inspects and stores a file, then does the work that refers to it. The store comes first, outside any
 * transaction, so that no row points to nothing; if the work is refused, the file goes again.
 */
async function withStoredFile(
  engine: Engine,
  scope: Scope,
  { request, customerId, dataKey }: { request: DocumentReplaceRequest; customerId: string; dataKey: DataKey },
  work: (upload: ReturnType<typeof describeUpload>) => Promise<Result<Reply, Failure>>,
): Promise<Result<Reply, Failure>> {
  const { world, blobs } = engine
  const { identity, rules } = engine.adapters[scope.environment]
  const context = { scope, id: customerId, customerIds: [customerId] }
  const { file, documentType } = request
  const contentType = documentFileType(file, rules.documentTypeFrom) ?? file.contentType
  const blobKey = [scope.platformId, scope.environment.toLowerCase(), world.uuid()].join('/')
  const finding = await file.whole(async (bytes) => {
    const found = await identity.inspectDocument?.({ documentType, contentType, bytes, context })
    if (!found) await blobs.put(blobKey, dataKey.sealBytes(blobKey, bytes))
    return found
  })
  if (finding) return failed(fail(finding, { documentType }))
  const upload = describeUpload(request, {
    name: file.name,
    contentType,
    sizeBytes: file.size,
    blobKey,
  })
  // After an error the document may be on record all the same, and then it needs its file.
  const outcome = await work(upload)
  if (!outcome.ok) await blobs.remove(blobKey)
  return outcome
}

/** The customer whose document it will be. A deleted one counts as unknown, and so do its owners (customers 4.6). */
async function requireHolder(
  engine: Engine,
  scope: Scope,
  holderId: string,
): Promise<Result<Customer, Failure>> {
  if (isId('Customer', holderId)) {
    const customer = await loadCustomer(engine, scope, holderId)
    if (customer && customer.deletedAt === null) return ok(customer)
    return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', id: holderId }))
  }
  const owner = await loadOwner(engine, scope, holderId)
  const business = owner && (await loadCustomer(engine, scope, owner.customerId))
  return business && business.deletedAt === null ? ok(business) : failed(unknownOwner(holderId))
}
