import Type, { type Static } from 'typebox'
import { paymentInstructions } from '../../reference/account-types/index.ts'
import { CryptoNetwork, PaymentRail } from '../../reference/account-types/network-schemas.ts'
import {
  CurrencyAmount,
  currencyCode,
  enumOf,
  idOf,
  nullable,
  openObject,
  partOf,
  taggedUnion,
  timestamp,
  umaAddress,
  unsignedMinor,
} from '../../vocabulary/shapes.ts'

/** What the other side of a UMA payment disclosed, by CustomerInfoFieldName. */
export const CounterpartyInformation = openObject({ $id: 'CounterpartyInformation' })

/** How the amounts follow from each other; the arithmetic is in accounts 8. */
export const OutgoingRateDetails = Type.Object(
  {
    counterpartyMultiplier: Type.Number({
      exclusiveMinimum: 0,
      description: 'Rate from the intermediate unit (millisatoshi) to the receiving currency.',
    }),
    counterpartyFixedFee: unsignedMinor({
      description: 'Fixed fee of the receiving institution, in the receiving currency.',
    }),
    gridApiMultiplier: Type.Number({
      exclusiveMinimum: 0,
      description: 'Rate from the sending currency to the intermediate unit, including variable fees.',
    }),
    gridApiFixedFee: unsignedMinor({ description: 'Fixed fee of the service.' }),
    gridApiVariableFeeRate: Type.Number({
      minimum: 0,
      description: 'Variable fee as a fraction. The value 0.003 means 0.3 %.',
    }),
    gridApiVariableFeeAmount: Type.Number({
      minimum: 0,
      description: 'Amount in the smallest unit of the sending currency.',
    }),
  },
  { $id: 'OutgoingRateDetails' },
)
export type OutgoingRateDetails = Static<typeof OutgoingRateDetails>

export const TransactionType = enumOf(['INCOMING', 'OUTGOING'], { $id: 'TransactionType' })
export type TransactionType = Static<typeof TransactionType>

/** REFUNDED is known to clients and never produced: a refund is the `refund` object (accounts 10.1). */
export const TransactionStatus = enumOf(
  [
    'CREATED',
    'PENDING',
    'PENDING_AUTHORIZATION',
    'PROCESSING',
    'COMPLETED',
    'REJECTED',
    'FAILED',
    'REFUNDED',
    'EXPIRED',
  ],
  { $id: 'TransactionStatus' },
)
export type TransactionStatus = Static<typeof TransactionStatus>

export const OutgoingTransactionStatus = partOf(
  TransactionStatus,
  'PENDING',
  'PENDING_AUTHORIZATION',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
)
export type OutgoingTransactionStatus = Static<typeof OutgoingTransactionStatus>

/** The last two are known to clients and no longer produced (conventions 12.6). */
export const OutgoingTransactionFailureReason = enumOf(
  [
    'QUOTE_EXPIRED',
    'QUOTE_RATE_UNAVAILABLE',
    'QUOTE_EXECUTION_FAILED',
    'FUNDING_AMOUNT_MISMATCH',
    'SCA_NOT_COMPLETED',
    'PAYOUT_RETURNED',
    'LIMIT_EXCEEDED',
    'ACCOUNT_CANNOT_RECEIVE',
    'ACCOUNT_INVALID',
    'COMPLIANCE_REJECTED',
    'LIGHTNING_PAYMENT_FAILED',
    'COUNTERPARTY_POST_TX_FAILED',
  ],
  { $id: 'OutgoingTransactionFailureReason' },
)
export type OutgoingTransactionFailureReason = Static<typeof OutgoingTransactionFailureReason>

export const IncomingTransactionFailureReason = enumOf(
  [
    'LNURLP_FAILED',
    'PAY_REQUEST_FAILED',
    'PAYMENT_APPROVAL_WEBHOOK_ERROR',
    'PAYMENT_APPROVAL_TIMED_OUT',
    'OFFRAMP_FAILED',
    'MISSING_MANDATORY_PAYEE_DATA',
    'QUOTE_EXPIRED',
    'QUOTE_EXECUTION_FAILED',
    'COMPLIANCE_REJECTED',
    'COLLECTION_FAILED',
  ],
  { $id: 'IncomingTransactionFailureReason' },
)
export type IncomingTransactionFailureReason = Static<typeof IncomingTransactionFailureReason>

