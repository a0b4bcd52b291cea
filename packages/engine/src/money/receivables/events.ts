import { webhook } from '../../vocabulary/webhook.ts'
import { Receivable } from './contract.ts'

export const receivableWebhook = webhook({
  name: 'receivable',
  id: 'receivableWebhook',
  summary: 'A change of a receivable',
  types: {
    'RECEIVABLE.CREATED': 'An owner owes an amount that could not be taken back or charged.',
    'RECEIVABLE.UPDATED': 'A part of it, or all that was left, was paid.',
  },
  component: 'ReceivableWebhook',
  data: Receivable,
})
