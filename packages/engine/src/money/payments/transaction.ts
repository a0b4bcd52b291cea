import { type Id, type Instant, lowerAscii, type Machine, step, toTimestamp } from '@corridor/kernel'
import type { PayerField } from '../../ports/uma.ts'
import { ContradictoryFacts, type Row, type Update } from '../../vocabulary/decision.ts'
import { wordsColumns } from '../../vocabulary/words.ts'
import type { PeerPayment } from '../uma-peers/index.ts'
import type { HeldBack } from './held.ts'
import { incomingMachine, outgoingMachine } from './machine.ts'
import type { PaymentAmounts } from './postings.ts'
import type {
  OutgoingTransaction,
  Refund,
  TransactionDestination,
  TransactionSource,
  TransactionStatus,
  TransactionType,
} from './transaction-schemas.ts'
import { partsOf } from './words.ts'

/** A movement of money of one owner, from its first record to its last event. */
export interface Transaction {
  readonly id: Id<'Transaction'>
  readonly version: bigint
  readonly status: TransactionStatus
  readonly type: TransactionType
  readonly direction: 'CREDIT' | 'DEBIT'
  /** A customer id, or `platform`. */
  readonly ownerId: string
  readonly platformCustomerId: string
  readonly quoteId: Id<'Quote'> | null
  readonly sentMinor: bigint | null
  readonly sentCurrency: string | null
  readonly receivedMinor: bigint | null
  readonly receivedCurrency: string | null
  readonly source: TransactionSource
  readonly destination: TransactionDestination
  readonly reference: string
  readonly refundReference: string | null
  readonly failureReason: string | null
  readonly refund: Omit<Refund, 'amount'> | null
  readonly rail: string | null
  readonly flow: PaymentFlow
  readonly details: TransactionDetails
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly settledAt: Instant | null
}

/** A transaction for whoever is shown it. Of its flow that is only what a refund's amount follows from. */
export type ShownTransaction = Omit<Transaction, 'version' | 'flow'> & {
  readonly flow: Pick<PaymentFlow, 'kind' | 'refunded' | 'paidIn' | 'setOffMinor'> | null
}

/** What is shown and never decides anything. */
export interface TransactionDetails {
  /** Who started it, where that was an agent. */
  readonly agentId?: Id<'Agent'>
  readonly description?: string
  readonly exchangeRate?: number
  readonly rateDetails?: OutgoingTransaction['rateDetails']
  /** Minor units as text. */
  readonly feesMinor?: string
  readonly platformFeesMinor?: string
  readonly railSelectionMode?: 'AUTO' | 'MANUAL'
  /** How a realtime quote was to be paid in; kept after funding for reference (accounts 7.2). */
  readonly paymentInstructions?: OutgoingTransaction['paymentInstructions']
  readonly expectedSettlementAt?: string | null
  readonly settlementTimelineSeconds?: number
  readonly receiptDeliveryConfirmedAt?: string
  /** Why the platform rejected it; never told to the counterparty (webhooks 3.4). */
  readonly rejectionReason?: string
  /** What the counterparty disclosed of the sender, by CustomerInfoFieldName. */
  readonly counterpartyInformation?: Readonly<Record<string, string>>
}

/**
 * Where a payment's money is and what comes next. The status is what callers see; the stage is what the
 * next step of the background work does (jobs.ts).
 */
