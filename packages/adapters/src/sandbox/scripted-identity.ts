import type { IdentityProvider, IdentityVerdict, Submission } from '@corridor/engine/ports/identity.ts'
import { businessOutcomes, identityOutcomes, nameSuffix, ownerOutcomes } from './outcomes.ts'

/**
 * Individuals are decided by the ending of their name, at once where paperwork is skipped; businesses by
 * the ending of their registration number, with their first submission (customers 10.2, 10.3).
 */
export const scriptedIdentity: IdentityProvider = {
  decideAtCreation({ customerType, fullName = '', isRegulated, skipPaperwork }) {
    if (customerType === 'BUSINESS' || !(isRegulated || skipPaperwork)) return 'UNVERIFIED'
    return identityOutcomes[nameSuffix(fullName)]?.status ?? 'APPROVED'
  },
  async decide(submission) {
    return submission.customerType === 'BUSINESS' ? decideBusiness(submission) : decideIndividual(submission)
  },
  decideOwner: ({ lastName }) => ownerOutcomes[nameSuffix(lastName)]?.status ?? 'APPROVED',
  embeddingToken: (random) => `_act-sbx-jwt-${random}`,
  notice: 'This is a test page. Do not enter real data or upload real documents.',
}

function decideIndividual({ fullName = '', isComplete }: Submission): IdentityVerdict {
  if (!isComplete) return 'INCOMPLETE'
  return identityOutcomes[nameSuffix(fullName)]?.submitted ?? 'APPROVED'
}

/** Where paperwork is skipped, a final ending decides before anything is asked for. */
function decideBusiness(submission: Submission): IdentityVerdict {
  const { registrationNumber = '', isRegulated, skipPaperwork, isComplete } = submission
  const outcome = businessOutcomes[nameSuffix(registrationNumber)]?.submitted ?? 'APPROVED'
  const isFinal = outcome === 'APPROVED' || outcome === 'REJECTED'
  if (isComplete || (isFinal && (isRegulated || skipPaperwork))) return outcome
  return 'INCOMPLETE'
}
