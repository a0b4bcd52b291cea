import { assert, failed, ok, type Result } from '@corridor/kernel'
import { type Customer, loadCustomer, openIdentifier, renderCustomer } from '../customers/index.ts'
import { commit } from '../db/apply.ts'
import { type Document, loadDocumentsOf, readFile, renderDocument } from '../documents/index.ts'
import type { Engine } from '../engine.ts'
import { type Failure, fail } from '../http/errors.ts'
import type { Reply } from '../http/operation.ts'
import type { Actor, Scope } from '../http/scope.ts'
import {
  decideReview,
  isFinal,
  loadVerification,
  loadVerificationsInReview,
  ownerDecider,
  renderVerification,
  type Verification,
} from '../verifications/index.ts'
import { findBookOfVerification } from './store.ts'

const operator: Actor = { id: 'operator', permissions: ['VIEW', 'TRANSACT', 'MANAGE'] }

interface OpenReview {
  readonly scope: Scope
  readonly verification: Verification
  readonly customer: Customer
}

/** Everything about the customer of a verification, for the reviewer's eyes. */
export async function openReview(engine: Engine, id: string): Promise<Result<Reply, Failure>> {
  const { keys } = engine
  const review = await requireReview(engine, id)
  if (!review.ok) return review
  const { scope, verification, customer } = review.value
  const documents = await documentsOf(engine, review.value)
  const { platformId, environment } = scope
  const identifier = openIdentifier(customer)
  const body = {
    platformId,
    environment,
    verification: renderVerification(verification),
    customer: renderCustomer(customer, keys),
    ...(identifier === undefined ? {} : { identifier }),
    documents: documents.map((document) => renderDocument(document, keys)),
  }
  return ok({ status: 200, body })
}

export async function openFile(
  engine: Engine,
  verificationId: string,
  documentId: string,
): Promise<Result<Reply, Failure>> {
  const review = await requireReview(engine, verificationId)
  if (!review.ok) return review
  const document = (await documentsOf(engine, review.value)).find(({ id }) => id === documentId)
  const bytes = document && (await readFile(engine, document))
  if (!bytes) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Document', id: documentId }))
  const { fileName, contentType } = document
  const content = Buffer.from(bytes).toString('base64')
  return ok({ status: 200, body: { fileName, contentType, content } })
}

/** A final decision; CONFLICT when there is nothing to decide any more. */
export async function decide(
  engine: Engine,
  id: string,
  given: { readonly decision: 'APPROVED' | 'REJECTED'; readonly note: string | undefined },
): Promise<Result<Reply, Failure>> {
  const known = await requireReview(engine, id)
  if (!known.ok) return known
  const { scope } = known.value
  return commit(engine.applier, scope, async () => {
    const review = await requireReview(engine, id)
    if (!review.ok) return review
    const { verification, customer } = review.value
    const isWaiting = verification.status === 'PENDING_MANUAL_REVIEW' && customer.deletedAt === null
    if (!isWaiting || isFinal(customer.status)) {
      return failed(fail('CONFLICT', { reason: 'NOT_IN_REVIEW', status: verification.status, id }))
    }
    const inReview = await loadVerificationsInReview(engine.database, scope, customer.id)
    const { updates, events, verifications } = decideReview(
      scope,
      { customer, inReview },
      {
        decision: given.decision,
        note: given.note ?? null,
        decideOwner: ownerDecider(engine, scope),
      },
    )
    const decided = verifications.find((each) => each.id === id)
    assert(decided, 'the verification is among those in review')
    return ok({
      ...(updates ? { updates } : {}),
      ...(events ? { events } : {}),
      result: () => ({ status: 200, body: renderVerification(decided) }),
    })
  })
}

async function requireReview(engine: Engine, id: string): Promise<Result<OpenReview, Failure>> {
  const { database, clock } = engine
  const book = await findBookOfVerification(database, id)
  if (!book) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Verification', id }))
  const scope = await clock.scope(book, operator)
  const verification = await loadVerification(database, scope, id)
  const customer = verification && (await loadCustomer(engine, scope, verification.customerId))
  assert(customer, 'a verification has a customer')
  return ok({ scope, verification, customer })
}

async function documentsOf(engine: Engine, { scope, customer }: OpenReview): Promise<Document[]> {
  const holders = [customer.id, ...customer.owners.map(({ id }) => id)]
  return loadDocumentsOf(engine.database, scope, holders)
}
