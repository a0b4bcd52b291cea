import { assert } from '@corridor/kernel'
import { hasRoomFor, type InternalAccount, whileStatusStays } from '../../platform/internal-accounts/index.ts'
import type { PullOutcome, Submission } from '../../ports/rail.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { pullReturnedAfterCredit } from './clawbacks.ts'
import { convert, type JournalStep, type Posting, refundToRail, unwindAfterConvert } from './postings.ts'
import { pullFromSuspense, pullSettled, pullToSuspense } from './receipts.ts'
import {
  begin,
  clawbackFrom,
  delivered,
  finish,
  paymentOf,
  type Step,
  type StepFacts,
  soon,
  stepKind,
  waitUntil,
} from './step.ts'
import { leaveSuspense, suspenseRow } from './suspense.ts'
import type { PaymentFlow, Transaction } from './transaction.ts'

/** The rail took a pull on, is still looking at it, or refused it (accounts 12.3). */
export function decidePullSubmission(facts: StepFacts, submission: Submission): Step {
  if (submission.status === 'FAILED') return failCollection(facts)
  const story = begin(facts).change({
    flow: { ...facts.transaction.flow, stage: 'POLL_PULL', submittedAt: facts.now },
  })
  // A pull into the owner's own account is shown as being on its way; one that feeds a payout is not yet.
  if (submission.status === 'ACCEPTED' && facts.transaction.type === 'INCOMING') story.move('process')
  return finish(facts, story, { next: submission.checkAt })
}

export function decidePullOutcome(facts: StepFacts, outcome: PullOutcome): Step {
  const { transaction } = facts
  const { delivery, stage } = transaction.flow
  const isCollected = stage === 'WATCH_RETURN' || stage === 'SUSPENDED'
  // A bank that takes it back may call that a failure.
  if (outcome.status === 'FAILED' || outcome.status === 'RETURNED') {
    if (stage === 'SUSPENDED') return decideReturnedFromSuspense(facts)
    return isCollected ? decidePullReturned(facts) : failCollection(facts)
  }
  if (outcome.status !== 'SETTLED' || isCollected) return waitUntil(facts, outcome.checkAt)
  const payment = paymentOf(transaction)
  const collected = pullSettled(collectedOf(transaction), railOf(transaction))
  if (delivery.kind !== 'INTERNAL') {
    const story = begin(facts).change({
      flow: without(transaction.flow, 'submittedAt', { stage: 'SUBMIT_PAYOUT' }),
    })
    return finish(facts, story, { step: 'collect', postings: collected, next: soon(facts) })
  }
  const receiver = receiverOf(facts)
  if (receiver.status !== 'ACTIVE' || !hasRoomFor(receiver, payment.receivingAmountMinor))
    return decideSuspended(facts, { receiver, collected, next: outcome.checkAt })
  const postings = [...collected, ...convert(payment), ...delivered(facts, payment)]
  const story = begin(facts)
  if (transaction.type === 'OUTGOING' && story.can('process')) story.move('process').emit('PROCESSING')
  story
    .move('complete', {
      settledAt: facts.now,
      flow: {
        ...transaction.flow,
        stage: outcome.checkAt === undefined ? 'DONE' : 'WATCH_RETURN',
        isConverted: true,
      },
    })
    .emit('COMPLETED')
  const decision = finish(facts, story, {
    step: 'collect',
    postings,
    ...(outcome.checkAt === undefined ? {} : { next: outcome.checkAt }),
  })
  return alsoWhile(receiver, decision)
}

/**
 * The bank paid for an account that cannot be credited any more: frozen since the pull began, or full. The money
 * is converted, for its rate was agreed, and waits in suspense while the payment stays on its way (accounts 3.1).
 */
function decideSuspended(
  facts: StepFacts,
  {
    receiver,
    collected,
    next,
  }: {
    readonly receiver: InternalAccount
    readonly collected: readonly Posting[]
    readonly next: number | undefined
  },
): Step {
  const { transaction, now } = facts
  const payment = paymentOf(transaction)
  const suspended = { flow: { ...transaction.flow, stage: 'SUSPENDED' as const, isConverted: true } }
  const story = begin(facts)
  if (transaction.status === 'PENDING') story.move('process', suspended)
  else story.change(suspended)
  if (transaction.type === 'OUTGOING') story.emit('PROCESSING')
  const item = suspenseRow(now, {
    id: transaction.id,
    kind: 'PULL',
    internalAccountId: receiver.id,
    currency: payment.receivingCurrency,
    amountMinor: payment.receivingAmountMinor,
    deposit: null,
  })
  const decision = finish(facts, story, {
    step: 'collect',
    postings: [...collected, ...convert(payment), ...pullToSuspense(payment)],
    ...(next === undefined ? {} : { next }),
  })
  return { ...alsoWhile(receiver, decision), inserts: [item] }
}

