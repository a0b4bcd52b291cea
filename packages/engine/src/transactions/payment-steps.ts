import { assert, type Id, type Instant, toTimestamp } from '@corridor/kernel'
import type { Decision, NewEvent, NewJob } from '../db/decision.ts'
import type { Book } from '../http/scope.ts'
import { balanceEvents, type InternalAccount, platformOwner } from '../internal-accounts/index.ts'
import type { Failed, PayoutOutcome, PullOutcome, RailFailure, Submission } from '../ports/rail.ts'
import { type ClawbackSource, pullReturnedAfterCredit, returnAfterCompletion } from './clawbacks.ts'
import {
  bearRoutingCost,
  convert,
  deliverToInternalAccount,
  deliverToRail,
  type Payment,
  type Posting,
  refundToAccount,
  refundToRail,
  refundToSuspense,
  type TransactionAmount,
  unwindAfterConvert,
  unwindBeforeConvert,
} from './postings.ts'
import { pullSettled, refundInStablecoin } from './receipts.ts'
import { paymentEvent } from './render.ts'
import { follow, type Story } from './story.ts'
import {
  amountsFromText,
  journal,
  type PaymentFlow,
  type RefundRoute,
  type Transaction,
  transactionRow,
} from './transaction.ts'
import { releaseVolume } from './volume.ts'

/** What a step of a payment is decided from. Pure: whatever a rail said is in the outcome beside it. */
export interface StepFacts {
  readonly book: Book
  readonly now: Instant
  readonly transaction: Transaction
  /** The internal accounts that the step may move: source, destination, platform fee, refund. */
  readonly accounts: readonly InternalAccount[]
  /** For the receiver's own record of a book transfer (accounts 13, row 13). */
  readonly mirrorId: Id<'Transaction'>
  readonly mirrorPlatformCustomerId?: string
  /** Pause before the next step shows; none while a caller waits for the outcome. */
  readonly stepMs: number
}

/** The job that takes a payment's next step. One per payment at a time. */
export function nextStep(transactionId: string, runAt: Instant): NewJob {
  return { kind: 'payments.advance', key: transactionId, payload: { transactionId }, runAt }
}

export function paymentOf({ id, flow, sentCurrency, receivedCurrency }: Transaction): Payment {
  assert(sentCurrency && receivedCurrency, 'a payment has two currencies')
  return {
    transactionId: id,
    sendingCurrency: sentCurrency,
    receivingCurrency: receivedCurrency,
    ...amountsFromText(flow.amounts),
  }
}

/** The rail took a pull on, is still looking at it, or refused it (accounts 12.3). */
export function decidePullSubmission(facts: StepFacts, submission: Submission): Decision {
  if (submission.status === 'FAILED') return failCollection(facts)
  const story = begin(facts).change({
    flow: { ...facts.transaction.flow, stage: 'POLL_PULL', submittedAt: facts.now },
  })
  // A pull into the owner's own account is shown as being on its way; one that feeds a payout is not yet.
  if (submission.status === 'ACCEPTED' && facts.transaction.type === 'INCOMING')
    story.change({ status: 'PROCESSING' })
  return finish(facts, story, { next: submission.checkAt })
}

export function decidePullOutcome(facts: StepFacts, outcome: PullOutcome): Decision {
  const { transaction } = facts
  const { funding, delivery, stage } = transaction.flow
  const isCredited = stage === 'WATCH_RETURN'
  if (outcome.status === 'RETURNED' && isCredited) return decidePullReturned(facts)
  if (outcome.status === 'FAILED' || outcome.status === 'RETURNED') return failCollection(facts)
  if (outcome.status !== 'SETTLED' || isCredited) return waitUntil(facts, outcome.checkAt)
  assert(funding.kind === 'PULL', 'a pull has a rail')
  const payment = paymentOf(transaction)
  const collected = pullSettled(
    {
      transactionId: transaction.id,
      currency: payment.sendingCurrency,
      amountMinor: payment.sendingAmountMinor,
    },
    funding.rail,
  )
  if (delivery.kind === 'EXTERNAL') {
    const story = begin(facts).change({
      flow: without(transaction.flow, 'submittedAt', { stage: 'SUBMIT_PAYOUT' }),
    })
    return finish(facts, story, { step: 'collect', postings: collected, next: soon(facts) })
  }
  const postings = [...collected, ...convert(payment), ...delivered(facts, payment)]
  const story = begin(facts)
    .change({
      status: 'COMPLETED',
      settledAt: facts.now,
      flow: {
        ...transaction.flow,
        stage: outcome.checkAt === undefined ? 'DONE' : 'WATCH_RETURN',
        isConverted: true,
      },
    })
    .emit('COMPLETED')
  return finish(facts, story, {
    step: 'collect',
    postings,
    ...(outcome.checkAt === undefined ? {} : { next: outcome.checkAt }),
  })
}

