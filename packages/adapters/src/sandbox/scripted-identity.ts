import type { IdentityProvider } from '@corridor/engine/ports/adapters.ts'
import { identityOutcomes, nameSuffix } from './outcomes.ts'

/**
 * Individuals are decided by the ending of their name, at once where paperwork is skipped; businesses
 * always wait for a submission (customers 10.2).
 */
export const scriptedIdentity: IdentityProvider = {
  decideAtCreation({ customerType, fullName = '', isRegulated, skipPaperwork }) {
    if (customerType === 'BUSINESS' || !(isRegulated || skipPaperwork)) return 'UNVERIFIED'
    return identityOutcomes[nameSuffix(fullName)]?.status ?? 'APPROVED'
  },
}
