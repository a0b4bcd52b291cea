import { assert } from '@corridor/kernel'
import type { InternalAccount } from '../../platform/internal-accounts/index.ts'
import type { PullOutcome } from '../../ports/rail.ts'
import {
  collectionReturnedAfterPayout,
  collectionReturnedAfterRefund,
  pullReturnedAfterCredit,
} from './clawbacks.ts'
import { noLongerHeld } from './held.ts'
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
  finish,
  paymentOf,
  type Step,
  type StepFacts,
  stepKind,
  waitUntil,
} from './step.ts'
import type { Story } from './story.ts'
import { leaveSuspense, type SuspenseItem } from './suspense.ts'
import type { Collection, PaymentFlow, Transaction } from './transaction.ts'

/**
 * The collection of a pulled payment, from when it has settled until its bank can no longer take it back. It has a job of its
 * own, so that nothing that becomes of the payment ends the watch. Whatever comes back is posted in the commit that records it.
 */

/** Whether the bank may still take back what was collected. */
export function isCollectionWatched(transaction: Pick<Transaction, 'flow'>): boolean {
  const collection = collectionOf(transaction)
  return collection !== undefined && collection.returnedAt === undefined
}

/** What a returned collection is decided from. */
export interface CollectionFacts extends StepFacts {
  /** What of the payment waits or waited in suspense. */
  readonly suspended: SuspenseItem | undefined
  /** The account that has what was given back, where something was. */
  readonly refundedTo: InternalAccount | undefined
}

/** Since when the collection is watched; undefined where it has not settled, or is not watched. */
export function collectionOf({ flow }: Pick<Transaction, 'flow'>): Collection | undefined {
  if (flow.collection) return flow.collection
  // Those that an earlier release put where they are.
  const isWatched =
    flow.funding.kind === 'PULL' &&
    flow.delivery.kind === 'INTERNAL' &&
    (flow.stage === 'WATCH_RETURN' || flow.stage === 'SUSPENDED')
  return isWatched && flow.submittedAt !== undefined ? { submittedAt: flow.submittedAt } : undefined
}

export function decideCollectionOutcome(facts: CollectionFacts, outcome: PullOutcome): Step {
  const collection = collectionOf(facts.transaction)
  if (!collection || collection.returnedAt !== undefined) return waitUntil(facts, undefined)
  // A bank that takes it back may call that a failure.
  const isReturned = outcome.status === 'FAILED' || outcome.status === 'RETURNED'
  return isReturned ? decideReturned(facts, collection) : waitUntil(facts, undefined, outcome.checkAt)
}

/**
 * Whether its rail may have heard of the payout. A hand-over is on record before the rail is asked, and one that waits at a
 * pause since its first attempt has not begun.
 */
function isHandedOver({ stage, held, handOverAt }: PaymentFlow): boolean {
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
  /** With the return in the flow of the payment. */
  readonly facts: CollectionFacts
  readonly before: Transaction
}

/** Of the payment as it was, so that its change is told from what stands there. */
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

/** Nothing was handed over: the payment ends, and its money is where it came from. */
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

/** The payout is on its way, or was delivered: all of it is owed. */
function fromPayout(returned: Returned): Step {
  const { before } = returned
  const postings = collectionReturnedAfterPayout(collectedOf(before), {
    rail: railOf(before),
    owner: before.ownerId,
  })
  return finishReturned(returned, beginReturned(returned), { step: 'clawback', postings })
}

/** The money that was about to be given back is with its bank already. */
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

/** What was given back is taken back as far as it is still there; the rest is owed. */
function fromRefund(returned: Returned, account: InternalAccount | undefined): Step {
  const { before } = returned
  const postings = collectionReturnedAfterRefund(collectedOf(before), {
    rail: railOf(before),
    owner: before.ownerId,
    refunded: clawbackFrom(account),
  })
  return finishReturned(returned, beginReturned(returned), { step: 'clawback', postings })
}

/** The refund waits in suspense for its account, or for the operator: it goes back from there. */
function fromSuspendedRefund(returned: Returned): Step {
  const { facts, before } = returned
  const { suspended } = facts
  assert(suspended, 'the refund waits in suspense')
  const postings = suspenseToRail(suspended, railOf(before))
  const decision = finishReturned(returned, beginReturned(returned), { step: 'clawback', postings })
  const left = leaveSuspense(suspended, 'SENT_BACK', { now: facts.now, by: `job:${stepKind}` })
  return { ...decision, updates: [...(decision.updates ?? []), left] }
}

/** Nobody was credited yet: everything goes back from suspense. */
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
 * An account of ours was credited (accounts 13, row 5). What it no longer has its owner owes; nothing is refunded, for the
 * money is where it came from.
 */
function fromCredit(returned: Returned): Step {
  const { facts, before } = returned
  const { delivery, platformAccountId } = before.flow
  const credited = facts.accounts.find(({ id }) => delivery.kind === 'INTERNAL' && id === delivery.accountId)
  assert(credited, 'what was pulled is for an account of ours')
  const postings = pullReturnedAfterCredit(paymentOf(before), {
    rail: railOf(before),
    credited: clawbackFrom(credited),
    platform: clawbackFrom(facts.accounts.find(({ id }) => id === platformAccountId)),
  })
  const story = beginReturned(returned)
  story
    .move('return', {
      failureReason: collectionFailed(before),
      settledAt: null,
      flow: { ...story.current.flow, stage: 'DONE' },
    })
    .emit('FAILED')
  return finishReturned(returned, story, { step: 'return', postings })
}

/** Outgoing payments have no reason of that name (conventions 12.6). */
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
