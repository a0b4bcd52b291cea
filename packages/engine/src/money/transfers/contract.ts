import Type, { type Static } from 'typebox'
import { PaymentRail } from '../../reference/account-types/network-schemas.ts'
import { type Operation, operation } from '../../vocabulary/operation.ts'
import { amountMinor, idempotencyHeaders, idOf } from '../../vocabulary/shapes.ts'
import { Transaction } from '../cards/any-transaction-schemas.ts'
import { PurposeOfPayment, remittanceInformation } from '../quotes/quote-schemas.ts'

const tag = 'Same-Currency Transfers'

const InternalAccountReference = Type.Object(
  { accountId: idOf('InternalAccount') },
  { $id: 'InternalAccountReference' },
)

export const TransferInRequest = Type.Object(
  {
    source: Type.Object({ accountId: idOf('ExternalAccount') }, { $id: 'ExternalAccountReference' }),
    destination: InternalAccountReference,
    amount: amountMinor(),
  },
  { $id: 'TransferInRequest' },
)
export type TransferInRequest = Static<typeof TransferInRequest>

export const TransferOutRequest = Type.Object(
  {
    source: InternalAccountReference,
    destination: Type.Object(
      { accountId: idOf('ExternalAccount'), paymentRail: Type.Optional(PaymentRail) },
      { $id: 'ExternalAccountDestinationReference' },
    ),
    amount: amountMinor(),
    remittanceInformation: Type.Optional(remittanceInformation),
    purposeOfPayment: Type.Optional(PurposeOfPayment),
  },
  { $id: 'TransferOutRequest' },
)
export type TransferOutRequest = Static<typeof TransferOutRequest>

/** What both transfers may answer (accounts 9, 15). */
const transferErrors = [
  'INVALID_AMOUNT',
  'AMOUNT_OUT_OF_RANGE',
  'INVALID_CURRENCY',
  'INVALID_RECEIVER',
  'INVALID_BANK_ACCOUNT',
  'TRANSACTION_SIZE_LIMIT_EXCEEDED',
  'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
  'USER_NOT_READY',
  'END_USER_TERMS_NOT_ACCEPTED',
  'REFERENCE_NOT_FOUND',
  'CONFLICT',
  'CUSTOMER_DELETED',
  'DAILY_VOLUME_LIMIT_EXCEEDED',
  'SERVICE_SWITCH_ERROR',
  'NOT_IMPLEMENTED',
] as const satisfies Operation['errors']

export const createTransferIn = operation({
  id: 'createTransferIn',
  method: 'POST',
  path: '/transfer-in',
  tag,
  summary: 'Pull money into an internal account',
  description:
    'Use POST /quotes with immediatelyExecute instead. Customers who have to authorize their payments can only use quotes.',
  auth: 'basic',
  permissions: ['TRANSACT'],
  headers: idempotencyHeaders,
  body: TransferInRequest,
  responses: { 201: Transaction },
  errors: transferErrors,
  events: ['INCOMING_PAYMENT.PENDING', 'INCOMING_PAYMENT.COMPLETED', 'INCOMING_PAYMENT.FAILED'],
  deprecated: { successor: '/quotes' },
  example: {
    source: { accountId: 'ExternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f71' },
    destination: { accountId: 'InternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70' },
    amount: 12_550,
  },
})

export const createTransferOut = operation({
  id: 'createTransferOut',
  method: 'POST',
  path: '/transfer-out',
  tag,
  summary: 'Pay out from an internal account in the same currency',
  description:
    'Use POST /quotes with immediatelyExecute instead. Embedded wallets, and customers who have to authorize their payments, can only use quotes.',
  auth: 'basic',
  permissions: ['TRANSACT'],
  headers: idempotencyHeaders,
  body: TransferOutRequest,
  responses: { 201: Transaction },
  errors: [...transferErrors, 'INSUFFICIENT_BALANCE', 'MISSING_MANDATORY_USER_INFO'],
  events: [
    'OUTGOING_PAYMENT.PENDING',
    'OUTGOING_PAYMENT.PROCESSING',
    'OUTGOING_PAYMENT.COMPLETED',
    'OUTGOING_PAYMENT.FAILED',
    'INTERNAL_ACCOUNT.BALANCE_UPDATED',
  ],
  deprecated: { successor: '/quotes' },
  example: {
    source: { accountId: 'InternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70' },
    destination: { accountId: 'ExternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f71' },
    amount: 12_550,
  },
})
