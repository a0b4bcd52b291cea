import { assert, failed, type Instant, ok, type Result, toTimestamp, toWireAmount } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Actor, Scope } from '../../vocabulary/scope.ts'
import {
  type Customer,
  customerName,
  keyOf,
  loadCustomer,
  openIdentifier,
  renderCustomer,
} from '../customers/index.ts'
import { type Document, loadDocumentsOf, readFile, renderDocument } from '../documents/index.ts'
import {
  decideReview,
  isFinal,
  loadVerification,
  loadVerificationsInReview,
  ownerDecider,
  renderVerification,
  sealedNotes,
  type Verification,
} from '../verifications/index.ts'
import type { ReviewSummary } from './contract.ts'
import { amountOf, defaultReviewTerms, dueOf, type ReviewAmount, takesTwo } from './rules.ts'
import { findBookOfVerification, type WaitingReview } from './store.ts'

function openNote({ id, dataKey }: Customer, { noteSealed }: Verification): string | undefined {
  return dataKey && noteSealed !== null ? dataKey.open(sealedNotes, id, noteSealed) : undefined
}

interface OpenReview {
  readonly scope: Scope
  readonly verification: Verification
  readonly customer: Customer
}

function isWaiting({ verification, customer }: Pick<OpenReview, 'verification' | 'customer'>): boolean {
  const isInReview = verification.status === 'PENDING_MANUAL_REVIEW' && customer.deletedAt === null
  return isInReview && !isFinal(customer.status)
}

/** What the installation says of it: until when it is decided, how much is at stake, and by how many people. */
function termsOf(
  { settings }: Engine,
  customer: Customer,
  { submittedAt, declaredVolume }: Pick<WaitingReview, 'submittedAt' | 'declaredVolume'>,
  now: Instant,
) {
  const terms = settings.reviews ?? defaultReviewTerms
  const amount = amountOf(customer, declaredVolume)
  const { dueAt, secondsLeft } = dueOf(submittedAt, now, terms)
  return {
    dueAt: toTimestamp(dueAt),
    secondsLeft,
    ...(amount ? { amount: renderAmount(amount) } : {}),
    needsSecondPerson: takesTwo(amount, terms),
  }
}

function renderAmount({ atLeastMinor, atMostMinor }: ReviewAmount) {
  return {
    currency: 'USD' as const,
    atLeast: toWireAmount(atLeastMinor),
    ...(atMostMinor === undefined ? {} : { atMost: toWireAmount(atMostMinor) }),
  }
}

/** Who waits, since when, and until when that is within its time. */
export async function summarize(engine: Engine, review: WaitingReview): Promise<ReviewSummary> {
  const { submittedAt, number: submission, declaredVolume: _, ...rest } = review
  const customer = await loadCustomer(engine, review, review.customerId)
  assert(customer, 'a verification has a customer')
  const name = customerName(customer)
  return {
    ...rest,
    customerType: customer.customerType,
    ...(name === undefined ? {} : { name }),
    submittedAt: toTimestamp(submittedAt),
    submission,
    ...termsOf(engine, customer, review, await engine.clock.now(review)),
  }
}

/** Everything about the customer of a verification, for the reviewer's eyes. */
export async function openReview(engine: Engine, actor: Actor, id: string): Promise<Result<Reply, Failure>> {
  const review = await requireReview(engine, actor, id)
  if (!review.ok) return review
  const { scope, verification, customer } = review.value
  const documents = await documentsOf(engine, review.value)
  const { platformId, environment } = scope
  const identifier = openIdentifier(customer)
  const note = openNote(customer, verification)
  const body = {
    platformId,
    environment,
    ...termsOf(engine, customer, { ...verification, submittedAt: verification.createdAt }, scope.now),
    verification: renderVerification(verification),
    customer: renderCustomer(customer),
    ...(identifier === undefined ? {} : { identifier }),
    ...(note === undefined ? {} : { note }),
    documents: documents.map(renderDocument),
  }
  return ok({ status: 200, body })
}

export async function openFile(
  engine: Engine,
  actor: Actor,
  verificationId: string,
  documentId: string,
): Promise<Result<Reply, Failure>> {
  const review = await requireReview(engine, actor, verificationId)
  if (!review.ok) return review
  const document = (await documentsOf(engine, review.value)).find(({ id }) => id === documentId)
  const bytes = document && (await readFile(engine, document))
  if (!bytes) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Document', id: documentId }))
  const { details, contentType } = document
  const content = Buffer.from(bytes).toString('base64')
  return ok({ status: 200, body: { fileName: details.fileName, contentType, content } })
}

/** Whether one person alone should not decide about it. What is refused in any case asks for nobody else. */
export async function needsSecondPerson(engine: Engine, actor: Actor, id: string): Promise<boolean> {
  const review = await requireReview(engine, actor, id)
  if (!review.ok || !isWaiting(review.value)) return false
  const { customer, verification } = review.value
  const amount = amountOf(customer, verification.declaredVolume)
  return takesTwo(amount, engine.settings.reviews ?? defaultReviewTerms)
}

/** A final decision; CONFLICT when there is nothing to decide any more. */
export async function decide(
  engine: Engine,
  actor: Actor,
  id: string,
  given: { readonly decision: 'APPROVED' | 'REJECTED'; readonly note: string | undefined },
): Promise<Result<Reply, Failure>> {
  const known = await requireReview(engine, actor, id)
  if (!known.ok) return known
  const { scope } = known.value
  return commit(engine.applier, scope, async () => {
    const review = await requireReview(engine, actor, id)
    if (!review.ok) return review
    const { verification, customer } = review.value
    if (!isWaiting(review.value)) {
      return failed(fail('CONFLICT', { reason: 'NOT_IN_REVIEW', status: verification.status, id }))
    }
    const inReview = await loadVerificationsInReview(engine.database, scope, customer.id)
    const { updates, events, verifications } = decideReview(
      scope,
      { customer, inReview },
      {
        decision: given.decision,
        note: given.note === undefined ? null : keyOf(customer).seal(sealedNotes, customer.id, given.note),
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

async function requireReview(engine: Engine, actor: Actor, id: string): Promise<Result<OpenReview, Failure>> {
  const { database, clock } = engine
  const book = await findBookOfVerification(database, id)
  if (!book) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Verification', id }))
  const scope = await clock.scope(book, actor)
  const verification = await loadVerification(database, scope, id)
  const customer = verification && (await loadCustomer(engine, scope, verification.customerId))
  assert(customer, 'a verification has a customer')
  return ok({ scope, verification, customer })
}

async function documentsOf(engine: Engine, { scope, customer }: OpenReview): Promise<Document[]> {
  return customer.dataKey === null ? [] : loadDocumentsOf(engine, scope, customer.id)
}
