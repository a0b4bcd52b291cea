import { assert, type Instant } from '@corridor/kernel'
import { hasRoomFor, type InternalAccount, whileStatusStays } from '../../platform/internal-accounts/index.ts'
import type { PullOutcome, Submission } from '../../ports/rail.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { collectedOf, collectionFailed, collectionOf, railOf } from './collections.ts'
import { convert, type Posting } from './postings.ts'
import { pullFromSuspense, pullSettled, pullToSuspense } from './receipts.ts'
import { begin, delivered, finish, paymentOf, type Step, type StepFacts, soon, waitUntil } from './step.ts'
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
  const { delivery } = transaction.flow
  if (outcome.status === 'FAILED' || outcome.status === 'RETURNED') return failCollection(facts)
  if (outcome.status !== 'SETTLED') return waitUntil(facts, outcome.checkAt)
  const payment = paymentOf(transaction)
  const collected = pullSettled(collectedOf(transaction), railOf(transaction))
  const watch = outcome.checkAt
  if (delivery.kind !== 'INTERNAL') {
    const { submittedAt: _, ...flow } = watchedFlow(transaction, watch)
    const story = begin(facts).change({ flow: { ...flow, stage: 'SUBMIT_PAYOUT' } })
    return finish(facts, story, { step: 'collect', postings: collected, next: soon(facts), watch })
  }
  const receiver = receiverOf(facts)
  if (receiver.status !== 'ACTIVE' || !hasRoomFor(receiver, payment.receivingAmountMinor))
    return decideSuspended(facts, { receiver, collected, watch })
  const postings = [...collected, ...convert(payment), ...delivered(facts, payment)]
  const story = begin(facts)
  if (transaction.type === 'OUTGOING' && story.can('process')) story.move('process').emit('PROCESSING')
  story
    .move('complete', {
      settledAt: facts.now,
      flow: { ...watchedFlow(transaction, watch), stage: 'DONE', isConverted: true },
    })
    .emit('COMPLETED')
  return alsoWhile(receiver, finish(facts, story, { step: 'collect', postings, watch }))
}

/** From here on the collection is a hand-over of its own, where its bank may still take it back. */
function watchedFlow({ flow }: Transaction, watch: Instant | undefined): PaymentFlow {
  if (watch === undefined) return flow
  assert(flow.submittedAt !== undefined, 'what was collected was submitted')
  return { ...flow, collection: { submittedAt: flow.submittedAt } }
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
    watch,
  }: {
    readonly receiver: InternalAccount
    readonly collected: readonly Posting[]
    readonly watch: Instant | undefined
  },
): Step {
  const { transaction, now } = facts
  const payment = paymentOf(transaction)
  const flow = watchedFlow(transaction, watch)
  const suspended = { flow: { ...flow, stage: 'SUSPENDED' as const, isConverted: true } }
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
    watch,
  })
  return { ...alsoWhile(receiver, decision), inserts: [item] }
}

/**
 * Credits a pull that waited in suspense, as it would have been; its collection is watched as before. For an account that
 * was frozen again it goes on waiting.
 */
export function decideSuspendedCredit(facts: StepFacts, by: string): Decision<void> {
  const { transaction, now } = facts
  const receiver = receiverOf(facts)
  if (receiver.status !== 'ACTIVE') return { result: () => undefined }
  const payment = paymentOf(transaction)
  const collection = collectionOf(transaction)
  const story = begin(facts)
    .move('complete', {
      settledAt: now,
      flow: { ...transaction.flow, stage: 'DONE', ...(collection ? { collection } : {}) },
    })
    .emit('COMPLETED')
  const postings = [...pullFromSuspense(payment), ...delivered(facts, payment)]
  const watch = collection && now
  const decision = alsoWhile(receiver, finish(facts, story, { step: 'credit', postings, watch }))
  const left = leaveSuspense({ id: transaction.id }, 'CREDITED', { now, by })
  return { ...decision, updates: [...(decision.updates ?? []), left], result: () => undefined }
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

/** Nothing was credited, so nothing is refunded (accounts 12.3). */
function failCollection(facts: StepFacts, { isCancelled = false } = {}): Step {
  const { transaction } = facts
  const story = begin(facts)
    .move('fail', {
      failureReason: collectionFailed(transaction),
      flow: { ...transaction.flow, stage: 'DONE', ...(isCancelled ? { isCancelled } : {}) },
    })
    .emit('FAILED')
  return finish(facts, story, {})
}

/** A cancelled pull fails: there was nothing to give back (accounts 10.4). */
export function decideCancelledPull(facts: StepFacts): Step {
  return failCollection(facts, { isCancelled: true })
}
