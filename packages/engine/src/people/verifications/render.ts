import { toTimestamp } from '@corridor/kernel'
import type { Verification as VerificationWire } from './contract.ts'
import type { Verification } from './store.ts'

export function renderVerification(verification: Verification): VerificationWire {
  return {
    id: verification.id,
    customerId: verification.customerId,
    verificationStatus: verification.status,
    errors: [...verification.errors],
    createdAt: toTimestamp(verification.createdAt),
    updatedAt: toTimestamp(verification.updatedAt),
  }
}