/**
 * The bank took a credited pull back, days later perhaps (accounts 13, row 5). What the account no longer
 * has its owner owes; nothing is refunded, for the money is where it came from.
 */
function decidePullReturned(facts: StepFacts): Decision {
  const { transaction, accounts } = facts
  const { funding, delivery, platformAccountId } = transaction.flow
  const credited = accounts.find(({ id }) => id === delivery.accountId)
  assert(funding.kind === 'PULL' && credited, 'what was pulled was credited to an account of ours')
  const postings = pullReturnedAfterCredit(paymentOf(transaction), {
    rail: funding.rail,
    credited: clawbackFrom(credited),
    platform: clawbackFrom(accounts.find(({ id }) => id === platformAccountId)),
  })
  const story = begin(facts)
    .change({
      status: 'FAILED',
      failureReason: 'COLLECTION_FAILED',
      settledAt: null,
      flow: { ...transaction.flow, stage: 'DONE' },
    })
    .emit('FAILED')
  return finish(facts, story, { step: 'return', postings })
}

function clawbackFrom(account: InternalAccount): ClawbackSource
function clawbackFrom(account: InternalAccount | undefined): ClawbackSource | undefined
function clawbackFrom(account: InternalAccount | undefined): ClawbackSource | undefined {
  return (
    account && {
      internalAccountId: account.id,
      owner: account.ownerId,
      availableMinor: account.availableMinor,
    }
  )
}

/** Nothing was collected, so nothing is refunded (accounts 12.3). */
function failCollection(facts: StepFacts): Decision {
  return collectionFailed(facts).decision
}

function collectionFailed(facts: StepFacts): CancelDecision {
  const { transaction } = facts
  const story = begin(facts)
    .change({
      status: 'FAILED',
      failureReason: transaction.type === 'INCOMING' ? 'COLLECTION_FAILED' : 'QUOTE_EXECUTION_FAILED',
      flow: { ...transaction.flow, stage: 'DONE' },
    })
    .emit('FAILED')
  return { decision: finish(facts, story, {}), next: story.current }
}

