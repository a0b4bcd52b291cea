import { failed, type Id, ok, type Result, toTimestamp } from '@corridor/kernel'
import type { IdentityStatus, IdentityVerdict } from '../../ports/identity.ts'
import type { Decision, Insert, NewEvent, Update } from '../../vocabulary/decision.ts'
import { type Failure, failFields } from '../../vocabulary/errors.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import {
  type BeneficialOwner,
  type Customer,
  changeCustomer,
  renderCustomerForEvent,
} from '../customers/index.ts'
import { type Document, markSubmitted } from '../documents/index.ts'
import type { VerificationError } from './contract.ts'
import { newestIdentityDocument } from './identity-documents.ts'
import { renderVerification } from './render.ts'
import type { DeclaredVolume, Verification } from './store.ts'

/** Everything a submission is decided from. */
export interface SubmissionFacts {
  readonly customer: Customer
  /** Of the customer and of its owners, the oldest first. */
  readonly documents: readonly Document[]
  readonly problems: readonly VerificationError[]
  readonly newest: Verification | undefined
}

export type DecideOwner = (owner: BeneficialOwner, business: 'APPROVED' | 'REJECTED') => IdentityStatus

/** The changes of a submission, for whoever answers it. */
export interface Submitted {
  readonly verification: Verification
  /** The customer as it is afterwards. */
  readonly customer: Customer
  readonly changes: Pick<Decision, 'updates' | 'inserts' | 'events' | 'unique'>
}

/**
 * Why a customer cannot be submitted: it is decided for good (customers 10.3), or it has contacts to
 * verify first (customers 9.1). INVALID_INPUT, because no other status is declared for it.
 */
export function refuseSubmission({ status, contactVerification }: Customer): Failure | undefined {
  if (isFinal(status)) {
    const { code, details } = failFields([
      { field: 'customerId', message: `is already ${status}, and that decision is final` },
    ])
    return { code, details: { ...details, reason: 'ALREADY_DECIDED' } }
  }
  if (!hasVerifiedContacts(contactVerification)) {
    const { code, details } = failFields([
      { field: 'customerId', message: 'must have verified contact details first' },
    ])
    return { code, details: { ...details, contactVerification } }
  }
  return undefined
}

export function isFinal(status: IdentityStatus): status is 'APPROVED' | 'REJECTED' {
  return status === 'APPROVED' || status === 'REJECTED'
}

export function hasVerifiedContacts(contacts: Customer['contactVerification']): boolean {
  return contacts === null || Object.values(contacts).every((channel) => channel === 'VERIFIED')
}

/**
 * What comes of a submission (customers 10.3, 10.5): a new record and its event, the customer's status and
 * its event after it, the statuses of the owners, and the documents as part of it, all in one. A complete
 * submission of what is under review already changes nothing: people decide.
 */
