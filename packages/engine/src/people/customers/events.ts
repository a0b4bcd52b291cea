import { webhook } from '../../vocabulary/webhook.ts'
import { Customer } from './contract.ts'

export const customerWebhook = webhook({
  name: 'customer-update',
  id: 'customerStatusWebhook',
  summary: 'The verification status of a customer changed',
  types: {
    'CUSTOMER.KYC_PENDING': 'An individual is under review.',
    'CUSTOMER.KYC_APPROVED': 'An individual was approved.',
    'CUSTOMER.KYC_REJECTED': 'An individual was rejected.',
    'CUSTOMER.KYB_PENDING': 'Corridor never sends this event. Businesses under review stay UNVERIFIED.',
    'CUSTOMER.KYB_APPROVED': 'A business was approved.',
    'CUSTOMER.KYB_REJECTED': 'A business was rejected.',
  },
  component: 'CustomerWebhook',
  data: Customer,
})
