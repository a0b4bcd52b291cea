import Type from 'typebox'
import { CounterpartyFieldDefinition, extend, openObject } from '../../vocabulary/shapes.ts'
import { webhook } from '../../vocabulary/webhook.ts'
import { IncomingTransaction, OutgoingTransaction } from './contract.ts'

export const incomingPaymentWebhook = webhook({
  name: 'incoming-payment',
  id: 'incomingPaymentWebhook',
  summary: 'An incoming payment changed',
  description:
    'For a UMA payment, Corridor sends INCOMING_PAYMENT.PENDING once, and your response decides. Respond 200 to approve the payment, 403 or 422 to reject the payment, or 202 to get five more seconds for /approve or /reject.',
  types: {
    'INCOMING_PAYMENT.PENDING':
      'A UMA payment is waiting for your approval, or a deposit was detected but not credited yet.',
    'INCOMING_PAYMENT.COMPLETED': 'The money was credited to the account.',
    'INCOMING_PAYMENT.FAILED': 'The payment was rejected, timed out or failed.',
    'INCOMING_PAYMENT.REFUND_PENDING': 'An approved payment could not be completed. Corridor will refund it.',
    'INCOMING_PAYMENT.REFUND_COMPLETED': 'The refund was settled.',
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
      description: 'You approve the payment and send the requested information.',
      body: Type.Object(
        { receiverCustomerInfo: Type.Optional(openObject()) },
        { $id: 'IncomingPaymentWebhookResponse' },
      ),
    },
    202: { description: 'You call /approve or /reject within five seconds.' },
    403: {
      description: 'You reject the payment.',
      body: Type.Object(
        { reason: Type.Optional(Type.String({ examples: ['RESTRICTED_JURISDICTION'] })) },
        { $id: 'IncomingPaymentWebhookForbiddenResponse' },
      ),
    },
    422: {
      description: 'You reject the payment, because information about the sender is missing.',
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
    'OUTGOING_PAYMENT.PENDING': 'A quote was executed or funded, and the source was debited.',
    'OUTGOING_PAYMENT.PENDING_AUTHORIZATION':
      'The customer has to authorize the payment. Corridor may send this event several times.',
    'OUTGOING_PAYMENT.PROCESSING': 'The conversion or the payout started.',
    'OUTGOING_PAYMENT.COMPLETED':
      'The payout was delivered. If the event has a `refund` with the reason USER_CANCELLATION, the payment was cancelled and refunded instead.',
    'OUTGOING_PAYMENT.FAILED':
      'The payment failed. This event can follow COMPLETED if a bank returns the payment.',
    'OUTGOING_PAYMENT.EXPIRED': 'The quote expired before it was executed.',
    'OUTGOING_PAYMENT.REFUND_PENDING': 'The refund is in progress.',
    'OUTGOING_PAYMENT.REFUND_COMPLETED': 'The refund was settled.',
    'OUTGOING_PAYMENT.REFUND_FAILED': 'The refund failed.',
  },
  component: 'OutgoingPaymentWebhook',
  data: OutgoingTransaction,
})
