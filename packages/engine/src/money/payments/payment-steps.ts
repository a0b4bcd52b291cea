import { assert } from '@corridor/kernel'
import { hasRoomFor, type InternalAccount, whileStatusStays } from '../../platform/internal-accounts/index.ts'
import type { Failed, PayoutOutcome, RailFailure, Submission } from '../../ports/rail.ts'
import { returnAfterCompletion } from './clawbacks.ts'
import {
  bearRoutingCost,
  type Posting,
  refundToAccount,
  refundToRail,
  refundToReceivable,
  refundToSuspense,
  type TransactionAmount,
  unwindAfterConvert,
  unwindBeforeConvert,
} from './postings.ts'
import { refundInStablecoin, refundInStablecoinToSuspense } from './receipts.ts'
import { payOff } from './receivable.ts'
import { endRefund, startRefund } from './refund.ts'
import {
  begin,
  delivered,
  feeSource,
  finish,
  paymentOf,
  processed,
  type Step,
  type StepFacts,
  soon,
  waitUntil,
  withoutSuspendedFee,
} from './step.ts'
import { suspenseRow } from './suspense.ts'
import type { PaymentFlow, RefundRoute, Transaction } from './transaction.ts'

/** The rail accepted a payout: the money is converted and the payment is on its way. */
export function decidePayoutSubmission(facts: StepFacts, submission: Submission): Step {
  if (submission.status === 'FAILED') return failPayout(facts, submission)
  const { transaction, now } = facts
  const flow: PaymentFlow = { ...transaction.flow, stage: 'POLL_PAYOUT', submittedAt: now }
  if (submission.status === 'PENDING') {
    return finish(facts, begin(facts).change({ flow }), { next: submission.checkAt })
  }
  const story = begin(facts).change({ flow })
  const postings = processed(facts, story)
  return finish(facts, story, { step: 'convert', postings, next: submission.checkAt })
}

export function decidePayoutOutcome(facts: StepFacts, outcome: PayoutOutcome): Step {
  const { transaction, now } = facts
  const { flow } = transaction
  // Delivered before, and now in whatever words it was not: the money is at the rail again.
  if (flow.stage === 'WATCH_RETURN' && undelivered.has(outcome.status)) return decideReturned(facts)
  switch (outcome.status) {
    case 'PENDING':
      return waitUntil(facts, outcome.checkAt)
    case 'ACCEPTED': {
      if (flow.isConverted) return waitUntil(facts, outcome.checkAt)
      const story = begin(facts)
      return finish(facts, story, {
        step: 'convert',
        postings: processed(facts, story),
        next: outcome.checkAt,
      })
    }
    case 'FAILED':
      return failPayout(facts, outcome)
    case 'CANCELLED':
      return decideCancelled(facts)
    case 'RETURNED':
      return failPayout(facts, returnedBeforeDelivery)
    case 'SETTLED': {
      if (flow.stage === 'WATCH_RETURN') return waitUntil(facts, outcome.checkAt)
      const story = begin(facts)
      const converted = flow.isConverted ? [] : processed(facts, story)
      story
        .move('complete', {
          settledAt: now,
          flow: { ...story.current.flow, stage: outcome.checkAt === undefined ? 'DONE' : 'WATCH_RETURN' },
        })
        .emit('COMPLETED')
      const postings = [
        ...converted,
        ...delivered(facts, paymentOf(transaction), outcome.routingCostMsats),
        ...routed(transaction, outcome.routingCostMinor),
      ]
      return finish(facts, story, {
        step: 'deliver',
        postings,
        ...(outcome.checkAt === undefined ? {} : { next: outcome.checkAt }),
      })
    }
  }
}

const undelivered: ReadonlySet<PayoutOutcome['status']> = new Set(['FAILED', 'CANCELLED', 'RETURNED'])

const returnedBeforeDelivery: Failed = { status: 'FAILED', reason: 'RETURNED' }

/** The bank gave a completed payout back, days later perhaps (accounts 13, row 18). */
function decideReturned(facts: StepFacts): Step {
  const { transaction } = facts
  const { delivery } = transaction.flow
  assert(delivery.kind !== 'INTERNAL', 'only a rail returns a payout')
  const postings = returnAfterCompletion(paymentOf(transaction), {
    rail: delivery.rail,
    platform: feeSource(facts),
  })
  const story = begin(facts)
    .move('return', { failureReason: 'PAYOUT_RETURNED', settledAt: null })
    .emit('FAILED')
  startRefund(story, facts.now, { reason: 'TRANSACTION_FAILED' })
  const effects = { step: 'return', postings, next: soon(facts), cause: 'PAYOUT_RETURNED' } as const
  return withoutSuspendedFee(facts, finish(facts, story, effects))
}

