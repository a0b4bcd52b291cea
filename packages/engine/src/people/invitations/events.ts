import { webhook } from '../../vocabulary/webhook.ts'
import { UmaInvitation } from './contract.ts'

export const invitationWebhook = webhook({
  name: 'invitation-claimed',
  id: 'invitationClaimedWebhook',
  summary: 'An invitation was claimed',
  description: 'Sent to the platform that created it, and to nobody else.',
  types: { 'INVITATION.CLAIMED': 'Somebody has claimed the invitation.' },
  component: 'InvitationClaimedWebhook',
  data: UmaInvitation,
})
