import { failed, ok, type Result, toTimestamp } from '@corridor/kernel'
import { decimalsOf, isPegged } from '../../reference/currencies/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import {
  convert,
  countVolume,
  follow,
  journal,
  nextStep,
  paymentOf,
  type RefundRoute,
  realtimeReceipt,
  realtimeReceiptInStablecoin,
  receiptAfterExpiry,
  startRefund,
  type Transaction,
  transactionRow,
  wrongAmountReceipt,
} from '../payments/index.ts'
import { type Quote, quoteStatusAfter } from './quote.ts'
import { statusOf } from './render.ts'
import { transactionOf, volumeOfQuote } from './rules.ts'

/** Money that arrived with the reference of a realtime quote. */
export interface Receipt {
  readonly amountMinor: bigint
  readonly currency: string
  readonly rail: string
}

type Funded = Decision & { readonly transaction: Transaction }

/** How a receipt is dealt with, beside what it is. */
interface FundingTerms {
  readonly stepMs: number
  /** Where the money goes if it cannot be used, by what it came as (accounts 10.5). */
  readonly refundRoute: RefundRoute
}

/**
 * Funds a realtime quote (accounts 7.4, 12.6). The exact amount executes it; any other fails it and goes
 * back whole. Refused with CONFLICT once it has been funded.
 */
export function decideFunding(
  scope: Scope,
  quote: Quote,
  receipt: Receipt,
  terms: FundingTerms,
): Result<Funded, Failure> {
  const { now } = scope
  const status = statusOf(quote, now)
  if (status === 'EXPIRED') {
    return failed(fail('QUOTE_EXPIRED', { quoteId: quote.id, expiresAt: toTimestamp(quote.expiresAt) }))
  }
  if (status !== 'PENDING') return failed(fail('CONFLICT', { status, quoteId: quote.id }))
  const fund = paysExactly(quote, receipt) ? fundExactly : refuseFunding
  return ok(fund(scope, quote, receipt, terms))
}

/** The awaited amount; a quote in dollars also takes stablecoins, at par and to the last unit (accounts 13, row 6). */
function paysExactly({ sendingMinor, sendingCurrency }: Quote, { amountMinor, currency }: Receipt): boolean {
  if (currency === sendingCurrency) return amountMinor === sendingMinor
  if (sendingCurrency !== 'USD' || !isPegged(currency, sendingCurrency)) return false
  return amountMinor === sendingMinor * 10n ** BigInt(decimalsOf(currency) - decimalsOf(sendingCurrency))
}

function fundExactly(scope: Scope, quote: Quote, receipt: Receipt, terms: FundingTerms): Funded {
  const { now } = scope
  const isInternal = quote.options.delivery.kind === 'INTERNAL'
  const stage = isInternal ? 'DELIVER_INTERNAL' : 'SUBMIT_PAYOUT'
  const { amountMinor, currency, rail } = receipt
  const inCoins = currency !== quote.sendingCurrency
  const volume = volumeOfQuote(quote, now)
  const unfunded = refundable(transactionOf(quote, now, { stage, isImmediate: false }), terms)
  const pending: Transaction = {
    ...unfunded,
    flow: {
      ...unfunded.flow,
      ...(inCoins ? { paidIn: { amountMinor: amountMinor.toString(), currency } } : {}),
      ...(volume ? { volume } : {}),
    },
  }
  // Told as PENDING first, so that receivers see the order they know from other payments (accounts 14).
  const story = follow(scope, pending, now).emit('PENDING')
  story.move('process', { flow: { ...pending.flow, isConverted: true } }).emit('PROCESSING')
  const transaction = story.current
  const payment = paymentOf(transaction)
  const awaited = receivedBy(transaction, {
    amountMinor: quote.sendingMinor,
    currency: quote.sendingCurrency,
  })
  const postings = [
    ...(inCoins
      ? realtimeReceiptInStablecoin(awaited, { received: receipt, rail })
      : realtimeReceipt(awaited, rail)),
    ...convert(payment),
  ]
  return {
    transaction,
    updates: [quoteUpdate(quote, 'execute', now)],
    inserts: [{ table: 'transactions', row: transactionRow(transaction) }],
    transfers: journal(transaction.id, 'fund', postings),
    // Counted like every execution, and never refused: the money is here already (accounts 1.3).
    counts: volume ? [countVolume(now, volume, undefined)] : [],
    events: story.events,
    jobs: [nextStep(transaction.id, now + terms.stepMs)],
    result: () => undefined,
  }
}

function refuseFunding(scope: Scope, quote: Quote, receipt: Receipt, terms: FundingTerms): Funded {
  const { now } = scope
  const pending = refundable(transactionOf(quote, now, { stage: 'REFUND', isImmediate: false }), terms)
  const story = follow(scope, pending, now).emit('PENDING')
  story.move('fail', { failureReason: 'FUNDING_AMOUNT_MISMATCH' }).emit('FAILED')
  startRefund(story, now, refundOf(receipt))
  const transaction = story.current
  return {
    transaction,
    updates: [quoteUpdate(quote, 'refuseFunding', now)],
    inserts: [{ table: 'transactions', row: transactionRow(transaction) }],
    transfers: journal(
      transaction.id,
      'fund',
      wrongAmountReceipt(receivedBy(transaction, receipt), receipt.rail),
    ),
    events: story.events,
    jobs: [nextStep(transaction.id, now + terms.stepMs)],
    result: () => undefined,
  }
}

/**
 * Money for a quote that has expired is not lost: it goes back, and the expired transaction shows the
 * refund (accounts 13, row 6).
 */
export function decideLateFunding(
  scope: Scope,
  expired: Transaction,
  receipt: Receipt,
  terms: FundingTerms,
): Result<Funded, Failure> {
  if (expired.refund) return failed(fail('CONFLICT', { status: expired.status }))
  const { now } = scope
  const story = follow(scope, expired, now).change({ flow: refundable(expired, terms).flow })
  startRefund(story, now, refundOf(receipt))
  return ok({
    transaction: story.current,
    updates: [story.update],
    transfers: journal(expired.id, 'late', receiptAfterExpiry(receivedBy(expired, receipt), receipt.rail)),
    events: story.events,
    jobs: [nextStep(expired.id, now + terms.stepMs)],
    result: () => undefined,
  })
}

function refundable(transaction: Transaction, { refundRoute }: FundingTerms): Transaction {
  return { ...transaction, flow: { ...transaction.flow, refundRoute } }
}

/** Another amount or currency than the sending amount goes back. */
function refundOf({ amountMinor, currency }: Receipt) {
  return {
    reason: 'TRANSACTION_FAILED' as const,
    refunded: { amountMinor: amountMinor.toString(), currency },
  }
}

function receivedBy({ id }: Transaction, { amountMinor, currency }: Omit<Receipt, 'rail'>) {
  return { transactionId: id, amountMinor, currency }
}

function quoteUpdate(quote: Quote, on: 'execute' | 'refuseFunding', now: number) {
  return {
    table: 'quotes' as const,
    id: quote.id,
    from: ['PENDING'],
    version: quote.version,
    set: { status: quoteStatusAfter(on), updated_at: toTimestamp(now) },
  }
}