/** Nothing is delivered; the status stays until the refund has resolved the cancellation (accounts 10.1). */
export function decideCancelled(facts: StepFacts): Step {
  const { transaction } = facts
  const story = begin(facts)
  if (story.can('process')) story.move('process').emit('PROCESSING')
  const postings = unwind(transaction)
  startRefund(story, facts.now, { reason: 'USER_CANCELLATION' })
  story.change({ flow: { ...story.current.flow, isCancelled: true } })
  return finish(facts, story, { step: 'unwind', postings, next: soon(facts) })
}

export function failPayout(facts: StepFacts, failure: Failed): Step {
  const { transaction } = facts
  const story = begin(facts)
    .move('fail', {
      failureReason: outgoingReason(failure.reason),
      ...(failure.isRefundImpossible ? { flow: { ...transaction.flow, isRefundImpossible: true } } : {}),
    })
    .emit('FAILED')
  startRefund(story, facts.now, { reason: failure.isTimeout ? 'TIMEOUT' : 'TRANSACTION_FAILED' })
  return finish(facts, story, { step: 'unwind', postings: unwind(transaction), next: soon(facts) })
}

/**
 * Gives back what was taken, or lets it wait in suspense when nobody can be given it (accounts 10.5). Where its collection has
 * been returned meanwhile, it pays what is owed for that first.
 */
export function decideRefund(facts: StepFacts): Step {
  const { transaction, now } = facts
  const { refund, flow, sentCurrency } = transaction
  assert(refund && sentCurrency, 'a refund was started')
  const whole = {
    transactionId: transaction.id,
    currency: flow.refunded?.currency ?? sentCurrency,
    amountMinor: flow.refunded
      ? BigInt(flow.refunded.amountMinor)
      : paymentOf(transaction).sendingAmountMinor,
  }
  const { paidOff, postings: paying, rest: refunded } = payOwed(facts, whole)
  const paidMinor = whole.amountMinor - refunded.amountMinor
  const receiver = receiverOf(facts)
  if (refunded.amountMinor > 0n) {
    if (flow.isRefundImpossible || !flow.refundRoute)
      return failRefund(facts, refunded, { awaited: undefined, paidOff, paidMinor, paying })
    const givenMinor = flow.paidIn ? BigInt(flow.paidIn.amountMinor) : refunded.amountMinor
    if (receiver && (receiver.status !== 'ACTIVE' || !hasRoomFor(receiver, givenMinor)))
      return failRefund(facts, refunded, { awaited: receiver, paidOff, paidMinor, paying })
  }
  const given =
    refunded.amountMinor > 0n && flow.refundRoute
      ? refundPostings(refunded, flow.refundRoute, flow.paidIn)
      : []
  const story = endRefund(begin(facts), now, 'complete', setOff(paidMinor))
  // A cancellation is resolved by its refund: the payment ends COMPLETED, with the refund saying how.
  if (refund.reason === 'USER_CANCELLATION') story.move('complete', { settledAt: now }).emit('COMPLETED')
  const decision = finish(facts, story, { step: 'refund', postings: [...paying, ...given], paidOff })
  return receiver && given.length > 0
    ? { ...decision, requires: [...(decision.requires ?? []), whileStatusStays(receiver)] }
    : decision
}

/** What of a refund pays what its owner owes because the collection was returned, and what is left of it. */
function payOwed({ owed = [], now, transaction }: StepFacts, refunded: TransactionAmount) {
  const paidOff: ReturnType<typeof payOff>[] = []
  const postings: Posting[] = []
  let amountMinor = refunded.amountMinor
  for (const receivable of owed) {
    const { ownerId, currency, remainingMinor } = receivable
    if (amountMinor === 0n || ownerId !== transaction.ownerId || currency !== refunded.currency) continue
    const paidMinor = remainingMinor < amountMinor ? remainingMinor : amountMinor
    paidOff.push(payOff(receivable, paidMinor, now))
    postings.push(...refundToReceivable({ ...refunded, amountMinor: paidMinor }, receivable.ownerId))
    amountMinor -= paidMinor
  }
  return { paidOff, postings, rest: { ...refunded, amountMinor } }
}

/** The same as it is kept with the payment. */
function setOff(paidMinor: bigint): Pick<PaymentFlow, 'setOffMinor'> {
  return paidMinor > 0n ? { setOffMinor: paidMinor.toString() } : {}
}

