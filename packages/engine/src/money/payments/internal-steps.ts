import { hasRoomFor, whileStatusStays } from '../../platform/internal-accounts/index.ts'
import { decideRefund, failPayout } from './payment-steps.ts'
import { begin, delivered, finish, paymentOf, processed, type Step, type StepFacts, soon } from './step.ts'

/** The next step of a payment, where it takes nobody outside to take it. */
export function decideWithin(facts: StepFacts): Step | undefined {
  switch (facts.transaction.flow.stage) {
    case 'CONVERT_INTERNAL':
      return decideConvertInternal(facts)
    case 'DELIVER_INTERNAL':
      return decideDeliverInternal(facts)
    case 'REFUND':
      return decideRefund(facts)
    default:
      return undefined
  }
}

/** First half of a payment between two of our own accounts (accounts 13, rows 12 and 13). */
export function decideConvertInternal(facts: StepFacts): Step {
  const story = begin(facts).change({ flow: { ...facts.transaction.flow, stage: 'DELIVER_INTERNAL' } })
  return finish(facts, story, { step: 'convert', postings: processed(facts, story), next: soon(facts) })
}

export function decideDeliverInternal(facts: StepFacts): Step {
  const { transaction, now, accounts } = facts
  const { delivery } = transaction.flow
  const receiver = accounts.find(({ id }) => delivery.kind === 'INTERNAL' && id === delivery.accountId)
  // Frozen since the payment began, or full: it is refused, and goes back like one that a bank refuses (accounts 3.1).
  if (
    receiver &&
    (receiver.status !== 'ACTIVE' || !hasRoomFor(receiver, paymentOf(transaction).receivingAmountMinor))
  )
    return failPayout(facts, { status: 'FAILED', reason: 'ACCOUNT_CANNOT_RECEIVE' })
  const story = begin(facts)
    .move('complete', { settledAt: now, flow: { ...transaction.flow, stage: 'DONE' } })
    .emit('COMPLETED')
  const decision = finish(facts, story, {
    step: 'deliver',
    postings: delivered(facts, paymentOf(transaction)),
  })
  // A freeze at the same moment counts: the step is decided again.
  return receiver
    ? { ...decision, requires: [...(decision.requires ?? []), whileStatusStays(receiver)] }
    : decision
}
