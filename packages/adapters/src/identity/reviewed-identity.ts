import type { IdentityProvider } from '@corridor/engine/ports/adapters.ts'

/**
 * People decide (customers 1.1): a regulated institution vouches for its own individuals, everybody else
 * starts unverified and waits for a submission and its review.
 */
export const reviewedIdentity: IdentityProvider = {
  decideAtCreation: ({ customerType, isRegulated }) =>
    customerType === 'INDIVIDUAL' && isRegulated ? 'APPROVED' : 'UNVERIFIED',
}
