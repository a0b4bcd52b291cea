import type { BeneficiaryNeeds } from './beneficiary-schemas.ts'

/** What payout partners of NGN, ZAR and the mobile-money currencies ask of a business (accounts 4.6). */
export const AFRICAN_BUSINESS: BeneficiaryNeeds = { businessInFull: ['registrationNumber', 'taxId'] }