/** The rail accepted a payout: the money is converted and the payment is on its way. */
export function decidePayoutSubmission(facts: StepFacts, submission: Submission): Decision {
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

export function decidePayoutOutcome(facts: StepFacts, outcome: PayoutOutcome): Decision {
  const { transaction, now } = facts
  const { flow } = transaction
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
      return decideCancelled(facts).decision
    case 'RETURNED':
      return flow.stage === 'WATCH_RETURN' ? decideReturned(facts) : failPayout(facts, returnedBeforeDelivery)
    case 'SETTLED': {
      if (flow.stage === 'WATCH_RETURN') return waitUntil(facts, outcome.checkAt)
      const story = begin(facts)
      const converted = flow.isConverted ? [] : processed(facts, story)
      story
        .change({
          status: 'COMPLETED',
          settledAt: now,
          flow: { ...story.current.flow, stage: outcome.checkAt === undefined ? 'DONE' : 'WATCH_RETURN' },
        })
        .emit('COMPLETED')
      const postings = [
        ...converted,
        ...delivered(facts, paymentOf(transaction)),
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

const returnedBeforeDelivery: Failed = { status: 'FAILED', reason: 'RETURNED' }

/** First half of a payment between two of our own accounts (accounts 13, rows 12 and 13). */
export function decideConvertInternal(facts: StepFacts): Decision {
  const story = begin(facts).change({ flow: { ...facts.transaction.flow, stage: 'DELIVER_INTERNAL' } })
  return finish(facts, story, { step: 'convert', postings: processed(facts, story), next: soon(facts) })
}

export function decideDeliverInternal(facts: StepFacts): Decision {
  const { transaction, now, book } = facts
  const story = begin(facts)
    .change({ status: 'COMPLETED', settledAt: now, flow: { ...transaction.flow, stage: 'DONE' } })
    .emit('COMPLETED')
  const mirror = mirrorOf(facts)
  const decision = finish(facts, story, {
    step: 'deliver',
    postings: delivered(facts, paymentOf(transaction)),
    alsoTold: mirror ? [paymentEvent(book, mirror, 'COMPLETED')] : [],
  })
  return mirror
    ? { ...decision, inserts: [{ table: 'transactions', row: transactionRow(mirror) }] }
    : decision
}

/** A book transfer is a payment to its receiver as well, with a record and no postings of its own. */
function mirrorOf({ transaction, accounts, now, mirrorId, mirrorPlatformCustomerId }: StepFacts) {
  const { delivery } = transaction.flow
  const receiver = accounts.find(({ id }) => id === delivery.accountId)
  if (delivery.kind !== 'INTERNAL' || !receiver || receiver.ownerId === transaction.ownerId) return undefined
  const { quoteId, source, destination, details } = transaction
  const mirror: Transaction = {
    ...transaction,
    id: mirrorId,
    version: 1n,
    status: 'COMPLETED',
    type: 'INCOMING',
    direction: 'CREDIT',
    ownerId: receiver.ownerId,
    platformCustomerId: mirrorPlatformCustomerId ?? platformOwner,
    quoteId,
    source,
    destination,
    flow: { ...transaction.flow, stage: 'DONE' },
    details: {
      ...(details.description === undefined ? {} : { description: details.description }),
      ...(details.exchangeRate === undefined ? {} : { exchangeRate: details.exchangeRate }),
    },
    createdAt: now,
    updatedAt: now,
    settledAt: now,
  }
  return mirror
}

/** The bank gave a completed payout back, days later perhaps (accounts 13, row 18). */
function decideReturned(facts: StepFacts): Decision {
  const { transaction, accounts } = facts
  const { delivery, platformAccountId } = transaction.flow
  assert(delivery.kind === 'EXTERNAL', 'only a rail returns a payout')
  const postings = returnAfterCompletion(paymentOf(transaction), {
    rail: delivery.rail,
    platform: clawbackFrom(accounts.find(({ id }) => id === platformAccountId)),
  })
  const story = begin(facts)
    .change({ status: 'FAILED', failureReason: 'PAYOUT_RETURNED', settledAt: null })
    .emit('FAILED')
  startRefund(facts, story, 'TRANSACTION_FAILED')
  return finish(facts, story, { step: 'return', postings, next: soon(facts) })
}

/** Nothing is delivered; the status stays until the refund has resolved the cancellation (accounts 10.1). */
export function decideCancelled(facts: StepFacts): CancelDecision {
  const { transaction } = facts
  const story = begin(facts)
  if (transaction.status === 'PENDING') story.change({ status: 'PROCESSING' }).emit('PROCESSING')
  const postings = unwind(transaction)
  startRefund(facts, story, 'USER_CANCELLATION')
  const decision = finish(facts, story, { step: 'unwind', postings, next: soon(facts) })
  return { decision, next: story.current }
}

/** A cancelled pull fails: there was nothing to give back (accounts 10.4). */
export function decideCancelledPull(facts: StepFacts): CancelDecision {
  return collectionFailed(facts)
}

/** A step together with the transaction as it leaves it, for the caller who waits. */
export interface CancelDecision {
  readonly decision: Decision
  readonly next: Transaction
}

export function failPayout(facts: StepFacts, failure: Failed): Decision {
  const { transaction } = facts
  const story = begin(facts)
    .change({
      status: 'FAILED',
      failureReason: outgoingReason(failure.reason),
      ...(failure.isRefundImpossible ? { flow: { ...transaction.flow, isRefundImpossible: true } } : {}),
    })
    .emit('FAILED')
  startRefund(facts, story, failure.isTimeout ? 'TIMEOUT' : 'TRANSACTION_FAILED')
  return finish(facts, story, { step: 'unwind', postings: unwind(transaction), next: soon(facts) })
}

/** Gives back what was taken, or lets it wait in suspense when nobody can be given it (accounts 10.5). */
export function decideRefund(facts: StepFacts): Decision {
  const { transaction, now } = facts
  const { refund, flow, sentCurrency } = transaction
  assert(refund && sentCurrency, 'a refund was started')
  const refunded = {
    transactionId: transaction.id,
    currency: flow.refunded?.currency ?? sentCurrency,
    amountMinor: flow.refunded
      ? BigInt(flow.refunded.amountMinor)
      : paymentOf(transaction).sendingAmountMinor,
  }
  if (flow.isRefundImpossible || !flow.refundRoute) {
    const story = begin(facts)
      .change({ refund: { ...refund, status: 'FAILED' }, flow: { ...flow, stage: 'DONE' } })
      .emit('REFUND_FAILED')
    return finish(facts, story, { step: 'refund', postings: refundToSuspense(refunded) })
  }
  const postings = refundPostings(refunded, flow.refundRoute, flow.paidIn)
  const story = begin(facts)
    .change({
      refund: { ...refund, status: 'COMPLETED', settledAt: toTimestamp(now) },
      flow: { ...flow, stage: 'DONE' },
    })
    .emit('REFUND_COMPLETED')
  // A cancellation is resolved by its refund: the payment ends COMPLETED, with the refund saying how.
  if (refund.reason === 'USER_CANCELLATION')
    story.change({ status: 'COMPLETED', settledAt: now }).emit('COMPLETED')
  return finish(facts, story, { step: 'refund', postings })
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

// --- pieces of steps -----------------------------------------------------------------------------

function begin({ book, transaction, now }: StepFacts): Story {
  return follow(book, transaction, now)
}

/** Marks the payment as on its way and converts its money, once. */
function processed({ transaction }: StepFacts, story: Story): Posting[] {
  if (story.current.status === 'PENDING') story.change({ status: 'PROCESSING' })
  story.change({ flow: { ...story.current.flow, isConverted: true } })
  if (transaction.status === 'PENDING') story.emit('PROCESSING')
  return transaction.flow.isConverted ? [] : convert(paymentOf(transaction))
}

function delivered({ transaction }: StepFacts, payment: Payment): Posting[] {
  const { delivery, platformAccountId } = transaction.flow
  return delivery.kind === 'EXTERNAL'
    ? deliverToRail(payment, { rail: delivery.rail, platformAccountId })
    : deliverToInternalAccount(payment, { internalAccountId: delivery.accountId, platformAccountId })
}

function routed({ flow: { delivery } }: Transaction, routingCostMinor = 0n): Posting[] {
  return delivery.kind === 'EXTERNAL' ? bearRoutingCost(delivery.rail, routingCostMinor) : []
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

function startRefund(
  { now }: StepFacts,
  story: Story,
  reason: 'TRANSACTION_FAILED' | 'USER_CANCELLATION' | 'TIMEOUT',
) {
  const reference = `RFD-${story.current.reference.replace(/^REF-/, '')}`
  story
    .change({
      refund: { reference, status: 'PENDING', reason, initiatedAt: toTimestamp(now) },
      refundReference: reference,
      flow: { ...story.current.flow, stage: 'REFUND' },
    })
    .emit('REFUND_PENDING')
}

function soon({ now, stepMs, transaction }: StepFacts): Instant {
  return transaction.flow.isImmediate ? now : now + stepMs
}

/** Unknown is pending: ask again later, change nothing. */
function waitUntil({ transaction }: StepFacts, checkAt: Instant | undefined): Decision {
  return {
    ...(checkAt === undefined ? {} : { jobs: [nextStep(transaction.id, checkAt)] }),
    result: () => undefined,
  }
}

interface StepEffects {
  readonly step?: string
  readonly postings?: readonly Posting[]
  readonly alsoTold?: readonly NewEvent[]
  readonly next?: Instant
}

function finish(
  facts: StepFacts,
  story: Story,
  { step = 'none', postings = [], alsoTold = [], next }: StepEffects,
): Decision {
  const { transaction, accounts } = facts
  const at = toTimestamp(story.current.updatedAt)
  const hasFailed = story.current.status === 'FAILED' && transaction.status !== 'FAILED'
  const isStopped = story.current.refund?.reason === 'USER_CANCELLATION' && !transaction.refund
  return {
    updates: [story.update],
    transfers: journal(transaction.id, step, postings),
    counts: hasFailed || isStopped ? releaseVolume(transaction.flow.volume) : [],
    // Payments before balances (accounts 14).
    events: [...story.events, ...alsoTold, ...balanceEvents(accounts, postings, at)],
    ...(next === undefined ? {} : { jobs: [nextStep(transaction.id, next)] }),
    result: () => undefined,
  }
}

function without<K extends keyof PaymentFlow>(
  flow: PaymentFlow,
  key: K,
  more: Partial<PaymentFlow>,
): PaymentFlow {
  const { [key]: _, ...rest } = flow
  return { ...(rest as PaymentFlow), ...more }
}

/** How the failure of a rail is told to callers (accounts 0.4). */
function outgoingReason(reason: RailFailure): string {
  return reasons[reason]
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
