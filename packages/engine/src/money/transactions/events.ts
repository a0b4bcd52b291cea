import Type from 'typebox'
import { CounterpartyFieldDefinition, extend, openObject } from '../../vocabulary/shapes.ts'
import { webhook } from '../../vocabulary/webhook.ts'
import { IncomingTransaction, OutgoingTransaction } from './contract.ts'

export const incomingPaymentWebhook = webhook({
  name: 'incoming-payment',
  id: 'incomingPaymentWebhook',
  summary: 'An incoming payment changed',
  description:
    'For a UMA payment, your response to INCOMING_PAYMENT.PENDING decides: 200 approves, 202 gives you five more seconds for /approve or /reject, 403 and 422 reject. Corridor sends this event once.',
  types: {
    'INCOMING_PAYMENT.PENDING':
      'A UMA payment is waiting for approval, or a deposit was detected and is not credited yet.',
    'INCOMING_PAYMENT.COMPLETED': 'The money is credited.',
    'INCOMING_PAYMENT.FAILED': 'The payment was rejected, timed out or failed.',
    'INCOMING_PAYMENT.REFUND_PENDING': 'An approved payment could not be completed and will be refunded.',
    'INCOMING_PAYMENT.REFUND_COMPLETED': 'The refund is settled.',
    'INCOMING_PAYMENT.REFUND_FAILED': 'The refund failed.',
  },
  component: 'IncomingPaymentWebhook',
  data: extend(
    IncomingTransaction,
    { requestedReceiverCustomerInfoFields: Type.Optional(Type.Array(CounterpartyFieldDefinition)) },
    { $id: 'IncomingPaymentWebhookData' },
  ),
  answers: {
    200: {
      description: 'Approved, with the requested information.',
      body: Type.Object(
        { receiverCustomerInfo: Type.Optional(openObject()) },
        { $id: 'IncomingPaymentWebhookResponse' },
      ),
    },
    202: { description: 'Undecided; /approve or /reject follows within five seconds.' },
    403: {
      description: 'Rejected.',
      body: Type.Object(
        { reason: Type.Optional(Type.String({ examples: ['RESTRICTED_JURISDICTION'] })) },
        { $id: 'IncomingPaymentWebhookForbiddenResponse' },
      ),
    },
    422: {
      description: 'Rejected because information about the sender is missing.',
      body: Type.Object(
        { requiredFields: Type.Optional(Type.Array(Type.String())) },
        { $id: 'IncomingPaymentWebhookUnprocessableResponse' },
      ),
    },
  },
})

export const outgoingPaymentWebhook = webhook({
  name: 'outgoing-payment',
  id: 'outgoingPaymentWebhook',
  summary: 'An outgoing payment changed',
  types: {
    'OUTGOING_PAYMENT.PENDING': 'A quote was executed or funded, and the transaction is debited.',
    'OUTGOING_PAYMENT.PENDING_AUTHORIZATION':
      'The customer has to authorize the payment. May be sent several times.',
    'OUTGOING_PAYMENT.PROCESSING': 'Conversion or payout started.',
    'OUTGOING_PAYMENT.COMPLETED':
      'The payout was delivered. With a `refund` whose reason is USER_CANCELLATION, the payment was cancelled and refunded instead.',
    'OUTGOING_PAYMENT.FAILED': 'The payment failed. May follow COMPLETED if a bank returns the payment.',
    'OUTGOING_PAYMENT.EXPIRED': 'The quote expired without being executed.',
    'OUTGOING_PAYMENT.REFUND_PENDING': 'The money is on its way back.',
    'OUTGOING_PAYMENT.REFUND_COMPLETED': 'The refund is settled.',
    'OUTGOING_PAYMENT.REFUND_FAILED': 'The refund failed.',
  },
  component: 'OutgoingPaymentWebhook',
  data: OutgoingTransaction,
})
