import { type Instant, toTimestamp } from '@corridor/kernel'
import { refundedAmountOf } from '../payments/index.ts'
import type { Explanation } from './contract.ts'
import type { PaymentFacts } from './payment.ts'
import { momentOf, moneyOf, reasonOf, sentenceWithin } from './words.ts'

type Transaction = PaymentFacts['transaction']

/** Who gave and who is to get it, as far as it is on record and may be told. */
export interface Parties {
  readonly sender: string | undefined
  readonly recipient: string | undefined
}

/**
 * What a payment is in one or two sentences: what was sent and received by whom and when, or why it was not and what became of the
 * money, and who is waited for. An amount is called received only once it was.
 */
export function sentenceOf(
  facts: PaymentFacts,
  now: string,
  waiting: { readonly who: string; readonly expectedBy: string | null; readonly isOverdue: boolean },
): string {
  const { who, expectedBy, isOverdue } = waiting
  const by = expectedBy === null ? '' : ` until ${momentOf(expectedBy)}${isOverdue ? ', overdue' : ''}`
  const story = storyOf(facts, now)
  const end = isOver(now) && who === waitsFor.NOBODY ? `. ${upper(who)}` : `. ${titled(now)}, ${who}`
  const sentence = now === 'COMPLETED' ? `${story}, ${who}${by}.` : `${story}${end}${by}.`
  return sentenceWithin(upper(sentence))
}

const isOver = (now: string): now is keyof typeof ends => Object.hasOwn(ends, now)

const ends = {
  FAILED: 'failed',
  REJECTED: 'was rejected',
  EXPIRED: 'expired',
  REFUNDED: 'was refunded',
} as const

function storyOf(facts: PaymentFacts, now: string): string {
  const { transaction } = facts
  const [sent, received] = amountsOf(transaction)
  const asked = sent ?? received
  const what = `The payment${asked ? ` of ${asked}` : ''}${toOf(facts)}`
  if (transaction.flow.isCancelled) {
    const over = now === 'COMPLETED' ? `. Completed${at(transaction.settledAt)}` : ''
    return `${what} was cancelled and not delivered${backOf(facts)}${over}`
  }
  if (now === 'COMPLETED')
    return `${done(facts, sent, received)}. Completed${at(transaction.settledAt)}${takenBackOf(facts)}`
  if (!isOver(now)) return `${intended(facts, sent, received)}${takenBackOf(facts)}`
  const why = reasonOf(transaction.failureReason, { isTakenBack: hasFailedByReturn(facts) })
  const back = hasFailedByReturn(facts) ? '' : `${backOf(facts)}${takenBackOf(facts)}`
  return `${what} ${ends[now]}${atText(endedAt(facts, now))}${why ? `: ${why}` : ''}${back}`
}

/** Whether it failed because its bank took back what it had let be collected. */
export function hasFailedByReturn({ transaction, postings }: PaymentFacts): boolean {
  const { flow, failureReason, refund } = transaction
  if (flow.funding.kind !== 'PULL' || refund) return false
  if (failureReason !== 'COLLECTION_FAILED' && failureReason !== 'QUOTE_EXECUTION_FAILED') return false
  return flow.collection?.returnedAt !== undefined || postings.some(({ id }) => id.includes('/return/'))
}

/** That the bank took back what had paid for it. */
function takenBackOf({ transaction: { flow } }: PaymentFacts): string {
  const returnedAt = flow.collection?.returnedAt
  return returnedAt === undefined ? '' : `; the bank returned the collection${at(returnedAt)}`
}

function amountsOf({ sentMinor, sentCurrency, receivedMinor, receivedCurrency }: Transaction) {
  const told = (minor: bigint | null, currency: string | null) =>
    minor === null || currency === null ? undefined : moneyOf(minor, currency)
  return [told(sentMinor, sentCurrency), told(receivedMinor, receivedCurrency)] as const
}

const toOf = ({ parties: { recipient } }: PaymentFacts) => (recipient ? ` to ${recipient}` : '')