function receiverOf({ transaction, accounts }: StepFacts): InternalAccount | undefined {
  const { refundRoute } = transaction.flow
  return refundRoute?.kind === 'INTERNAL'
    ? accounts.find(({ id }) => id === refundRoute.accountId)
    : undefined
}

/**
 * The money waits in suspense, as what it would have been given back as: for the operator, or for the account
 * that is not active now, or full (accounts 3.1, 13 row 17). No state of a refund follows this one.
 */
function failRefund(
  facts: StepFacts,
  refunded: TransactionAmount,
  {
    awaited,
    paidOff,
    paidMinor,
    paying,
  }: {
    readonly awaited: InternalAccount | undefined
    readonly paidOff: readonly ReturnType<typeof payOff>[]
    readonly paidMinor: bigint
    readonly paying: readonly Posting[]
  },
): Step {
  const { transaction, now } = facts
  const { refund, flow } = transaction
  assert(refund, 'a refund was started')
  const coins = flow.paidIn && {
    currency: flow.paidIn.currency,
    amountMinor: BigInt(flow.paidIn.amountMinor),
  }
  const story = endRefund(begin(facts), now, 'fail', setOff(paidMinor))
  // A cancellation is resolved all the same: callers read the refund to learn how (accounts 12.4).
  if (refund.reason === 'USER_CANCELLATION') story.move('complete', { settledAt: now }).emit('COMPLETED')
  const waiting = coins ? refundInStablecoinToSuspense(refunded, coins) : refundToSuspense(refunded)
  const decision = finish(facts, story, { step: 'refund', postings: [...paying, ...waiting], paidOff })
  const { currency, amountMinor } = coins ?? refunded
  const item = suspenseRow(now, {
    id: transaction.id,
    kind: 'REFUND',
    internalAccountId: awaited?.id ?? null,
    currency,
    amountMinor,
    deposit: null,
  })
  return {
    ...decision,
    requires: [...(decision.requires ?? []), ...(awaited ? [whileStatusStays(awaited)] : [])],
    inserts: [...(decision.inserts ?? []), item],
  }
}

function refundPostings(
  refunded: TransactionAmount,
  route: RefundRoute,
  paidIn: PaymentFlow['paidIn'],
): Posting[] {
  if (route.kind === 'RAIL') return refundToRail(refunded, route.rail)
  const { accountId: internalAccountId } = route
  if (!paidIn) return refundToAccount(refunded, internalAccountId)
  const received = { currency: paidIn.currency, amountMinor: BigInt(paidIn.amountMinor) }
  return refundInStablecoin(refunded, { received, internalAccountId })
}

function routed({ flow: { delivery } }: Transaction, routingCostMinor = 0n): Posting[] {
  return delivery.kind !== 'INTERNAL' ? bearRoutingCost(delivery.rail, routingCostMinor) : []
}

function unwind(transaction: Transaction): Posting[] {
  const payment = paymentOf(transaction)
  if (transaction.flow.isConverted) return unwindAfterConvert(payment)
  return unwindBeforeConvert({
    transactionId: transaction.id,
    currency: payment.sendingCurrency,
    amountMinor: payment.sendingAmountMinor,
  })
}

/** How the failure of a rail is told to callers (accounts 0.4). */
function outgoingReason(reason: RailFailure): string {
  return reasons[reason]
}

/** Whether a payment failed of what its rail said; of what cannot be collected it is told that, and no more. */
export function isToldAs(
  reason: RailFailure,
  side: 'PAYOUT' | 'PULL',
  failureReason: string | null,
): boolean {
  if (side === 'PAYOUT') return failureReason === outgoingReason(reason)
  return failureReason === 'COLLECTION_FAILED' || failureReason === 'QUOTE_EXECUTION_FAILED'
}

const reasons = {
  INSUFFICIENT_FUNDS: 'QUOTE_EXECUTION_FAILED',
  ACCOUNT_INVALID: 'ACCOUNT_INVALID',
  ACCOUNT_CANNOT_RECEIVE: 'ACCOUNT_CANNOT_RECEIVE',
  LIMIT_EXCEEDED: 'LIMIT_EXCEEDED',
  COMPLIANCE_REJECTED: 'COMPLIANCE_REJECTED',
  RETURNED: 'PAYOUT_RETURNED',
  INTERNAL: 'QUOTE_EXECUTION_FAILED',
} as const satisfies Record<RailFailure, string>
