import { webhook } from '../../vocabulary/webhook.ts'
import { Verification } from './contract.ts'

export const verificationWebhook = webhook({
  name: 'verification-update',
  id: 'verificationStatusWebhook',
  summary: 'The status of a verification changed',
  types: {
    'VERIFICATION.APPROVED': 'Approved.',
    'VERIFICATION.REJECTED': 'Rejected.',
    'VERIFICATION.RESOLVE_ERRORS': 'Something is missing or wrong; see errors.',
    'VERIFICATION.IN_PROGRESS': 'Never sent; listed for compatibility.',
    'VERIFICATION.PENDING_MANUAL_REVIEW': 'Complete, and in manual review.',
    'VERIFICATION.READY_FOR_VERIFICATION': 'Never sent; listed for compatibility.',
  },
  component: 'VerificationWebhook',
  data: Verification,
})