/**
 * Credits a pull that waited in suspense, as it would have been; from then on its return is watched for again. For an
 * account that was frozen again it goes on waiting.
 */
export function decideSuspendedCredit(facts: StepFacts, by: string): Decision<void> {
  const { transaction, now } = facts
  const receiver = receiverOf(facts)
  if (receiver.status !== 'ACTIVE') return { result: () => undefined }
  const payment = paymentOf(transaction)
  const story = begin(facts)
    .move('complete', { settledAt: now, flow: { ...transaction.flow, stage: 'WATCH_RETURN' } })
    .emit('COMPLETED')
  const postings = [...pullFromSuspense(payment), ...delivered(facts, payment)]
  const decision = alsoWhile(receiver, finish(facts, story, { step: 'credit', postings, next: now }))
  const left = leaveSuspense({ id: transaction.id }, 'CREDITED', { now, by })
  return { ...decision, updates: [...(decision.updates ?? []), left], result: () => undefined }
}

/** The bank took a pull back before anybody was credited with it: everything goes back from suspense. */
function decideReturnedFromSuspense(facts: StepFacts): Step {
  const { transaction, now } = facts
  const payment = paymentOf(transaction)
  const postings = [
    ...pullFromSuspense(payment),
    ...unwindAfterConvert(payment),
    ...refundToRail(collectedOf(transaction), railOf(transaction)),
  ]
  const decision = failCollection(facts, { step: 'return', postings })
  const left = leaveSuspense({ id: transaction.id }, 'SENT_BACK', { now, by: `job:${stepKind}` })
  return { ...decision, updates: [...(decision.updates ?? []), left] }
}

/** A freeze at the same moment counts: the step is decided again. */
function alsoWhile(receiver: InternalAccount, decision: Step): Step {
  return { ...decision, requires: [...(decision.requires ?? []), whileStatusStays(receiver)] }
}

/** The account of ours that a pull is for. */
function receiverOf({ transaction, accounts }: StepFacts): InternalAccount {
  const { delivery } = transaction.flow
  const receiver = accounts.find(({ id }) => delivery.kind === 'INTERNAL' && id === delivery.accountId)
  assert(receiver, 'what was pulled is for an account of ours')
  return receiver
}

function collectedOf(transaction: Transaction) {
  const { transactionId, sendingCurrency: currency, sendingAmountMinor: amountMinor } = paymentOf(transaction)
  return { transactionId, currency, amountMinor }
}

function railOf({ flow: { funding } }: Transaction): string {
  assert(funding.kind === 'PULL', 'a pull has a rail')
  return funding.rail
}

/**
 * The bank took a credited pull back, days later perhaps (accounts 13, row 5). What the account no longer
 * has its owner owes; nothing is refunded, for the money is where it came from.
 */
function decidePullReturned(facts: StepFacts): Step {
  const { transaction, accounts } = facts
  const { platformAccountId } = transaction.flow
  const postings = pullReturnedAfterCredit(paymentOf(transaction), {
    rail: railOf(transaction),
    credited: clawbackFrom(receiverOf(facts)),
    platform: clawbackFrom(accounts.find(({ id }) => id === platformAccountId)),
  })
  const story = begin(facts)
    .move('return', {
      failureReason: collectionFailed(transaction),
      settledAt: null,
      flow: { ...transaction.flow, stage: 'DONE' },
    })
    .emit('FAILED')
  return finish(facts, story, { step: 'return', postings })
}

/** Nothing was credited, so nothing is refunded (accounts 12.3). */
function failCollection(
  facts: StepFacts,
  {
    isCancelled = false,
    ...effects
  }: {
    readonly isCancelled?: boolean
    readonly step?: JournalStep
    readonly postings?: readonly Posting[]
  } = {},
): Step {
  const { transaction } = facts
  const story = begin(facts)
    .move('fail', {
      failureReason: collectionFailed(transaction),
      flow: { ...transaction.flow, stage: 'DONE', ...(isCancelled ? { isCancelled } : {}) },
    })
    .emit('FAILED')
  return finish(facts, story, effects)
}

/** Outgoing payments have no reason of that name (conventions 12.6). */
function collectionFailed({ type }: Transaction): string {
  return type === 'INCOMING' ? 'COLLECTION_FAILED' : 'QUOTE_EXECUTION_FAILED'
}

/** A cancelled pull fails: there was nothing to give back (accounts 10.4). */
export function decideCancelledPull(facts: StepFacts): Step {
  return failCollection(facts, { isCancelled: true })
}

function without<K extends keyof PaymentFlow>(
  flow: PaymentFlow,
  key: K,
  more: Partial<PaymentFlow>,
): PaymentFlow {
  const { [key]: _, ...rest } = flow
  return { ...(rest as PaymentFlow), ...more }
}
