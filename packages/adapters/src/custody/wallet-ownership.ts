import type { OwnershipVerifier } from '@corridor/engine/ports/ownership.ts'
import { isSignedByWallet } from './wallet-signatures.ts'

/** Signatures are checked here; a liveness provider has to be added before LIVENESS can be offered. */
export const walletOwnership: OwnershipVerifier = {
  verifySignature: isSignedByWallet,
  async startLiveness() {
    return undefined
  },
  async fetchLiveness(_session, now) {
    return { status: 'PENDING', checkAt: now + 60_000 }
  },
}
