import { webhook } from '../../vocabulary/webhook.ts'
import { Receivable } from './contract.ts'

export const receivableWebhook = webhook({
  name: 'receivable',
  id: 'receivableWebhook',
  summary: 'A receivable changed',
  types: {
    'RECEIVABLE.CREATED':
      'A customer or the platform owes an amount that Corridor could not collect or charge.',
    'RECEIVABLE.UPDATED':
      'The receivable was paid in part or in full, or the operator wrote off the outstanding amount.',
  },
  component: 'ReceivableWebhook',
  data: Receivable,
})
