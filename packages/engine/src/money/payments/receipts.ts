import { assert } from '@corridor/kernel'
import { ledgerAccount as account } from '../../mechanisms/ledger/accounts.ts'
import {
  millisatoshi,
  type Payment,
  type Posting,
  posting,
  refundToRail,
  type TransactionAmount,
  unwindBeforeConvert,
} from './postings.ts'

/** Money that comes from outside (accounts 13, flows 4 to 8 and 20). Each function returns one journal. */

interface Amount {
  readonly currency: string
  readonly amountMinor: bigint
}

/** A deposit is credited in full. */
export function depositToAccount(received: Amount, { rail, internalAccountId }: Deposit): Posting[] {
  return posting(account.rail(rail, received.currency), account.available(internalAccountId), received)
}

interface Deposit {
  readonly rail: string
  readonly internalAccountId: string
}

/**
 * A stablecoin sent to a USD account converts at par, down to whole cents; the dust stays with FX
 * (accounts 3.3).
 */
export function depositStablecoinToUsdAccount(exchanged: AtPar, target: Deposit): Posting[] {
  const { rail, internalAccountId } = target
  return atPar(account.rail(rail, exchanged.received.currency), exchanged, internalAccountId)
}

interface AtPar {
  readonly received: Amount
  readonly creditedUsdMinor: bigint
}

function atPar(origin: string, { received, creditedUsdMinor }: AtPar, internalAccountId: string): Posting[] {
  return [
    ...posting(origin, account.fx(received.currency), received),
    ...posting(account.fx('USD'), account.available(internalAccountId), {
      currency: 'USD',
      amountMinor: creditedUsdMinor,
    }),
  ]
}

/** A deposit without a usable owner: unknown reference, wrong asset, frozen account. */
export function depositToSuspense(received: Amount, rail: string): Posting[] {
  return posting(account.rail(rail, received.currency), account.suspense(received.currency), received)
}

/** An operator found where suspense money belongs. */
export function suspenseToAccount(received: Amount, internalAccountId: string): Posting[] {
  return posting(account.suspense(received.currency), account.available(internalAccountId), received)
}

/** The same for a stablecoin that was sent to a USD account. */
export function suspenseStablecoinToUsdAccount(exchanged: AtPar, internalAccountId: string): Posting[] {
  return atPar(account.suspense(exchanged.received.currency), exchanged, internalAccountId)
}

/** As a rail in the record of money that waits: what a card network gave back and nobody could be given. */
export const cardNetworkRail = 'CARD'

/** Back to where it came from: a card network has an account of its own. */
export function suspenseToRail(received: Amount, rail: string): Posting[] {
  const { currency } = received
  const origin = rail === cardNetworkRail ? account.cardNetwork(currency) : account.rail(rail, currency)
  return posting(account.suspense(currency), origin, received)
}

/** A pull settled: the external bank paid the sending amount. CONVERT follows. */
export function pullSettled(received: TransactionAmount, rail: string): Posting[] {
  return realtimeReceipt(received, rail)
}

/** Collected and converted, and its account cannot be credited now: R waits, the platform's fee in its escrow. */
export function pullToSuspense(payment: Payment): Posting[] {
  const { currency, clearing, received } = waitingOf(payment)
  return posting(clearing, account.suspense(currency), received)
}

/** Back where DELIVER or UNWIND finds it. */
export function pullFromSuspense(payment: Payment): Posting[] {
  const { currency, clearing, received } = waitingOf(payment)
  return posting(account.suspense(currency), clearing, received)
}

function waitingOf({ transactionId, receivingCurrency: currency, receivingAmountMinor }: Payment) {
  const received = { currency, amountMinor: receivingAmountMinor }
  return { currency, clearing: account.clearing(transactionId, currency), received }
}

/** Exactly the awaited amount arrived. CONVERT follows. */
export function realtimeReceipt(received: TransactionAmount, rail: string): Posting[] {
  const clearing = account.clearing(received.transactionId, received.currency)
  return posting(account.rail(rail, received.currency), clearing, received)
}