export interface PaymentFlow {
  readonly stage: PaymentStage
  readonly kind: 'QUOTE' | 'TRANSFER' | 'DEPOSIT' | 'UMA'
  readonly funding: Funding
  readonly delivery: Delivery
  /** Minor units as text, because JSON numbers end at 2^53. */
  readonly amounts: Readonly<Record<keyof PaymentAmounts, string>>
  /** Where the platform's fee goes once the payment completes. */
  readonly platformAccountId?: string
  /** Suspense item of the platform's fee, if its account could not be credited. */
  readonly feeItemId?: string
  /** Customer for whom the platform pays. What the payment says of people is sealed for that customer. */
  readonly onBehalfOf?: string
  readonly isImmediate: boolean
  /** When the current instruction was handed to its rail. */
  readonly submittedAt?: Instant
  /** The collection, once the bank has paid. The bank may take it back for a while, whatever the payment does meanwhile. */
  readonly collection?: Collection
  /** When the payout of a watched collection began to be handed to its rail: from then on only the rail can tell. */
  readonly handOverAt?: Instant
  /** That the operator holds it back from its rail, or did (held.ts). */
  readonly held?: HeldBack
  /** Until when the customer may authorize it, while that is awaited. */
  readonly authorizeBy?: Instant
  readonly isConverted?: boolean
  readonly refundRoute?: RefundRoute
  /** What is given back, where it is not the sending amount: another amount or currency arrived. */
  readonly refunded?: { readonly amountMinor: string; readonly currency: string }
  /** Part of the refund that paid receivables of the returned collection; the owner got the rest. Minor units as text. */
  readonly setOffMinor?: string
  /** The coins that came for a sending amount in dollars: a refund gives them, not dollars. */
  readonly paidIn?: { readonly amountMinor: string; readonly currency: string }
  readonly isRefundImpossible?: boolean
  /** When a caller asked for it to be stopped, until the rail has answered (cancel-wish.ts). */
  readonly cancelAskedAt?: Instant
  /** The idempotency key of whoever asked: repeated, it is answered with what that led to. */
  readonly cancelKey?: string
  /** The records of other owners, and of other accounts, that its postings moved. */
  readonly records?: readonly string[]
  /** Of such a record: the payment whose postings it shows. */
  readonly recordOf?: string
  /** Stopped before it was delivered or collected. */
  readonly isCancelled?: boolean
  readonly remittanceInformation?: string
  /** Of an incoming UMA payment. */
  readonly approval?: Approval
  /** Who owes for it, where that is another institution: millisatoshi as text. */
  readonly counterparty?: UmaCounterparty
  /** That the operator ended it, why, and what the operator said where nobody else did. */
  readonly endedByOperator?: { readonly reason: string; readonly ifUnknown?: 'DELIVERED' | 'REFUND' }
  /** What the payment counts for in its corridor's daily volume, given back when it fails. */
  readonly volume?: Volume
}

/** One of the two hand-overs of a pulled payment; `stage` and `submittedAt` are those of the other once it has settled. */
export interface Collection {
  readonly submittedAt: Instant
  /** When the bank took it back. */
  readonly returnedAt?: Instant
}

export interface UmaCounterparty {
  readonly domain: string
  readonly msats: string
  /** Of this installation: it owes nothing, and what it brings comes by the mirror of UMA payments. */
  readonly isHosted?: true
  /** It pays over Lightning, the invoice of this hash, and owes nothing either. */
  readonly lightningHash?: string
}

/** What the platform decides about an incoming UMA payment, and what follows (accounts 11). */
export interface Approval {
  /** What the sender's institution wants to know of the receiver and the service does not know. */
  readonly requestedFields: readonly { readonly name: string; readonly mandatory: boolean }[]
  /** What the platform wants to know of the sender before it agrees, by CustomerInfoFieldName. */
  readonly requiredFields?: readonly PayerField[]
  /** Until when the platform may decide. */
  readonly decideBy: Instant
  /** How long the money takes once it is approved; absent where a peer brings it. */
  readonly settlesAfterMs?: number
  /** How long a peer may bring it. */
  readonly expiresAfterMs?: number
}

export interface Volume {
  readonly counter: string
  /** US cents as text. */
  readonly usdMinor: string
}

/** How the sending side is paid. */
export type Funding =
  | { readonly kind: 'INTERNAL'; readonly accountId: string }
  | { readonly kind: 'PULL'; readonly accountId: string; readonly rail: string }
  | { readonly kind: 'REALTIME'; readonly rail: string; readonly isCrypto: boolean }

/** How the receiving side is paid. */
export type Delivery =
  | { readonly kind: 'EXTERNAL'; readonly accountId: string; readonly rail: string }
  | {
      readonly kind: 'UMA'
      readonly umaAddress: string
      readonly rail: typeof umaRail
      readonly peer?: PeerPayment
    }
  | { readonly kind: 'INTERNAL'; readonly accountId: string }

/** What the ledger calls the way on which UMA payments come and go. */
export const umaRail = 'UMA'

