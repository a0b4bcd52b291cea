import Type, { type Static } from 'typebox'
import { BulkCustomerImportJob } from '../bulk-imports/contract.ts'
import { Customer } from '../customers/contract.ts'
import { ExternalAccount } from '../external-accounts/contract.ts'
import { operation } from '../http/operation.ts'
import {
  CounterpartyFieldDefinition,
  enumOf,
  extend,
  idOf,
  listOf,
  nullable,
  openObject,
  paging,
  timestamp,
} from '../http/shapes.ts'
import { type Webhook, webhook } from '../http/webhook.ts'
import { InternalAccount } from '../internal-accounts/contract.ts'
import { IncomingTransaction, OutgoingTransaction } from '../transactions/contract.ts'
import { Verification } from '../verifications/contract.ts'
import { TestWebhookResponse } from './test-webhook-schemas.ts'

export { EventType } from '../http/webhook.ts'
export { TestWebhookResponse } from './test-webhook-schemas.ts'

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
    'OUTGOING_PAYMENT.COMPLETED': 'The payout reached its destination.',
    'OUTGOING_PAYMENT.FAILED': 'It failed, perhaps after COMPLETED when a bank returns it.',
    'OUTGOING_PAYMENT.EXPIRED': 'The quote expired without being executed.',
    'OUTGOING_PAYMENT.REFUND_PENDING': 'The money is on its way back.',
    'OUTGOING_PAYMENT.REFUND_COMPLETED': 'The refund is settled.',
    'OUTGOING_PAYMENT.REFUND_FAILED': 'The refund failed.',
  },
  component: 'OutgoingPaymentWebhook',
  data: OutgoingTransaction,
})

export const customerWebhook = webhook({
  name: 'customer-update',
  id: 'customerStatusWebhook',
  summary: 'The verification status of a customer',
  types: {
    'CUSTOMER.KYC_PENDING': 'An individual is under review.',
    'CUSTOMER.KYC_APPROVED': 'An individual was approved.',
    'CUSTOMER.KYC_REJECTED': 'An individual was rejected.',
    'CUSTOMER.KYB_PENDING': 'Known to clients, never sent: businesses under review stay UNVERIFIED.',
    'CUSTOMER.KYB_APPROVED': 'A business was approved.',
    'CUSTOMER.KYB_REJECTED': 'A business was rejected.',
  },
  component: 'CustomerWebhook',
  data: Customer,
})

export const verificationWebhook = webhook({
  name: 'verification-update',
  id: 'verificationStatusWebhook',
  summary: 'The status of a verification',
  types: {
    'VERIFICATION.APPROVED': 'Approved.',
    'VERIFICATION.REJECTED': 'Rejected.',
    'VERIFICATION.RESOLVE_ERRORS': 'Something is missing or wrong; see errors.',
    'VERIFICATION.IN_PROGRESS': 'Known to clients, never sent.',
    'VERIFICATION.PENDING_MANUAL_REVIEW': 'Complete, and under review by people.',
    'VERIFICATION.READY_FOR_VERIFICATION': 'Known to clients, never sent.',
  },
  component: 'VerificationWebhook',
  data: Verification,
})

export const internalAccountWebhook = webhook({
  name: 'internal-account-status',
  id: 'internalAccountStatusWebhook',
  summary: 'A change of an internal account',
  types: {
    'INTERNAL_ACCOUNT.BALANCE_UPDATED': 'balance or totalBalance changed.',
    'INTERNAL_ACCOUNT.STATUS_UPDATED': 'The status changed.',
    'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED': 'Funding instructions were added or withdrawn.',
  },
  component: 'InternalAccountStatusWebhook',
  data: InternalAccount,
})

export const externalAccountWebhook = webhook({
  name: 'external-account-status',
  id: 'externalAccountStatusWebhook',
  summary: 'A change of an external account',
  types: { 'EXTERNAL_ACCOUNT.STATUS_UPDATED': 'The status changed after creation.' },
  component: 'ExternalAccountStatusWebhook',
  data: ExternalAccount,
})

