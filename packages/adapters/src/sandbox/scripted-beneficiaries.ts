import type { BeneficiaryVerifier } from '@corridor/engine/ports/adapters.ts'
import { beneficiaryOutcomes, magicSuffix } from './outcomes.ts'

/** Name checks decided by the ending of the account number (accounts 4.10). */
export const scriptedBeneficiaries: BeneficiaryVerifier = {
  async verify({ primaryId, fullName }) {
    const outcome = beneficiaryOutcomes[magicSuffix(primaryId) as keyof typeof beneficiaryOutcomes]
    if (!outcome) return { status: 'MATCHED', fullName }
    const { status } = outcome
    return status === 'PARTIAL_MATCH' ? { status, fullName: withInitial(fullName) } : { status }
  },
}

/** `Greta Lindholm` → `G. Lindholm`: the institution knows the surname and abbreviates the rest. */
function withInitial(fullName: string): string {
  const [first = '', ...rest] = fullName.trim().split(/\s+/)
  return rest.length === 0 ? first : [`${[...first][0]}.`, ...rest].join(' ')
}
