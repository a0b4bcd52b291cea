import { webhook } from '../../vocabulary/webhook.ts'
import { UmaInvitation } from './contract.ts'

export const invitationWebhook = webhook({
  name: 'invitation-claimed',
  id: 'invitationClaimedWebhook',
  summary: 'An invitation was claimed',
  description: 'Corridor sends this event only to the platform that created the invitation.',
  types: { 'INVITATION.CLAIMED': 'A customer claimed the invitation.' },
  component: 'InvitationClaimedWebhook',
  data: UmaInvitation,
})
