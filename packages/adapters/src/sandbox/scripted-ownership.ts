import type { OwnershipVerifier } from '@corridor/engine/ports/ownership.ts'
import { isSignedByWallet } from '../custody/wallet-signatures.ts'
import { magicSuffix, ownershipOutcomes } from './outcomes.ts'

/** Real signatures are accepted as they are; two literals stand for a good and a bad one (accounts 4.9). */
export const scriptedOwnership: OwnershipVerifier = {
  async verifySignature(proof) {
    const { validSignature, invalidSignature } = ownershipOutcomes
    if (proof.signature === validSignature) return true
    if (proof.signature === invalidSignature) return false
    return isSignedByWallet(proof)
  },
  async startLiveness({ challengeId, startedAt }) {
    return {
      verificationLink: `https://liveness.corridor.example/${encodeURIComponent(challengeId)}`,
      checkAt: startedAt + ownershipOutcomes.livenessMs,
    }
  },
  async fetchLiveness({ address, startedAt }, now) {
    const endsAt = startedAt + ownershipOutcomes.livenessMs
    if (now < endsAt) return { status: 'PENDING', checkAt: endsAt }
    return { status: magicSuffix(address) === ownershipOutcomes.failingSuffix ? 'FAILED' : 'PASSED' }
  },
}
