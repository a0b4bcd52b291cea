import { webhook } from '../../vocabulary/webhook.ts'
import { InternalAccount } from './contract.ts'

export const internalAccountWebhook = webhook({
  name: 'internal-account-status',
  id: 'internalAccountStatusWebhook',
  summary: 'An internal account changed',
  types: {
    'INTERNAL_ACCOUNT.BALANCE_UPDATED': 'The balance or totalBalance of the account changed.',
    'INTERNAL_ACCOUNT.STATUS_UPDATED': 'The status changed.',
    'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED': 'Corridor added or withdrew funding instructions.',
  },
  component: 'InternalAccountStatusWebhook',
  data: InternalAccount,
})
