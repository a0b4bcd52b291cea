import type { BeneficiaryVerifier } from '@corridor/engine/ports/adapters.ts'

/** Without a name service, each rail says what it is known to do (accounts 4.10, production defaults). */
export const declaredBeneficiaries: BeneficiaryVerifier = {
  async verify({ rails }) {
    const isChecked = rails.some((rail) => checkedByReceiver.has(rail))
    return { status: isChecked ? 'CHECKED_BY_RECEIVING_FI' : 'UNSUPPORTED' }
  },
}

const checkedByReceiver = new Set(['ACH', 'WIRE'])
