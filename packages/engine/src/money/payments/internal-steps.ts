import { hasRoomFor, platformOwner, whileStatusStays } from '../../platform/internal-accounts/index.ts'
import { decideRefund, failPayout } from './payment-steps.ts'
import { paymentEvent } from './render.ts'
import { begin, delivered, finish, paymentOf, processed, type Step, type StepFacts, soon } from './step.ts'
import { type Transaction, transactionRow } from './transaction.ts'

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
  const { transaction, now, book, accounts } = facts
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
  const mirror = mirrorOf(facts)
  const decision = finish(facts, story, {
    step: 'deliver',
    postings: delivered(facts, paymentOf(transaction)),
    alsoTold: mirror ? [paymentEvent(book, mirror, 'COMPLETED')] : [],
  })
  // A freeze at the same moment counts: the step is decided again.
  const guarded = receiver
    ? { ...decision, requires: [...(decision.requires ?? []), whileStatusStays(receiver)] }
    : decision
  return mirror
    ? {
        ...guarded,
        inserts: [...(guarded.inserts ?? []), { table: 'transactions', row: transactionRow(mirror) }],
      }
    : guarded
}

/** A book transfer is a payment to its receiver as well, with a record and no postings of its own. */
function mirrorOf({ transaction, accounts, now, mirrorId, mirrorPlatformCustomerId }: StepFacts) {
  const { delivery } = transaction.flow
  const receiver = accounts.find(({ id }) => delivery.kind === 'INTERNAL' && id === delivery.accountId)
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
