import { assert } from '@corridor/kernel'
import type { InternalAccount } from '../../platform/internal-accounts/index.ts'
import type { PullOutcome } from '../../ports/rail.ts'
import {
  collectionReturnedAfterPayout,
  collectionReturnedAfterRefund,
  pullReturnedAfterCredit,
} from './clawbacks.ts'
import { noLongerHeld } from './held.ts'
import { isPaidByProof } from './peer-rail.ts'
import {
  type JournalStep,
  type Posting,
  refundToRail,
  unwindAfterConvert,
  unwindBeforeConvert,
} from './postings.ts'
import { pullFromSuspense, suspenseToRail } from './receipts.ts'
import { endRefund } from './refund.ts'
import {
  begin,
  clawbackFrom,
  feeSource,
  finish,
  paymentOf,
  type Step,
  type StepFacts,
  stepKind,
  waitUntil,
  withoutSuspendedFee,
} from './step.ts'
import type { Story } from './story.ts'
import { leaveSuspense, type SuspenseItem } from './suspense.ts'
import type { Collection, PaymentFlow, Transaction } from './transaction.ts'

/**
 * Watch over the collection of a pulled payment, from settlement until its bank can no longer return it. It has a job of its own,
 * so the end of the payment does not end the watch. A return is posted in the commit that records it.
 */

/** True while the bank can still return the collection. */
export function isCollectionWatched(transaction: Pick<Transaction, 'flow'>): boolean {
  const collection = collectionOf(transaction)
  return collection !== undefined && collection.returnedAt === undefined
}

/** Input of the decision about a returned collection. */
export interface CollectionFacts extends StepFacts {
  /** Suspense item of the payment, open or decided. */
  readonly suspended: SuspenseItem | undefined
  /** Account that received the refund, if there was one. */
  readonly refundedTo: InternalAccount | undefined
}

/** Start of the watch. Undefined if the collection has not settled or is not watched. */
export function collectionOf({ flow }: Pick<Transaction, 'flow'>): Collection | undefined {
  if (flow.collection) return flow.collection
  // Payments of an earlier release have no record of their collection.
  const isWatched =
    flow.funding.kind === 'PULL' &&
    flow.delivery.kind === 'INTERNAL' &&
    (flow.stage === 'WATCH_RETURN' || flow.stage === 'SUSPENDED')
  return isWatched && flow.submittedAt !== undefined ? { submittedAt: flow.submittedAt } : undefined
}

export function decideCollectionOutcome(facts: CollectionFacts, outcome: PullOutcome): Step {
  const collection = collectionOf(facts.transaction)
  if (!collection || collection.returnedAt !== undefined) return waitUntil(facts, undefined)
  // Some banks report a return as a failure.
  const isReturned = outcome.status === 'FAILED' || outcome.status === 'RETURNED'
  return isReturned ? decideReturned(facts, collection) : waitUntil(facts, undefined, outcome.checkAt)
}

/**
 * True if the rail may know the payout. A hand-over is recorded before the rail is called. A payout that has waited at a pause
 * since its first attempt was never handed over.
 */
function isHandedOver(flow: PaymentFlow): boolean {
  const { stage, held, handOverAt } = flow
  // Nothing is said to an institution that is paid by its proof before it is asked for that.
  if (stage === 'POLL_PAYOUT' && isPaidByProof({ flow })) return handOverAt !== undefined
  if (stage !== 'SUBMIT_PAYOUT') return true
  const waits = held !== undefined && held.until === undefined
  return waits ? !held.isFirst : handOverAt !== undefined
}

function decideReturned(facts: CollectionFacts, collection: Collection): Step {
  const { transaction, now, suspended } = facts
  const { delivery, stage } = transaction.flow
  const flow = { ...transaction.flow, collection: { ...collection, returnedAt: now } }
  const returned = { facts: { ...facts, transaction: { ...transaction, flow } }, before: transaction }
  if (delivery.kind === 'INTERNAL') {
    return stage === 'SUSPENDED' ? fromSuspendedCredit(returned) : fromCredit(returned)
  }
  if (!isHandedOver(flow)) return stopPayout(returned)
  switch (transaction.refund?.status) {
    case undefined:
      return fromPayout(returned)
    case 'PENDING':
      return fromPendingRefund(returned)
    case 'COMPLETED':
      return fromRefund(returned, facts.refundedTo)
    case 'FAILED':
      if (suspended?.status === 'WAITING') return fromSuspendedRefund(returned)
      return fromRefund(returned, suspended?.status === 'CREDITED' ? facts.refundedTo : undefined)
  }
}

interface Returned {
  /** Payment with the return in its flow. */
  readonly facts: CollectionFacts
  readonly before: Transaction
}

/** Change relative to the stored payment. */
function beginReturned({ facts, before }: Returned): Story {
  return begin({ ...facts, transaction: before }).change({ flow: facts.transaction.flow })
}

function finishReturned(
  { facts, before }: Returned,
  story: Story,
  effects: { readonly step: JournalStep; readonly postings: readonly Posting[] },
): Step {
  return finish({ ...facts, transaction: before }, story, { ...effects, cause: 'COLLECTION_RETURNED' })
}

