import { assert, type Id, toTimestamp, toWireAmount } from '@corridor/kernel'
import { platformOwner } from '../../platform/internal-accounts/index.ts'
import { toCurrency } from '../../reference/currencies/index.ts'
import type { NewEvent } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { subjectOfOwner } from '../../vocabulary/subject.ts'
import { refundedAmountOf } from './refund.ts'
import type { ShownTransaction, Transaction } from './transaction.ts'
import type { IncomingTransaction, OutgoingTransaction } from './transaction-schemas.ts'

/** A transaction as its GET and its events show it; which fields are present is accounts 10.2. */
export function renderTransaction(
  book: Book,
  transaction: ShownTransaction,
): IncomingTransaction | OutgoingTransaction {
  return transaction.type === 'OUTGOING'
    ? renderOutgoing(book, transaction)
    : renderIncoming(book, transaction)
}

/** On platform movements the customer is the platform itself (accounts 10.2). */
export function ownerIdOnWire(book: Book, ownerId: string): Id<'Customer'> | Id<'PlatformConfig'> {
  return ownerId === platformOwner ? `PlatformConfig:${book.platformId}` : (ownerId as Id<'Customer'>)
}

/** Whoever pays a realtime quote in, it is for the owner of the quote (accounts 10.2). */
function sourceOnWire(book: Book, { type, source, ownerId }: ShownTransaction): Transaction['source'] {
  if (source.sourceType !== 'REALTIME_FUNDING' || type !== 'OUTGOING') return source
  return { ...source, customerId: ownerIdOnWire(book, ownerId) }
}

function renderOutgoing(book: Book, transaction: ShownTransaction): OutgoingTransaction {
  const { details, rail } = transaction
  const sent = amountOf(transaction.sentMinor, transaction.sentCurrency)
  assert(sent, 'an outgoing transaction has a sent amount')
  const received = amountOf(transaction.receivedMinor, transaction.receivedCurrency)
  return {
    ...renderCommon(book, transaction),
    type: 'OUTGOING',
    status: transaction.status as OutgoingTransaction['status'],
    source: sourceOnWire(book, transaction),
    sentAmount: sent,
    ...(received ? { receivedAmount: received } : {}),
    fees: toWireAmount(BigInt(details.feesMinor ?? 0)),
    platformFees: toWireAmount(BigInt(details.platformFeesMinor ?? 0)),
    ...(details.paymentInstructions && transaction.status !== 'PENDING_AUTHORIZATION'
      ? { paymentInstructions: details.paymentInstructions }
      : {}),
    ...(details.rateDetails ? { rateDetails: details.rateDetails } : {}),
    ...(transaction.failureReason === null
      ? {}
      : { failureReason: transaction.failureReason as NonNullable<OutgoingTransaction['failureReason']> }),
    paymentRail: rail as OutgoingTransaction['paymentRail'],
    railSelectionMode: rail === null ? null : (details.railSelectionMode ?? 'AUTO'),
    expectedSettlementAt: details.expectedSettlementAt ?? null,
    settlementTimelineSeconds: details.settlementTimelineSeconds ?? null,
  }
}

function renderIncoming(book: Book, transaction: ShownTransaction): IncomingTransaction {
  const sent = amountOf(transaction.sentMinor, transaction.sentCurrency)
  const received = amountOf(transaction.receivedMinor, transaction.receivedCurrency)
  assert(received, 'an incoming transaction has a received amount')
  return {
    ...renderCommon(book, transaction),
    type: 'INCOMING',
    status: transaction.status,
    source: sourceOnWire(book, transaction),
    ...(sent ? { sentAmount: sent } : {}),
    receivedAmount: received,
    ...(transaction.failureReason === null
      ? {}
      : { failureReason: transaction.failureReason as NonNullable<IncomingTransaction['failureReason']> }),
  }
}

function renderCommon(book: Book, transaction: ShownTransaction) {
  const { details } = transaction
  return {
    id: transaction.id,
    direction: transaction.direction,
    destination: transaction.destination,
    customerId: ownerIdOnWire(book, transaction.ownerId),
    platformCustomerId: transaction.platformCustomerId,
    ...(details.exchangeRate === undefined ? {} : { exchangeRate: details.exchangeRate }),
    ...(transaction.quoteId === null ? {} : { quoteId: transaction.quoteId }),
    ...(transaction.refund === null ? {} : { refund: renderRefund(transaction, transaction.refund) }),
    reconciliationInstructions: { reference: transaction.reference },
    ...(details.counterpartyInformation ? { counterpartyInformation: details.counterpartyInformation } : {}),
    ...(details.agentId === undefined ? {} : { agentId: details.agentId }),
    ...(details.description === undefined ? {} : { description: details.description }),
    ...(details.receiptDeliveryConfirmedAt === undefined
      ? {}
      : { receiptDeliveryConfirmedAt: details.receiptDeliveryConfirmedAt }),
    ...(transaction.settledAt === null ? {} : { settledAt: toTimestamp(transaction.settledAt) }),
    createdAt: toTimestamp(transaction.createdAt),
    updatedAt: toTimestamp(transaction.updatedAt),
  }
}

function renderRefund(transaction: ShownTransaction, refund: NonNullable<ShownTransaction['refund']>) {
  const refunded = refundedAmountOf(transaction)
  assert(refunded, 'what goes back is an amount')
  return { ...refund, amount: amountOf(refunded.amountMinor, refunded.currency)! }
}

function amountOf(amountMinor: bigint | null, currency: string | null) {
  if (amountMinor === null || currency === null) return undefined
  return { amount: toWireAmount(amountMinor), currency: toCurrency(currency) }
}

/** The event that tells of a transaction as it is now: a snapshot, not a promise (accounts 10.1). */
export function paymentEvent(book: Book, transaction: Transaction, what: PaymentEvent): NewEvent {
  return {
    type: `${transaction.type}_PAYMENT.${what}`,
    resourceId: transaction.id,
    subjectId: subjectOfOwner(transaction.flow.onBehalfOf ?? transaction.ownerId),
    data: renderTransaction(book, transaction),
  }
}

export type PaymentEvent =
  | 'PENDING'
  | 'PENDING_AUTHORIZATION'
  | 'PROCESSING'
  | 'COMPLETED'
  | 'FAILED'
  | 'EXPIRED'
  | 'REFUND_PENDING'
  | 'REFUND_COMPLETED'
  | 'REFUND_FAILED'
