import Type from 'typebox'
import { PaymentRail } from '../../reference/account-types/network-schemas.ts'
import { operation } from '../../vocabulary/operation.ts'
import {
  currencyCode,
  enumOf,
  idOf,
  listOf,
  openObject,
  operatorReason,
  Proposed,
  paging,
  plainText,
  repeatable,
  timeFilters,
  timestamp,
} from '../../vocabulary/shapes.ts'
import { Transaction } from '../cards/any-transaction-schemas.ts'
import { CardTransactionStatus } from '../cards/card-transaction-schemas.ts'
import {
  IncomingTransaction,
  IncomingTransactionFailureReason,
  OutgoingTransactionFailureReason,
  TransactionStatus,
} from '../payments/transaction-schemas.ts'

export { IncomingTransaction, OutgoingTransaction } from '../payments/transaction-schemas.ts'

const tag = 'Transactions'

export const TransactionList = listOf('TransactionListResponse', Transaction)

/** Payments and cards share some words and not others. */
const AnyStatus = Type.Unsafe<TransactionStatus | CardTransactionStatus>(
  enumOf([...new Set<string>([...wordsOf(TransactionStatus), ...wordsOf(CardTransactionStatus)])]),
)
const AnyFailureReason = Type.Unsafe<IncomingTransactionFailureReason | OutgoingTransactionFailureReason>(
  enumOf([
    ...new Set<string>([
      ...wordsOf(IncomingTransactionFailureReason),
      ...wordsOf(OutgoingTransactionFailureReason),
    ]),
  ]),
)
function wordsOf(list: unknown): readonly string[] {
  return (list as { readonly enum: readonly string[] }).enum
}

const transactionPath = Type.Object({ transactionId: Type.String() })

/** By what a party of a transaction is found (accounts 10.3). */
function partyIdentifier(description: string) {
  const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'
  const pattern = `^((InternalAccount|ExternalAccount):${uuid}|\\$[^@\\s]{1,64}@[^@\\s]{1,255})$`
  return Type.String({ pattern, description })
}

export const listTransactions = operation({
  id: 'listTransactions',
  method: 'GET',
  path: '/transactions',
  tag,
  summary: 'List transactions',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    customerId: Type.Optional(repeatable(idOf('Customer', 'PlatformConfig'))),
    platformCustomerId: Type.Optional(repeatable(plainText())),
    accountIdentifier: Type.Optional(
      repeatable(partyIdentifier('Account id or UMA address of either side.')),
    ),
    senderAccountIdentifier: Type.Optional(
      repeatable(partyIdentifier('Account id or UMA address of the sending side.')),
    ),
    receiverAccountIdentifier: Type.Optional(
      repeatable(partyIdentifier('Account id or UMA address of the receiving side.')),
    ),
    status: Type.Optional(repeatable(AnyStatus)),
    type: Type.Optional(repeatable(enumOf(['INCOMING', 'OUTGOING', 'CARD']))),
    reference: Type.Optional(
      repeatable(
        plainText({ description: 'The exact reference of the payment, its funding or its refund.' }),
      ),
    ),
    sentCurrency: Type.Optional(repeatable(currencyCode())),
    receivedCurrency: Type.Optional(repeatable(currencyCode())),
    minAmount: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Minimum sent amount, in the smallest unit of the currency. For transactions without a sent amount, the received amount counts.',
      }),
    ),
    maxAmount: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Maximum sent amount, in the smallest unit of the currency. For transactions without a sent amount, the received amount counts.',
      }),
    ),
    paymentRail: Type.Optional(repeatable(PaymentRail)),
    failureReason: Type.Optional(repeatable(AnyFailureReason)),
    isStuck: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Returns only payments that are past their expected completion, or whose next step Corridor no longer retries. Payments that wait for a person do not count as stuck.',
      }),
    ),
    startDate: Type.Optional(timestamp({ description: 'Created at or after this time.' })),
    endDate: Type.Optional(timestamp({ description: 'Created at or before this time.' })),
    updatedAfter: timeFilters.updatedAfter,
    updatedBefore: timeFilters.updatedBefore,
    ...paging,
  }),
  responses: { 200: TransactionList },
  errors: [],
})

export const getTransactionById = operation({
  id: 'getTransactionById',
  method: 'GET',
  path: '/transactions/{transactionId}',
  tag,
  summary: 'Read a transaction',
  auth: 'basic',
  permissions: ['VIEW'],
  params: transactionPath,
  responses: { 200: Transaction },
  errors: ['TRANSACTION_NOT_FOUND'],
})

export const confirmReceiptDelivery = operation({
  id: 'confirmReceiptDelivery',
  method: 'POST',
  path: '/transactions/{transactionId}/confirm',
  tag,
  summary: 'Record that the receipt was delivered',
  auth: 'basic',
  permissions: ['TRANSACT', 'MANAGE'],
  params: transactionPath,
  body: Type.Object(
    {
      receiptDeliveryConfirmedAt: Type.Optional(
        timestamp({ description: 'Time of the delivery. Default: now.' }),
      ),
    },
    { $id: 'ConfirmReceiptDeliveryRequest' },
  ),
  bodyOptional: true,
  responses: { 200: Transaction },
  errors: ['TRANSACTION_NOT_FOUND'],
})