export type PaymentStage =
  | 'AUTHORIZE'
  | 'SUBMIT_PULL'
  | 'POLL_PULL'
  | 'SUBMIT_PAYOUT'
  | 'POLL_PAYOUT'
  | 'CONVERT_INTERNAL'
  | 'DELIVER_INTERNAL'
  /** Of a payout. A collection is watched beside the stages (`collection`). */
  | 'WATCH_RETURN'
  | 'SUSPENDED'
  | 'REFUND'
  | 'APPROVE'
  | 'SETTLE'
  | 'DONE'

/** Where refunded money goes (accounts 10.5). */
export type RefundRoute =
  | { readonly kind: 'INTERNAL'; readonly accountId: string }
  | { readonly kind: 'RAIL'; readonly rail: string }

/** A quote and its transaction share one uuid, so neither needs to store the other's id. */
export function transactionIdOf(quoteId: string): Id<'Transaction'> {
  return `Transaction:${quoteId.slice(quoteId.indexOf(':') + 1)}`
}

export function quoteIdOf(transactionId: string): Id<'Quote'> {
  return `Quote:${transactionId.slice(transactionId.indexOf(':') + 1)}`
}

export function amountsToText(amounts: PaymentAmounts): PaymentFlow['amounts'] {
  return {
    sendingAmountMinor: amounts.sendingAmountMinor.toString(),
    serviceFixedMinor: amounts.serviceFixedMinor.toString(),
    serviceVariableMinor: amounts.serviceVariableMinor.toString(),
    networkFeeMinor: amounts.networkFeeMinor.toString(),
    platformFixedMinor: amounts.platformFixedMinor.toString(),
    platformVariableMinor: amounts.platformVariableMinor.toString(),
    netConvertedMinor: amounts.netConvertedMinor.toString(),
    receivingAmountMinor: amounts.receivingAmountMinor.toString(),
    counterpartyFeeMinor: amounts.counterpartyFeeMinor.toString(),
    fxSurplusMinor: amounts.fxSurplusMinor.toString(),
  }
}

export function amountsFromText(text: PaymentFlow['amounts']): PaymentAmounts {
  return {
    sendingAmountMinor: BigInt(text.sendingAmountMinor),
    serviceFixedMinor: BigInt(text.serviceFixedMinor),
    serviceVariableMinor: BigInt(text.serviceVariableMinor),
    networkFeeMinor: BigInt(text.networkFeeMinor),
    platformFixedMinor: BigInt(text.platformFixedMinor),
    platformVariableMinor: BigInt(text.platformVariableMinor),
    netConvertedMinor: BigInt(text.netConvertedMinor),
    receivingAmountMinor: BigInt(text.receivingAmountMinor),
    counterpartyFeeMinor: BigInt(text.counterpartyFeeMinor),
    fxSurplusMinor: BigInt(text.fxSurplusMinor),
  }
}

/** A transaction's amounts of nothing but itself: same currency, no fees (accounts 9). */
export function plainAmounts(amountMinor: bigint, networkFeeMinor = 0n): PaymentAmounts {
  return {
    sendingAmountMinor: amountMinor,
    serviceFixedMinor: 0n,
    serviceVariableMinor: 0n,
    networkFeeMinor,
    platformFixedMinor: 0n,
    platformVariableMinor: 0n,
    netConvertedMinor: amountMinor - networkFeeMinor,
    receivingAmountMinor: amountMinor - networkFeeMinor,
    counterpartyFeeMinor: 0n,
    fxSurplusMinor: 0n,
  }
}

type Changes = Partial<
  Pick<
    Transaction,
    | 'failureReason'
    | 'refund'
    | 'refundReference'
    | 'flow'
    | 'details'
    | 'settledAt'
    | 'source'
    | 'receivedMinor'
  >
>

