import Type from 'typebox'
import { CounterpartyFieldDefinition, extend, openObject } from '../../vocabulary/shapes.ts'
import { webhook } from '../../vocabulary/webhook.ts'
import { IncomingTransaction, OutgoingTransaction } from './contract.ts'

export const incomingPaymentWebhook = webhook({
  name: 'incoming-payment',
  id: 'incomingPaymentWebhook',
  summary: 'A payment to a customer',
  description:
    'The answer to INCOMING_PAYMENT.PENDING of a UMA payment decides about it: 200 approves, 202 gives five more seconds for /approve or /reject, 403 and 422 refuse. It is sent once.',
  types: {
    'INCOMING_PAYMENT.PENDING':
      'A UMA payment awaits approval, or a deposit was seen and is not credited yet.',
    'INCOMING_PAYMENT.COMPLETED': 'The money is credited.',
    'INCOMING_PAYMENT.FAILED': 'The payment was refused, timed out or failed.',
    'INCOMING_PAYMENT.REFUND_PENDING': 'An accepted payment could not be completed and goes back.',
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
      description: 'Approved, with the information asked for.',
      body: Type.Object(
        { receiverCustomerInfo: Type.Optional(openObject()) },
        { $id: 'IncomingPaymentWebhookResponse' },
      ),
    },
    202: { description: 'Undecided: /approve or /reject follows within five seconds.' },
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
  summary: 'A payment from a customer or the platform',
  types: {
    'OUTGOING_PAYMENT.PENDING': 'A quote was executed or funded: the transaction is debited.',
    'OUTGOING_PAYMENT.PENDING_AUTHORIZATION': 'The customer has to authorize it; may repeat.',
    'OUTGOING_PAYMENT.PROCESSING': 'Conversion or payout started.',
    'OUTGOING_PAYMENT.COMPLETED':
      'The payout reached its destination; with a `refund` of the reason USER_CANCELLATION it was cancelled, not delivered, and came back.',
    'OUTGOING_PAYMENT.FAILED': 'It failed, perhaps after COMPLETED when a bank returns it.',
    'OUTGOING_PAYMENT.EXPIRED': 'The quote expired without being executed.',
    'OUTGOING_PAYMENT.REFUND_PENDING': 'The money is on its way back.',
    'OUTGOING_PAYMENT.REFUND_COMPLETED': 'The refund is settled.',
    'OUTGOING_PAYMENT.REFUND_FAILED': 'The refund failed.',
  },
  component: 'OutgoingPaymentWebhook',
  data: OutgoingTransaction,
})