export function decideSubmission(
  scope: Scope,
  facts: SubmissionFacts,
  given: {
    readonly id: Id<'Verification'>
    readonly verdict: IdentityVerdict
    readonly decideOwner: DecideOwner
  },
): Result<Submitted, Failure> {
  const refusal = refuseSubmission(facts.customer)
  if (refusal) return failed(refusal)
  const { customer, documents, problems, newest } = facts
  const { verdict, decideOwner } = given
  if (newest?.status === 'PENDING_MANUAL_REVIEW' && problems.length === 0) {
    return ok({ verification: newest, customer, changes: {} })
  }
  const errors = errorsOf(verdict, facts)
  const verification: Verification = {
    id: given.id,
    version: 1n,
    customerId: customer.id,
    number: (newest?.number ?? 0) + 1,
    status: errors.length > 0 || !isVerdictStatus(verdict) ? 'RESOLVE_ERRORS' : verdict,
    errors,
    noteSealed: null,
    declaredVolume: declaredVolumeOf(customer) ?? null,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
  const isAccepted = verification.status !== 'RESOLVE_ERRORS'
  const outcome = settle(scope, customer, verification.status, decideOwner)
  return ok({
    verification,
    customer: outcome.customer,
    changes: {
      inserts: [recordOf(verification)],
      updates: [...outcome.updates, ...(isAccepted ? markSubmitted(documents) : [])],
      events: [verificationEvent(verification), ...outcome.events],
      // Somebody submitted the same customer at this moment: decide on what that came to.
      unique: { verifications_one_at_a_time: 'stale' },
    },
  })
}

/** A person's decision about what is under review: the record, then all that a submission changes. */
export function decideReview(
  scope: Scope,
  facts: { readonly customer: Customer; readonly inReview: readonly Verification[] },
  review: {
    readonly decision: 'APPROVED' | 'REJECTED'
    readonly note: string | null
    readonly decideOwner: DecideOwner
  },
): Submitted['changes'] & { readonly verifications: readonly Verification[]; readonly customer: Customer } {
  const { decision, note, decideOwner } = review
  const verifications = facts.inReview.map((verification) => ({
    ...verification,
    status: decision,
    updatedAt: Date.parse(changedAt(scope, verification.updatedAt)),
  }))
  const outcome = settle(scope, facts.customer, decision, decideOwner)
  return {
    verifications,
    customer: outcome.customer,
    updates: [
      ...verifications.map(
        ({ id, version, updatedAt }): Update => ({
          table: 'verifications',
          id,
          version,
          from: ['PENDING_MANUAL_REVIEW'],
          set: { status: decision, review_note: note, updated_at: toTimestamp(updatedAt) },
        }),
      ),
      ...outcome.updates,
    ],
    events: [...verifications.map(verificationEvent), ...outcome.events],
  }
}

/** The customer's side of an outcome: its status, its owners with it, and the event with all of them. */
function settle(
  scope: Scope,
  before: Customer,
  outcome: Verification['status'],
  decideOwner: DecideOwner,
): { customer: Customer; updates: readonly Update[]; events: readonly NewEvent[] } {
  const status = statusAfter(before, outcome)
  const owners = isFinal(status)
    ? before.owners.map((owner) => resolveOwner(scope, owner, decideOwner(owner, status)))
    : before.owners
  const { customer, updates } = changeCustomer(scope, before, { ...before, status, owners })
  const changedOwners = owners.filter((owner, index) => owner !== before.owners[index])
  return {
    customer,
    updates: [
      ...updates,
      ...changedOwners.map(
        ({ id, version, status: decided, updatedAt }): Update => ({
          table: 'beneficial_owners',
          id,
          version,
          set: { status: decided, updated_at: toTimestamp(updatedAt) },
        }),
      ),
    ],
    events: status === before.status ? [] : [customerEvent(customer)],
  }
}

/** Under review an individual is PENDING and a business stays UNVERIFIED (customers 10.1). */
function statusAfter({ customerType, status }: Customer, outcome: Verification['status']): IdentityStatus {
  if (outcome === 'RESOLVE_ERRORS') return status
  if (outcome === 'PENDING_MANUAL_REVIEW') return customerType === 'INDIVIDUAL' ? 'PENDING' : status
  return outcome
}

function resolveOwner(scope: Scope, owner: BeneficialOwner, status: IdentityStatus): BeneficialOwner {
  if (status === owner.status) return owner
  return { ...owner, status, updatedAt: Date.parse(changedAt(scope, owner.updatedAt)) }
}

function errorsOf(verdict: IdentityVerdict, { customer, documents, problems }: SubmissionFacts) {
  if (verdict === 'INCOMPLETE') return problems
  if (verdict !== 'POOR_QUALITY_DOCUMENT') return []
  const own = documents.filter(({ holderId }) => holderId === customer.id)
  const error: VerificationError = {
    resourceId: newestIdentityDocument(own)?.id ?? customer.id,
    type: 'POOR_QUALITY_DOCUMENT',
    reason: 'The document is not legible. Upload a better picture.',
  }
  return [error]
}

function isVerdictStatus(
  verdict: IdentityVerdict,
): verdict is 'APPROVED' | 'REJECTED' | 'PENDING_MANUAL_REVIEW' {
  return verdict !== 'INCOMPLETE' && verdict !== 'POOR_QUALITY_DOCUMENT'
}

function verificationEvent(verification: Verification): NewEvent {
  return {
    type: `VERIFICATION.${verification.status}`,
    // Of the customer, so that its own event is first attempted after this one.
    resourceId: verification.customerId,
    subjectId: verification.customerId,
    data: renderVerification(verification),
  }
}

function customerEvent(customer: Customer): NewEvent {
  const prefix = customer.customerType === 'INDIVIDUAL' ? 'CUSTOMER.KYC' : 'CUSTOMER.KYB'
  return {
    type: `${prefix}_${customer.status}`,
    resourceId: customer.id,
    subjectId: customer.id,
    data: renderCustomerForEvent(customer),
  }
}

/** What a customer says that it will move in a month: businesses have to say it, individuals may. */
export function declaredVolumeOf({ profile }: Pick<Customer, 'profile'>): DeclaredVolume | undefined {
  return profile.businessInfo?.expectedMonthlyTransactionVolume ?? profile.expectedMonthlyTransactionVolume
}

function recordOf(verification: Verification): Insert {
  const { id, customerId, number, status, errors, declaredVolume, createdAt, updatedAt } = verification
  return {
    table: 'verifications',
    row: {
      id,
      customer_id: customerId,
      number,
      status,
      errors,
      declared_volume: declaredVolume,
      created_at: toTimestamp(createdAt),
      updated_at: toTimestamp(updatedAt),
    },
  }
}
