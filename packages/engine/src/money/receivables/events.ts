import { webhook } from '../../vocabulary/webhook.ts'
import { Receivable } from './contract.ts'

export const receivableWebhook = webhook({
  name: 'receivable',
  id: 'receivableWebhook',
  summary: 'A receivable changed',
  types: {
    'RECEIVABLE.CREATED': 'An owner owes an amount that could not be collected or charged.',
    'RECEIVABLE.UPDATED': 'The receivable was paid in part or in full, or the operator wrote off the rest.',
  },
  component: 'ReceivableWebhook',
  data: Receivable,
})
