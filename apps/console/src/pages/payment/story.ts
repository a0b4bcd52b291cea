import { textOf } from '../../parts/facts.tsx'
import { failures, pendingReasons, statuses, type Tone } from '../../words.ts'
import type { Payment } from '../payments/payments-page.tsx'

export interface Story {
  readonly tone: Tone
  /** What happened, and why. */
  readonly text: string
  /** Who must do something now. */
  readonly next: string
}

/** What a payment is, why it is so, and what happens next, out of its own facts. */
export function storyOf(payment: Payment): Story {
  const { status } = payment
  const [, word, tone] = statuses[status] ?? ['idle', status, 'plain']
  if (payment.type === 'CARD') {
    return { tone, text: `${word}. A card payment of ${textOf(payment.authorizedAmount)}.`, next: '' }
  }
  const sent = payment.sentAmount && textOf(payment.sentAmount)
  const received = payment.receivedAmount && textOf(payment.receivedAmount)
  const why = payment.failureReason ? ` ${failures[payment.failureReason] ?? payment.failureReason}` : ''
  const wait = payment.pendingReason
    ? ` ${pendingReasons[payment.pendingReason] ?? payment.pendingReason}`
    : ''
  switch (status) {
    case 'COMPLETED':
      return { tone, text: `${word}. ${sentence(sent, received)}`, next: 'Nobody is waiting.' }
    case 'FAILED':
    case 'REJECTED':
    case 'EXPIRED':
    case 'REFUNDED':
      return { tone, text: `${word}.${why}${refundOf(payment)}`, next: afterFailure(payment) }
    default:
      return {
        tone,
        text: `${word}.${wait} ${sentence(sent, received)}`,
        next: nextStep(payment),
      }
  }
}

function sentence(sent: string | undefined, received: string | undefined): string {
  if (sent && received) return `${sent} were sent, ${received} were received.`
  return sent ? `${sent} were sent.` : `${received ?? 'An amount not yet known'} were received.`
}

function refundOf({ refund }: Extract<Payment, { type: 'OUTGOING' | 'INCOMING' }>): string {
  if (!refund) return ''
  if (refund.status === 'COMPLETED') return ' The money came back.'
  return refund.status === 'FAILED' ? ' The money could not be returned.' : ' The money is on its way back.'
}

function afterFailure({ refund }: Extract<Payment, { type: 'OUTGOING' | 'INCOMING' }>): string {
  if (refund?.status === 'FAILED') return 'The operator must look after the refund.'
  if (refund?.status === 'PENDING') return 'Wait for the refund; a new try needs a new quote.'
  return 'Nobody is waiting. It is safe to try again, with a new quote.'
}

function nextStep(payment: Extract<Payment, { type: 'OUTGOING' | 'INCOMING' }>): string {
  if (payment.status === 'PENDING_AUTHORIZATION') return 'The customer must authorize it.'
  if (payment.pendingReason) return 'It goes on when that is done.'
  if (payment.status === 'PROCESSING') {
    const until = payment.type === 'OUTGOING' ? payment.expectedSettlementAt : undefined
    return until ? `The receiving bank is next, expected by ${until}.` : 'The rail is next.'
  }
  return 'It waits for its money or an approval.'
}
