import { webhook } from '../../vocabulary/webhook.ts'
import { ExternalAccount } from './contract.ts'

export const externalAccountWebhook = webhook({
  name: 'external-account-status',
  id: 'externalAccountStatusWebhook',
  summary: 'An external account changed',
  types: { 'EXTERNAL_ACCOUNT.STATUS_UPDATED': 'The status of the account changed after its creation.' },
  component: 'ExternalAccountStatusWebhook',
  data: ExternalAccount,
})
