import { webhook } from '../../vocabulary/webhook.ts'
import { Verification } from './contract.ts'

export const verificationWebhook = webhook({
  name: 'verification-update',
  id: 'verificationStatusWebhook',
  summary: 'The status of a verification changed',
  types: {
    'VERIFICATION.APPROVED': 'The verification was approved.',
    'VERIFICATION.REJECTED': 'The verification was rejected.',
    'VERIFICATION.RESOLVE_ERRORS': 'Information is missing or wrong. See the field errors.',
    'VERIFICATION.IN_PROGRESS': 'Corridor never sends this event.',
    'VERIFICATION.PENDING_MANUAL_REVIEW': 'The submission is complete and in manual review.',
    'VERIFICATION.READY_FOR_VERIFICATION': 'Corridor never sends this event.',
  },
  component: 'VerificationWebhook',
  data: Verification,
})