const OnChainTransaction = Type.Object(
  { transactionHash: Type.String(), network: CryptoNetwork },
  { $id: 'OnChainTransaction' },
)

// Where the money comes from and goes to

const TransactionDestinationType = enumOf(['ACCOUNT', 'UMA_ADDRESS'], { $id: 'TransactionDestinationType' })

const TransactionSourceType = enumOf(['ACCOUNT', 'UMA_ADDRESS', 'REALTIME_FUNDING'], {
  $id: 'TransactionSourceType',
})

const account = {
  accountId: idOf('InternalAccount', 'ExternalAccount'),
  currency: Type.Optional(currencyCode()),
  onChainTransaction: Type.Optional(OnChainTransaction),
}

const umaParty = { umaAddress: umaAddress(), currency: Type.Optional(currencyCode()) }

export const TransactionDestination = taggedUnion(
  'destinationType',
  [
    Type.Object(
      { destinationType: partOf(TransactionDestinationType, 'ACCOUNT'), ...account },
      { $id: 'AccountTransactionDestination' },
    ),
    Type.Object(
      { destinationType: partOf(TransactionDestinationType, 'UMA_ADDRESS'), ...umaParty },
      { $id: 'UmaAddressTransactionDestination' },
    ),
  ],
  { $id: 'TransactionDestinationOneOf' },
)
export type TransactionDestination = Static<typeof TransactionDestination>

/** A payment that arrived by funding instructions, with what its rail tells about the payer. */
const RealtimeFundingTransactionSource = Type.Object(
  {
    sourceType: partOf(TransactionSourceType, 'REALTIME_FUNDING'),
    currency: currencyCode(),
    customerId: Type.Optional(idOf('Customer', 'PlatformConfig')),
    accountHolderName: Type.Optional(Type.String()),
    accountIdentifier: Type.Optional(
      Type.String({ description: 'Masked identifier of the account.', examples: ['****6789'] }),
    ),
    bankName: Type.Optional(Type.String()),
    bankIdentifier: Type.Optional(Type.String({ examples: ['021000021'] })),
    paymentRail: Type.Optional(PaymentRail),
    remittanceInformation: Type.Optional(Type.String()),
    endToEndId: Type.Optional(Type.String()),
    traceNumber: Type.Optional(Type.String()),
    onChainTransaction: Type.Optional(OnChainTransaction),
  },
  { $id: 'RealtimeFundingTransactionSource' },
)

export const TransactionSource = taggedUnion(
  'sourceType',
  [
    Type.Object(
      { sourceType: partOf(TransactionSourceType, 'ACCOUNT'), ...account },
      { $id: 'AccountTransactionSource' },
    ),
    Type.Object(
      { sourceType: partOf(TransactionSourceType, 'UMA_ADDRESS'), ...umaParty },
      { $id: 'UmaAddressTransactionSource' },
    ),
    RealtimeFundingTransactionSource,
  ],
  { $id: 'TransactionSourceOneOf' },
)
export type TransactionSource = Static<typeof TransactionSource>

// Transactions

const ours = { 'x-corridor-extension': true }

/** Money on its way back after a failure, a return or a cancellation (accounts 10.1). */
export const Refund = Type.Object(
  {
    reference: Type.String(),
    status: enumOf(['PENDING', 'COMPLETED', 'FAILED']),
    reason: Type.Optional(enumOf(['TRANSACTION_FAILED', 'USER_CANCELLATION', 'TIMEOUT'])),
    initiatedAt: timestamp(),
    settledAt: Type.Optional(timestamp()),
    amount: Type.Object(CurrencyAmount.properties, {
      ...ours,
      description:
        'Refunded amount and currency. The amount differs from `sentAmount` if the payment did not match the quote, or if part of the refund settled receivables.',
    }),
  },
  { $id: 'Refund' },
)
export type Refund = Static<typeof Refund>