/** The payout was never handed over. The payment ends, because its money is back at the source. */
function stopPayout(returned: Returned): Step {
  const { facts, before } = returned
  const payment = paymentOf(before)
  const collected = collectedOf(before)
  const unwound = before.flow.isConverted ? unwindAfterConvert(payment) : unwindBeforeConvert(collected)
  const { held } = before.flow
  const story = beginReturned(returned)
  story.move('fail', {
    failureReason: 'QUOTE_EXECUTION_FAILED',
    flow: {
      ...story.current.flow,
      stage: 'DONE',
      ...(held && held.until === undefined ? { held: { ...held, until: facts.now } } : {}),
    },
  })
  story.emit('FAILED')
  const postings = [...unwound, ...refundToRail(collected, railOf(before))]
  return noLongerHeld(finishReturned(returned, story, { step: 'clawback', postings }), before)
}

/** The payout is in progress or delivered. The owner owes all of it. */
function fromPayout(returned: Returned): Step {
  const { before } = returned
  const postings = collectionReturnedAfterPayout(collectedOf(before), {
    rail: railOf(before),
    owner: before.ownerId,
  })
  return finishReturned(returned, beginReturned(returned), { step: 'clawback', postings })
}

/** The bank has already taken the money that the refund was about to return. */
function fromPendingRefund(returned: Returned): Step {
  const { facts, before } = returned
  const story = endRefund(beginReturned(returned), facts.now, 'complete')
  if (before.refund?.reason === 'USER_CANCELLATION') {
    story.move('complete', { settledAt: facts.now }).emit('COMPLETED')
  }
  return finishReturned(returned, story, {
    step: 'clawback',
    postings: refundToRail(collectedOf(before), railOf(before)),
  })
}

/** Takes back the refund up to the balance. The owner owes the rest. */
function fromRefund(returned: Returned, account: InternalAccount | undefined): Step {
  const { before } = returned
  const postings = collectionReturnedAfterRefund(collectedOf(before), {
    rail: railOf(before),
    owner: before.ownerId,
    refunded: clawbackFrom(account),
  })
  return finishReturned(returned, beginReturned(returned), { step: 'clawback', postings })
}

/** The refund waits in suspense, so the money goes back from there. */
function fromSuspendedRefund(returned: Returned): Step {
  const { facts, before } = returned
  const { suspended } = facts
  assert(suspended, 'the refund waits in suspense')
  const postings = suspenseToRail(suspended, railOf(before))
  const decision = finishReturned(returned, beginReturned(returned), { step: 'clawback', postings })
  const left = leaveSuspense(suspended, 'SENT_BACK', { now: facts.now, by: `job:${stepKind}` })
  return { ...decision, updates: [...(decision.updates ?? []), left] }
}

/** No account was credited yet. All of the money goes back from suspense. */
function fromSuspendedCredit(returned: Returned): Step {
  const { facts, before } = returned
  const payment = paymentOf(before)
  const story = beginReturned(returned)
  story
    .move('fail', { failureReason: collectionFailed(before), flow: { ...story.current.flow, stage: 'DONE' } })
    .emit('FAILED')
  const postings = [
    ...pullFromSuspense(payment),
    ...unwindAfterConvert(payment),
    ...refundToRail(collectedOf(before), railOf(before)),
  ]
  const decision = finishReturned(returned, story, { step: 'return', postings })
  const left = leaveSuspense({ id: before.id }, 'SENT_BACK', { now: facts.now, by: `job:${stepKind}` })
  return { ...decision, updates: [...(decision.updates ?? []), left] }
}

/**
 * An internal account was credited (accounts 13, row 5). Its owner owes what it no longer has. There is no refund, because the
 * money is back at the source.
 */
function fromCredit(returned: Returned): Step {
  const { facts, before } = returned
  const { delivery } = before.flow
  const credited = facts.accounts.find(({ id }) => delivery.kind === 'INTERNAL' && id === delivery.accountId)
  assert(credited, 'what was pulled is for an account of ours')
  const postings = pullReturnedAfterCredit(paymentOf(before), {
    rail: railOf(before),
    credited: clawbackFrom(credited),
    platform: feeSource(facts),
  })
  const story = beginReturned(returned)
  story
    .move('return', {
      failureReason: collectionFailed(before),
      settledAt: null,
      flow: { ...story.current.flow, stage: 'DONE' },
    })
    .emit('FAILED')
  return withoutSuspendedFee(facts, finishReturned(returned, story, { step: 'return', postings }))
}

/** Outgoing payments do not have this reason (conventions 12.6). */
export function collectionFailed({ type }: Transaction): string {
  return type === 'INCOMING' ? 'COLLECTION_FAILED' : 'QUOTE_EXECUTION_FAILED'
}

export function collectedOf(transaction: Transaction) {
  const { transactionId, sendingCurrency: currency, sendingAmountMinor: amountMinor } = paymentOf(transaction)
  return { transactionId, currency, amountMinor }
}

export function railOf({ flow: { funding } }: Transaction): string {
  assert(funding.kind === 'PULL', 'a pull has a rail')
  return funding.rail
}