export const approvePendingPayment = operation({
  id: 'approvePendingPayment',
  method: 'POST',
  path: '/transactions/{transactionId}/approve',
  tag,
  summary: 'Approve an incoming payment',
  description:
    'Call this operation within five seconds after you respond 202 to the INCOMING_PAYMENT.PENDING webhook.',
  auth: 'basic',
  permissions: ['TRANSACT'],
  params: transactionPath,
  body: Type.Object(
    {
      receiverCustomerInfo: Type.Optional(
        openObject({ description: 'Values for the requestedReceiverCustomerInfoFields, by name.' }),
      ),
    },
    { $id: 'ApprovePaymentRequest' },
  ),
  bodyOptional: true,
  responses: { 200: IncomingTransaction },
  errors: [
    'MISSING_MANDATORY_USER_INFO',
    'TRANSACTION_NOT_FOUND',
    'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
  ],
  events: ['INCOMING_PAYMENT.COMPLETED', 'INCOMING_PAYMENT.FAILED', 'INTERNAL_ACCOUNT.BALANCE_UPDATED'],
})

export const rejectPendingPayment = operation({
  id: 'rejectPendingPayment',
  method: 'POST',
  path: '/transactions/{transactionId}/reject',
  tag,
  summary: 'Reject an incoming payment',
  auth: 'basic',
  permissions: ['TRANSACT'],
  params: transactionPath,
  body: Type.Object(
    { reason: Type.Optional(plainText({ examples: ['RESTRICTED_JURISDICTION'] })) },
    { $id: 'RejectPaymentRequest' },
  ),
  bodyOptional: true,
  responses: { 200: IncomingTransaction },
  errors: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL'],
  events: ['INCOMING_PAYMENT.FAILED'],
})

export const cancelTransaction = operation({
  id: 'cancelTransaction',
  method: 'POST',
  path: '/transactions/{transactionId}/cancel',
  tag,
  summary: 'Cancel a bank payment that has not settled',
  auth: 'basic',
  permissions: ['TRANSACT'],
  params: transactionPath,
  body: Type.Object(
    { reason: Type.Optional(plainText({ examples: ['REQUESTED_AFTER_HOURS'] })) },
    { $id: 'CancelTransactionRequest' },
  ),
  bodyOptional: true,
  responses: { 200: Transaction },
  answersApart: 'the job of the payment asks the rail before the response',
  errors: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_CANCELLABLE', 'SERVICE_SWITCH_ERROR'],
  events: [
    'OUTGOING_PAYMENT.REFUND_PENDING',
    'OUTGOING_PAYMENT.REFUND_COMPLETED',
    'OUTGOING_PAYMENT.COMPLETED',
    'INCOMING_PAYMENT.FAILED',
  ],
})

export const endUmaPayment = operation({
  id: 'operatorEndUmaPayment',
  method: 'POST',
  path: '/operator/transactions/{transactionId}/end-uma-payment',
  tag: 'Operator',
  summary: 'Resolve a UMA payment with an unknown outcome',
  description:
    'Corridor first asks the other institution or the Lightning node again, and uses the response. If there is no response, `ifUnknown` decides. Send DELIVERED if the institution confirmed the payment to you, or REFUND if it will no longer accept the payment. Returns 409 if the transaction is not a payment in progress to another institution. Also returns 409 if payouts to the institution are paused, because asking about the payment could hand it over.',
  auth: 'operator',
  role: 'OPERATOR',
  power: 'MONEY',
  permissions: [],
  params: transactionPath,
  body: Type.Object(
    { ifUnknown: enumOf(['DELIVERED', 'REFUND']), reason: operatorReason() },
    { $id: 'OperatorEndUmaPaymentRequest' },
  ),
  responses: { 200: Transaction, 202: Proposed },
  errors: ['TRANSACTION_NOT_FOUND', 'CONFLICT'],
  events: ['OUTGOING_PAYMENT.COMPLETED', 'OUTGOING_PAYMENT.FAILED', 'OUTGOING_PAYMENT.REFUND_PENDING'],
  extension: true,
})

export const resolveRefund = operation({
  id: 'operatorResolveRefund',
  method: 'POST',
  path: '/operator/transactions/{transactionId}/resolve-refund',
  tag: 'Operator',
  summary: 'Move the money of a failed refund out of suspense',
  description:
    "You can call this operation once per refund. The money goes to the owner's internal account, or out on a rail. On a rail, you have to make the payment yourself. The refund stays FAILED. Returns 409 if no money is waiting.",
  auth: 'operator',
  role: 'OPERATOR',
  power: 'MONEY',
  permissions: [],
  params: transactionPath,
  body: Type.Object(
    { to: enumOf(['ACCOUNT', 'RAIL']), reason: operatorReason() },
    { $id: 'OperatorResolveRefundRequest' },
  ),
  responses: { 200: Transaction, 202: Proposed },
  errors: ['TRANSACTION_NOT_FOUND', 'CONFLICT'],
  events: ['INTERNAL_ACCOUNT.BALANCE_UPDATED'],
  extension: true,
})
