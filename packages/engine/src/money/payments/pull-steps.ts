import { assert } from '@corridor/kernel'
import type { PullOutcome, Submission } from '../../ports/rail.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { pullReturnedAfterCredit } from './clawbacks.ts'
import { convert } from './postings.ts'
import { pullSettled } from './receipts.ts'
import { begin, clawbackFrom, delivered, finish, paymentOf, type StepFacts, soon, waitUntil } from './step.ts'
import type { PaymentFlow } from './transaction.ts'

/** The rail took a pull on, is still looking at it, or refused it (accounts 12.3). */
export function decidePullSubmission(facts: StepFacts, submission: Submission): Decision {
  if (submission.status === 'FAILED') return failCollection(facts)
  const story = begin(facts).change({
    flow: { ...facts.transaction.flow, stage: 'POLL_PULL', submittedAt: facts.now },
  })
  // A pull into the owner's own account is shown as being on its way; one that feeds a payout is not yet.
  if (submission.status === 'ACCEPTED' && facts.transaction.type === 'INCOMING') story.move('process')
  return finish(facts, story, { next: submission.checkAt })
}

export function decidePullOutcome(facts: StepFacts, outcome: PullOutcome): Decision {
  const { transaction } = facts
  const { funding, delivery, stage } = transaction.flow
  const isCredited = stage === 'WATCH_RETURN'
  // A bank that takes it back may call that a failure.
  if (outcome.status === 'FAILED' || outcome.status === 'RETURNED')
    return isCredited ? decidePullReturned(facts) : failCollection(facts)
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
  if (delivery.kind !== 'INTERNAL') {
    const story = begin(facts).change({
      flow: without(transaction.flow, 'submittedAt', { stage: 'SUBMIT_PAYOUT' }),
    })
    return finish(facts, story, { step: 'collect', postings: collected, next: soon(facts) })
  }
  const postings = [...collected, ...convert(payment), ...delivered(facts, payment)]
  const story = begin(facts)
    .move('complete', {
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
  const credited = accounts.find(({ id }) => delivery.kind === 'INTERNAL' && id === delivery.accountId)
  assert(funding.kind === 'PULL' && credited, 'what was pulled was credited to an account of ours')
  const postings = pullReturnedAfterCredit(paymentOf(transaction), {
    rail: funding.rail,
    credited: clawbackFrom(credited),
    platform: clawbackFrom(accounts.find(({ id }) => id === platformAccountId)),
  })
  const story = begin(facts)
    .move('return', {
      failureReason: 'COLLECTION_FAILED',
      settledAt: null,
      flow: { ...transaction.flow, stage: 'DONE' },
    })
    .emit('FAILED')
  return finish(facts, story, { step: 'return', postings })
}

/** Nothing was collected, so nothing is refunded (accounts 12.3). */
function failCollection(facts: StepFacts, { isCancelled = false } = {}): Decision {
  const { transaction } = facts
  const story = begin(facts)
    .move('fail', {
      failureReason: transaction.type === 'INCOMING' ? 'COLLECTION_FAILED' : 'QUOTE_EXECUTION_FAILED',
      flow: { ...transaction.flow, stage: 'DONE', ...(isCancelled ? { isCancelled } : {}) },
    })
    .emit('FAILED')
  return finish(facts, story, {})
}

/** A cancelled pull fails: there was nothing to give back (accounts 10.4). */
export function decideCancelledPull(facts: StepFacts): Decision {
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