function done({ parties }: PaymentFacts, sent: string | undefined, received: string | undefined): string {
  const { sender, recipient } = parties
  if (!received)
    return `${sender ? `${sender} sent` : 'Sent'} ${sent ?? 'money'}${recipient ? ` to ${recipient}` : ''}`
  const got = recipient ? `${recipient} received ${received}` : `${received} received`
  if (!sent) return `${got}${sender ? ` from ${sender}` : ''}`
  return `${sender ? `${sender} sent` : 'Sent'} ${sent}, ${got}`
}

function intended({ parties }: PaymentFacts, sent: string | undefined, received: string | undefined): string {
  const { sender, recipient } = parties
  const gives = sent && `${sender ? `${sender} will send ${sent}` : `${sent} to be sent`}`
  const gets =
    received && (recipient ? `${recipient} will receive ${received}` : `${received} to be received`)
  return [gives, gets].filter(Boolean).join(', ') || 'The amount is not known yet'
}

/** What became of the money of what was not delivered. */
function backOf(facts: PaymentFacts): string {
  const { transaction, postings } = facts
  const { refund } = transaction
  if (!refund) return isUntouched(facts) ? '; no money was moved' : ''
  const refunded = refundedAmountOf(transaction)
  const { setOffMinor } = transaction.flow
  const all = setOffMinor === undefined ? 'all ' : ''
  const amount = refunded ? `${all}${moneyOf(refunded.amountMinor, refunded.currency)}` : 'the money'
  if (refunded && setOffMinor !== undefined) {
    const paid = moneyOf(BigInt(setOffMinor), refunded.currency)
    const rest = refunded.amountMinor === 0n ? '' : `, and ${backOfRest(refund, amount, postings)}`
    return `; ${paid} of the refund paid a receivable${rest}`
  }
  return `; ${backOfRest(refund, amount, postings)}`
}

function backOfRest(
  refund: NonNullable<PaymentFacts['transaction']['refund']>,
  amount: string,
  postings: PaymentFacts['postings'],
): string {
  if (refund.status === 'COMPLETED') return `${amount} was refunded${atText(refund.settledAt)}`
  if (refund.status === 'PENDING') return `the refund of ${amount} is in progress`
  const isResolved = postings.some(({ id }) => id.includes('/resolve/'))
  return isResolved ? `the operator returned ${amount}` : `the refund of ${amount} has not succeeded yet`
}

/** Whether no account of a holder was left with another balance, whatever was held or taken meanwhile. */
function isUntouched({ postings }: PaymentFacts): boolean {
  return postings.every(({ kind }) => kind === 'PENDING' || kind === 'VOID_PENDING')
}

/** When it came to its end: when its time was over, or by the event that told so, or else by what was written then. */
export function endedAt({ transaction, quote, events }: PaymentFacts, now: string): string {
  const { refund, settledAt, updatedAt, flow } = transaction
  if (now === 'EXPIRED' && quote) {
    return toTimestamp(Math.min(flow.authorizeBy ?? quote.expiresAt, quote.expiresAt))
  }
  // What was rejected is told as failed.
  const word = now === 'REJECTED' ? 'FAILED' : now
  const told = events.find(({ type }) => type.endsWith(`_PAYMENT.${word}`))
  if (told) return toTimestamp(told.createdAt)
  return refund?.initiatedAt ?? toTimestamp(settledAt ?? updatedAt)
}

const atText = (timestamp: string | undefined) => (timestamp ? ` ${momentOf(timestamp)}` : '')
const at = (instant: Instant | null) => (instant === null ? '' : atText(toTimestamp(instant)))

const upper = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** `PENDING_AUTHORIZATION` → `Pending authorization`. */
function titled(status: string): string {
  return upper(status.replaceAll('_', ' ').toLowerCase())
}

/** Who is waited for, as the end of a sentence. */
export const waitsFor: Readonly<Record<Explanation['status']['waitingFor'], string>> = {
  NOBODY: 'no action is pending',
  CUSTOMER: 'waiting for the customer',
  PLATFORM: 'waiting for the platform',
  RAIL: 'waiting for the rail',
  OPERATOR: 'waiting for the operator',
  CLOCK: 'continues automatically',
}
