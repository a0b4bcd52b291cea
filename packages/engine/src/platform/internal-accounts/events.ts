import { webhook } from '../../vocabulary/webhook.ts'
import { InternalAccount } from './contract.ts'

export const internalAccountWebhook = webhook({
  name: 'internal-account-status',
  id: 'internalAccountStatusWebhook',
  summary: 'An internal account changed',
  types: {
    'INTERNAL_ACCOUNT.BALANCE_UPDATED': 'balance or totalBalance changed.',
    'INTERNAL_ACCOUNT.STATUS_UPDATED': 'The status changed.',
    'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED': 'Funding instructions were added or withdrawn.',
  },
  component: 'InternalAccountStatusWebhook',
  data: InternalAccount,
})