/**
 * A USD payment paid with a stablecoin: the coins go to FX, which gives the dollars at par. CONVERT
 * follows as if dollars had come.
 */
export function realtimeReceiptInStablecoin(
  awaited: TransactionAmount,
  { received, rail }: { readonly received: Amount; readonly rail: string },
): Posting[] {
  assert(awaited.currency === 'USD', 'stablecoins stand in for dollars only')
  const clearing = account.clearing(awaited.transactionId, 'USD')
  return [
    ...posting(account.rail(rail, received.currency), account.fx(received.currency), received),
    ...posting(account.fx('USD'), clearing, awaited),
  ]
}

/** REFUND-OK of a payment that coins paid for: FX takes the dollars back and gives the coins. */
export function refundInStablecoin(
  refunded: TransactionAmount,
  { received, internalAccountId }: { readonly received: Amount; readonly internalAccountId: string },
): Posting[] {
  return coinsInsteadOf(refunded, received, account.available(internalAccountId))
}

/** REFUND-FAIL of such a payment: the coins wait for an operator. */
export function refundInStablecoinToSuspense(refunded: TransactionAmount, received: Amount): Posting[] {
  return coinsInsteadOf(refunded, received, account.suspense(received.currency))
}

function coinsInsteadOf(refunded: TransactionAmount, received: Amount, target: string): Posting[] {
  const refund = account.refund(refunded.transactionId, refunded.currency)
  return [
    ...posting(refund, account.fx(refunded.currency), refunded),
    ...posting(account.fx(received.currency), target, received),
  ]
}

/**
 * Another amount or currency than awaited arrived: all of it becomes refundable, in what it came in.
 * Fiat then goes back with `refundToRail`, crypto with `refundToAccount` (accounts 10.5).
 */
export function wrongAmountReceipt(received: TransactionAmount, rail: string): Posting[] {
  return [...realtimeReceipt(received, rail), ...unwindBeforeConvert(received)]
}

/** Money for an expired payment is not lost: through suspense it becomes refundable. */
export function receiptAfterExpiry(received: TransactionAmount, rail: string): Posting[] {
  const refund = account.refund(received.transactionId, received.currency)
  return [
    ...depositToSuspense(received, rail),
    ...posting(account.suspense(received.currency), refund, received),
  ]
}

/** An incoming UMA payment settled: the receiver gets what the service's fee leaves (default fee 0). */
export function umaReceiptToAccount(
  received: TransactionAmount & { readonly serviceFeeMinor: bigint },
  { rail, internalAccountId }: Deposit,
): Posting[] {
  const { transactionId, currency, amountMinor, serviceFeeMinor } = received
  const clearing = account.clearing(transactionId, currency)
  return [
    ...realtimeReceipt(received, rail),
    ...posting(clearing, account.serviceFee(currency), { currency, amountMinor: serviceFeeMinor }),
    ...posting(clearing, account.available(internalAccountId), {
      currency,
      amountMinor: amountMinor - serviceFeeMinor,
    }),
  ]
}

/** An approved UMA payment whose receiver cannot be credited: what came goes back the way it came. */
export function refusedUmaReceipt(received: TransactionAmount, rail: string): Posting[] {
  return [...wrongAmountReceipt(received, rail), ...refundToRail(received, rail)]
}

/**
 * The same from an institution of another installation: millisatoshi, which it owes or which came over Lightning, buy
 * what is credited. Money that has come and that nobody can be given waits in suspense.
 */
export function umaReceiptInMsats(
  received: Amount,
  {
    settlement,
    msats,
    internalAccountId,
  }: { readonly settlement: string; readonly msats: bigint; readonly internalAccountId: string | undefined },
): Posting[] {
  const { currency } = received
  const target = internalAccountId ? account.available(internalAccountId) : account.suspense(currency)
  return [
    ...posting(settlement, account.fx(millisatoshi), { currency: millisatoshi, amountMinor: msats }),
    ...posting(account.fx(currency), target, received),
  ]
}