export const bulkUploadWebhook = webhook({
  name: 'bulk-upload',
  id: 'bulkUploadWebhook',
  summary: 'The end of an import of customers',
  types: {
    'BULK_UPLOAD.COMPLETED': 'At least one row became a customer; others may have failed.',
    'BULK_UPLOAD.FAILED': 'Nothing was imported.',
  },
  component: 'BulkUploadWebhook',
  data: BulkCustomerImportJob,
})

export const testWebhook = webhook({
  name: 'test-webhook',
  id: 'testWebhook',
  summary: 'A test of the endpoint',
  types: { TEST: 'The endpoint was set or changed, or a test was asked for.' },
  component: 'TestWebhookRequest',
  data: Type.Object({}),
})

export const webhooks: readonly Webhook[] = [
  incomingPaymentWebhook,
  outgoingPaymentWebhook,
  customerWebhook,
  verificationWebhook,
  internalAccountWebhook,
  externalAccountWebhook,
  bulkUploadWebhook,
  testWebhook,
]

export const testConfiguredWebhook = operation({
  id: 'testConfiguredWebhook',
  method: 'POST',
  path: '/webhooks/test',
  tag: 'Webhooks',
  summary: 'Send a test webhook to the configured endpoint',
  description: 'The path that older clients call; it works in production as well.',
  auth: 'basic',
  permissions: ['MANAGE'],
  responses: { 200: TestWebhookResponse },
  errors: ['WEBHOOK_ENDPOINT_NOT_SET', 'WEBHOOK_DELIVERY_ERROR'],
  events: ['TEST'],
  extension: true,
})

/** An event as the operator sees it: how its delivery went, and nothing of what it says. */
export const FailedEvent = Type.Object(
  {
    id: idOf('Webhook'),
    type: Type.String(),
    resourceId: Type.String(),
    attempts: Type.Integer({ minimum: 1 }),
    lastStatus: nullable(Type.Integer({ description: 'The HTTP status of the last answer.' })),
    lastError: nullable(Type.String({ description: 'Why the last attempt failed.' })),
    createdAt: timestamp(),
  },
  { $id: 'FailedEvent' },
)
export type FailedEvent = Static<typeof FailedEvent>

const bookOfEvents = {
  platformId: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  environment: enumOf(['SANDBOX', 'PRODUCTION']),
}

export const listFailedEvents = operation({
  id: 'listFailedEvents',
  method: 'GET',
  path: '/operator/events',
  tag: 'Operator',
  summary: "List a platform's events that were given up",
  auth: 'operator',
  permissions: [],
  query: Type.Object({ ...bookOfEvents, ...paging }),
  responses: { 200: listOf('FailedEventListResponse', FailedEvent) },
  errors: [],
  extension: true,
})

export const resendEvent = operation({
  id: 'resendEvent',
  method: 'POST',
  path: '/operator/events/{eventId}/resend',
  tag: 'Operator',
  summary: 'Send an event again that was given up',
  description: 'With the same id and the same bytes. One more attempt, at the endpoint configured now.',
  auth: 'operator',
  permissions: [],
  params: Type.Object({ eventId: Type.String() }),
  body: Type.Object(bookOfEvents, { $id: 'ResendEventRequest' }),
  responses: { 202: Type.Object({ id: idOf('Webhook') }, { $id: 'ResendEventResponse' }) },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
  extension: true,
})

export const rotateWebhookKey = operation({
  id: 'rotateWebhookKey',
  method: 'POST',
  path: '/operator/webhook-keys',
  tag: 'Operator',
  summary: 'Replace the key that signs the webhooks of an environment',
  description:
    'The new key is published at once and signs ten minutes later; the one before stays published for thirty days after that. 409 while a new key is waiting.',
  auth: 'operator',
  permissions: [],
  body: Type.Object({ environment: bookOfEvents.environment }, { $id: 'WebhookKeyRotateRequest' }),
  responses: {
    201: Type.Object(
      { keyId: Type.String(), publicKey: Type.String({ description: 'PEM' }), signsFrom: timestamp() },
      { $id: 'WebhookKeyRotated' },
    ),
  },
  errors: ['CONFLICT'],
  extension: true,
})

export const webhookOperations = [testConfiguredWebhook, listFailedEvents, resendEvent, rotateWebhookKey]