/** A transaction after a change that leaves its status, and the guarded update that makes it so. */
export function change(
  transaction: Transaction,
  now: Instant,
  changes: Changes,
): { next: Transaction; update: Update } {
  // Strictly later than before, even when two changes fall into one millisecond (conventions 5).
  const updatedAt = Math.max(now, transaction.updatedAt + 1)
  const next = { ...transaction, ...changes, updatedAt, version: transaction.version + 1n }
  const { id, version } = transaction
  const fields = Object.keys(changes)
  const { plain, words } = partsOf(next)
  const columns = (all: readonly string[]) => columnsOf({ ...next, ...plain }, all)
  const tells = fields.some((field) => field in plain) && (words ?? partsOf(transaction).words)
  // With all of its parts, any of which may hold words of an earlier release in plain.
  const set = tells
    ? { ...columns([...fields, ...Object.keys(plain)]), ...wordsColumns(words) }
    : columns(fields)
  return { next, update: { table: 'transactions', id, version, set } }
}

type TransactionEvent = (typeof outgoingMachine | typeof incomingMachine)['transitions'][number]['on']

function after({ type, status }: Pick<Transaction, 'type' | 'status'>, on: TransactionEvent) {
  const machine: Machine = type === 'OUTGOING' ? outgoingMachine : incomingMachine
  return { machine, moved: step(machine, status, on) }
}

/** Whether the transaction's machine lists `on` from where it is. */
export function canMove(transaction: Pick<Transaction, 'type' | 'status'>, on: TransactionEvent): boolean {
  return after(transaction, on).moved.ok
}

/** The status of a transaction after `on`; its machine has to list the move, or the facts were read around another. */
export function statusAfter(
  transaction: Pick<Transaction, 'type' | 'status'>,
  on: TransactionEvent,
): TransactionStatus {
  const { machine, moved } = after(transaction, on)
  if (!moved.ok) throw new ContradictoryFacts(`${machine.name} lists no ${on} from ${transaction.status}`)
  return moved.to as TransactionStatus
}

/** A transaction that its machine moves, and the guarded update that makes it so. */
export function move(
  transaction: Transaction,
  now: Instant,
  on: TransactionEvent,
  changes: Changes = {},
): { next: Transaction; update: Update } {
  return change(transaction, now, { ...changes, status: statusAfter(transaction, on) } as Changes)
}

/** The row of a new transaction. */
export function transactionRow(transaction: Transaction): Row {
  const { id, type, direction, ownerId, platformCustomerId, quoteId, destination } = transaction
  const { plain, words } = partsOf(transaction)
  return {
    id,
    type,
    direction,
    owner_id: ownerId,
    platform_customer_id: platformCustomerId,
    quote_id: quoteId,
    sent_amount: transaction.sentMinor,
    sent_currency: transaction.sentCurrency,
    received_currency: transaction.receivedCurrency,
    destination,
    sender_identifiers: identifiersOf(plain.source),
    receiver_identifiers: identifiersOf(destination),
    reference: transaction.reference,
    rail: transaction.rail,
    created_at: toTimestamp(transaction.createdAt),
    ...columnsOf({ ...transaction, ...plain }, mutableFields),
    ...(words ? wordsColumns(words) : {}),
  }
}

const mutableFields = [
  'status',
  'failureReason',
  'refund',
  'refundReference',
  'flow',
  'details',
  'settledAt',
  'source',
  'receivedMinor',
]

function columnsOf(transaction: Transaction, fields: readonly string[]): Row {
  const row: Record<string, unknown> = { updated_at: toTimestamp(transaction.updatedAt) }
  for (const field of fields) {
    switch (field) {
      case 'status':
        row.status = transaction.status
        break
      case 'failureReason':
        row.failure_reason = transaction.failureReason
        break
      case 'refund':
        row.refund = transaction.refund
        break
      case 'refundReference':
        row.refund_reference = transaction.refundReference
        break
      case 'flow':
        row.flow = transaction.flow
        break
      case 'details':
        row.details = transaction.details
        break
      case 'settledAt':
        row.settled_at = transaction.settledAt === null ? null : toTimestamp(transaction.settledAt)
        break
      case 'source':
        row.source = transaction.source
        break
      case 'receivedMinor':
        row.received_amount = transaction.receivedMinor
        break
    }
  }
  return row
}

/** What the filters on either side of a transaction match (accounts 10.3). */
function identifiersOf(party: TransactionSource | TransactionDestination): string[] {
  if ('accountId' in party) return [party.accountId]
  if ('umaAddress' in party) return [lowerAscii(party.umaAddress)]
  return []
}
