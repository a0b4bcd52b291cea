import { webhook } from '../../vocabulary/webhook.ts'
import { ExternalAccount } from './contract.ts'

export const externalAccountWebhook = webhook({
  name: 'external-account-status',
  id: 'externalAccountStatusWebhook',
  summary: 'A change of an external account',
  types: { 'EXTERNAL_ACCOUNT.STATUS_UPDATED': 'The status changed after creation.' },
  component: 'ExternalAccountStatusWebhook',
  data: ExternalAccount,
})
