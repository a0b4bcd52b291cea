import { webhook } from '../../vocabulary/webhook.ts'
import { Verification } from './contract.ts'

export const verificationWebhook = webhook({
  name: 'verification-update',
  id: 'verificationStatusWebhook',
  summary: 'The status of a verification',
  types: {
    'VERIFICATION.APPROVED': 'Approved.',
    'VERIFICATION.REJECTED': 'Rejected.',
    'VERIFICATION.RESOLVE_ERRORS': 'Something is missing or wrong; see errors.',
    'VERIFICATION.IN_PROGRESS': 'Known to clients, never sent.',
    'VERIFICATION.PENDING_MANUAL_REVIEW': 'Complete, and under review by people.',
    'VERIFICATION.READY_FOR_VERIFICATION': 'Known to clients, never sent.',
  },
  component: 'VerificationWebhook',
  data: Verification,
})