const common = {
  id: idOf('Transaction'),
  expectedBy: Type.Optional(
    timestamp({
      ...ours,
      description:
        'Time at which the payment is expected to complete. Set while the payment is waiting for a rail or for its next step. On a rail, Corridor counts the usual settlement time from the hand-over. Events do not include this field.',
    }),
  ),
  isOverdue: Type.Optional(
    Type.Boolean({
      ...ours,
      description:
        'True if a payment in progress is past `expectedBy`, or if Corridor no longer retries its next step. The `isStuck` filter finds these payments. Events do not include this field.',
    }),
  ),
  pendingReason: Type.Optional(
    enumOf(
      [
        'COUNTERPARTY_DECLARATION_REQUIRED',
        'WALLET_VERIFICATION_REQUIRED',
        'COUNTERPARTY_INFORMATION_REQUIRED',
        'COMPLIANCE_REVIEW',
      ],
      { $id: 'TransactionPendingReason' },
    ),
  ),
  direction: enumOf(['CREDIT', 'DEBIT'], { $id: 'TransactionDirection' }),
  destination: TransactionDestination,
  customerId: idOf('Customer', 'PlatformConfig'),
  platformCustomerId: Type.String({
    description: 'Your id for the customer, or `platform` for payments of the platform itself.',
  }),
  exchangeRate: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  quoteId: Type.Optional(idOf('Quote')),
  refund: Type.Optional(Refund),
  counterpartyInformation: Type.Optional(CounterpartyInformation),
  reconciliationInstructions: Type.Optional(
    Type.Object(
      {
        reference: Type.Optional(Type.String({ description: 'Reference text on the account statement.' })),
        transactionHash: Type.Optional(Type.String({ deprecated: true })),
      },
      { $id: 'ReconciliationInstructions' },
    ),
  ),
  description: Type.Optional(Type.String()),
  agentId: Type.Optional(idOf('Agent')),
  receiptDeliveryConfirmedAt: Type.Optional(timestamp()),
  settledAt: Type.Optional(timestamp({ description: 'Present only while the status is COMPLETED.' })),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

export const IncomingTransaction = Type.Object(
  {
    ...common,
    type: partOf(TransactionType, 'INCOMING'),
    status: TransactionStatus,
    source: Type.Optional(TransactionSource),
    sentAmount: Type.Optional(CurrencyAmount),
    receivedAmount: CurrencyAmount,
    fees: Type.Optional(unsignedMinor()),
    failureReason: Type.Optional(IncomingTransactionFailureReason),
  },
  { $id: 'IncomingTransaction' },
)
export type IncomingTransaction = Static<typeof IncomingTransaction>

export const OutgoingTransaction = Type.Object(
  {
    ...common,
    type: partOf(TransactionType, 'OUTGOING'),
    status: OutgoingTransactionStatus,
    source: TransactionSource,
    sentAmount: CurrencyAmount,
    receivedAmount: Type.Optional(CurrencyAmount),
    fees: unsignedMinor({ description: 'Fees in the smallest unit of the sending currency.' }),
    platformFees: unsignedMinor({ description: 'Part of the fees that the platform receives.' }),
    paymentInstructions: Type.Optional(Type.Array(paymentInstructions)),
    rateDetails: Type.Optional(OutgoingRateDetails),
    failureReason: Type.Optional(OutgoingTransactionFailureReason),
    paymentRail: nullable(PaymentRail),
    railSelectionMode: nullable(enumOf(['AUTO', 'MANUAL'], { description: 'Indicates who chose the rail.' })),
    expectedSettlementAt: nullable(timestamp()),
    settlementTimelineSeconds: nullable(Type.Integer()),
  },
  { $id: 'OutgoingTransaction' },
)
export type OutgoingTransaction = Static<typeof OutgoingTransaction>
