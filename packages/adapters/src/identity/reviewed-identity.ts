import type { IdentityProvider } from '@corridor/engine/ports/identity.ts'

/**
 * People decide (customers 1.1): a regulated institution vouches for its own individuals, everybody else
 * starts unverified and waits for a submission and its review. A review covers the owners of a business;
 * one who is added later was seen by nobody.
 */
export const reviewedIdentity: IdentityProvider = {
  decideAtCreation: ({ customerType, isRegulated }) =>
    customerType === 'INDIVIDUAL' && isRegulated ? 'APPROVED' : 'UNVERIFIED',
  decide: async ({ isComplete }) => (isComplete ? 'PENDING_MANUAL_REVIEW' : 'INCOMPLETE'),
  decideOwner: ({ business, isPartOfDecision }) => (isPartOfDecision ? business : 'UNVERIFIED'),
}
