import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { incomingPaymentWebhook, outgoingPaymentWebhook } from './events.ts'
import { transactionRoutes } from './routes.ts'

export const transactionsFeature = defineFeature({
  name: 'transactions',
  routes: transactionRoutes,
  events: [incomingPaymentWebhook, outgoingPaymentWebhook],
})
