import { failed, ok, type Result, toTimestamp } from '@corridor/kernel'
import { decimalsOf, isPegged } from '../currencies/index.ts'
import type { Decision } from '../db/decision.ts'
import { type Failure, fail } from '../http/errors.ts'
import type { Scope } from '../http/scope.ts'
import {
  convert,
  follow,
  journal,
  nextStep,
  type Posting,
  paymentOf,
  type RefundRoute,
  realtimeReceipt,
  realtimeReceiptInStablecoin,
  receiptAfterExpiry,
  type Transaction,
  transactionRow,
  wrongAmountReceipt,
} from '../transactions/index.ts'
import type { Quote } from './quote.ts'
import { statusOf } from './render.ts'
import { transactionOf } from './rules.ts'

/** Money that arrived with the reference of a realtime quote. */
export interface Receipt {
  readonly amountMinor: bigint
  readonly currency: string
  readonly rail: string
}

export interface FundingFacts {
  readonly stepMs: number
  /** Where this money goes if it has to go back. */
  readonly refundRoute: RefundRoute
}

type Funded = Decision & { readonly transaction: Transaction }

/**
 * Funds a realtime quote (accounts 7.4, 12.6). The exact amount executes it; any other fails it and goes
 * back whole. Refused with CONFLICT once it has been funded.
 */
export function decideFunding(
  scope: Scope,
  quote: Quote,
  receipt: Receipt,
  facts: FundingFacts,
): Result<Funded, Failure> {
  const { now } = scope
  const status = statusOf(quote, now)
  if (status === 'EXPIRED') {
    return failed(fail('QUOTE_EXPIRED', { quoteId: quote.id, expiresAt: toTimestamp(quote.expiresAt) }))
  }
  if (status !== 'PENDING') return failed(fail('CONFLICT', { status, quoteId: quote.id }))
  return ok(
    receipt.amountMinor === awaitedIn(quote, receipt.currency)
      ? fundExactly(scope, quote, receipt, facts)
      : refuseFunding(scope, quote, receipt, facts),
  )
}

/**
 * What has to arrive in this currency; undefined when none is awaited in it. The coins that a dollar quote
 * offers to take stand in for dollars at par (accounts 13, row 6).
 */
function awaitedIn({ sendingCurrency, sendingMinor, paymentInstructions }: Quote, currency: string) {
  if (currency === sendingCurrency) return sendingMinor
  const isOffered = paymentInstructions?.some(
    ({ accountOrWalletInfo: info }) => 'assetType' in info && info.assetType === currency,
  )
  if (!isOffered || !isPegged(currency, sendingCurrency)) return undefined
  return sendingMinor * 10n ** BigInt(decimalsOf(currency) - decimalsOf(sendingCurrency))
}

function fundExactly(
  scope: Scope,
  quote: Quote,
  receipt: Receipt,
  { stepMs, refundRoute }: FundingFacts,
): Funded {
  const { now } = scope
  const isExternal = quote.options.delivery.kind === 'EXTERNAL'
  const stage = isExternal ? 'SUBMIT_PAYOUT' : 'DELIVER_INTERNAL'
  const { currency, amountMinor } = receipt
  const isStandIn = currency !== quote.sendingCurrency
  const pending = withFlow(transactionOf(quote, now, { stage, isImmediate: false }), {
    refundRoute,
    ...(isStandIn ? { paidIn: { currency, amountMinor: amountMinor.toString() } } : {}),
  })
  // Told as PENDING first, so that receivers see the order they know from other payments (accounts 14).
  const story = follow(scope, pending, now).emit('PENDING')
  story.change({ status: 'PROCESSING', flow: { ...pending.flow, isConverted: true } }).emit('PROCESSING')
  const transaction = story.current
  const postings = [...received(quote, transaction, receipt), ...convert(paymentOf(transaction))]
  return {
    transaction,
    updates: [quoteUpdate(quote, 'PROCESSING', now)],
    inserts: [{ table: 'transactions', row: transactionRow(transaction) }],
    transfers: journal(transaction.id, 'fund', postings),
    events: story.events,
    jobs: [nextStep(transaction.id, now + stepMs)],
    result: () => undefined,
  }
}

function received(quote: Quote, transaction: Transaction, receipt: Receipt): Posting[] {
  const { sendingCurrency, sendingMinor } = quote
  if (receipt.currency === sendingCurrency) {
    return realtimeReceipt(receivedBy(transaction, receipt), receipt.rail)
  }
  const awaited = { transactionId: transaction.id, currency: sendingCurrency, amountMinor: sendingMinor }
  return realtimeReceiptInStablecoin(awaited, { received: receipt, rail: receipt.rail })
}

function refuseFunding(
  scope: Scope,
  quote: Quote,
  receipt: Receipt,
  { stepMs, refundRoute }: FundingFacts,
): Funded {
  const { now } = scope
  const pending = withFlow(transactionOf(quote, now, { stage: 'REFUND', isImmediate: false }), {
    refundRoute,
  })
  const story = follow(scope, pending, now).emit('PENDING')
  story.change({ status: 'FAILED', failureReason: 'FUNDING_AMOUNT_MISMATCH' }).emit('FAILED')
  startRefund(story, now, receipt)
  const transaction = story.current
  return {
    transaction,
    updates: [quoteUpdate(quote, 'FAILED', now)],
    inserts: [{ table: 'transactions', row: transactionRow(transaction) }],
    transfers: journal(
      transaction.id,
      'fund',
      wrongAmountReceipt(receivedBy(transaction, receipt), receipt.rail),
    ),
    events: story.events,
    jobs: [nextStep(transaction.id, now + stepMs)],
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
  { stepMs, refundRoute }: FundingFacts,
): Result<Funded, Failure> {
  if (expired.refund) return failed(fail('CONFLICT', { status: expired.status }))
  const { now } = scope
  const story = follow(scope, expired, now).change({ flow: { ...expired.flow, refundRoute } })
  startRefund(story, now, receipt)
  return ok({
    transaction: story.current,
    updates: [story.update],
    transfers: journal(expired.id, 'late', receiptAfterExpiry(receivedBy(expired, receipt), receipt.rail)),
    events: story.events,
    jobs: [nextStep(expired.id, now + stepMs)],
    result: () => undefined,
  })
}

function withFlow(transaction: Transaction, more: Partial<Transaction['flow']>): Transaction {
  return { ...transaction, flow: { ...transaction.flow, ...more } }
}

function startRefund(
  story: ReturnType<typeof follow>,
  now: number,
  { amountMinor, currency }: Receipt,
): void {
  const reference = `RFD-${story.current.reference.replace(/^REF-/, '')}`
  story
    .change({
      refund: { reference, status: 'PENDING', reason: 'TRANSACTION_FAILED', initiatedAt: toTimestamp(now) },
      refundReference: reference,
      flow: {
        ...story.current.flow,
        stage: 'REFUND',
        refunded: { amountMinor: amountMinor.toString(), currency },
      },
    })
    .emit('REFUND_PENDING')
}

function receivedBy({ id }: Transaction, { amountMinor, currency }: Receipt) {
  return { transactionId: id, amountMinor, currency }
}

function quoteUpdate(quote: Quote, status: 'PROCESSING' | 'FAILED', now: number) {
  return {
    table: 'quotes' as const,
    id: quote.id,
    from: ['PENDING'],
    version: quote.version,
    set: { status, updated_at: toTimestamp(now) },
  }
}
