import { t } from '../../language/t.ts'
import { textOf } from '../../parts/facts.tsx'
import { failures, pendingReasons, statuses, type Tone } from '../../words.ts'
import { isCancelled } from '../payments/payment-amounts.ts'
import type { Payment } from '../payments/payments-page.tsx'

type Transfer = Extract<Payment, { type: 'OUTGOING' | 'INCOMING' }>

export interface Story {
  readonly tone: Tone
  /** What happened, and why. */
  readonly text: string
}

/** What a payment is and why it is so, out of its own facts. */
export function storyOf(payment: Payment): Story {
  const { status } = payment
  const [, word, tone] = statuses[status] ?? ['idle', status, 'plain']
  if (payment.type === 'CARD') {
    return {
      tone,
      text: t('{status}. A card payment of {amount}.', {
        status: word,
        amount: textOf(payment.authorizedAmount),
      }),
    }
  }
  const sent = payment.sentAmount && textOf(payment.sentAmount)
  const received = payment.receivedAmount && textOf(payment.receivedAmount)
  const why = payment.failureReason ? ` ${failures[payment.failureReason] ?? payment.failureReason}` : ''
  const wait = payment.pendingReason
    ? ` ${pendingReasons[payment.pendingReason] ?? payment.pendingReason}`
    : ''
  switch (status) {
    case 'COMPLETED':
      return {
        tone,
        text: `${word}. ${isCancelled(payment) ? cancelled(sent) + refundOf(payment) : sentence(sent, received)}`,
      }
    case 'FAILED':
    case 'REJECTED':
    case 'EXPIRED':
    case 'REFUNDED':
      return { tone, text: `${word}.${why}${refundOf(payment)}` }
    default:
      return { tone, text: `${word}.${wait} ${intention(sent, received)}` }
  }
}

function cancelled(sent: string | undefined): string {
  return sent
    ? t('It was cancelled: {sent} were not delivered.', { sent })
    : t('It was cancelled, and nothing was delivered.')
}

/** Of money that is still on its way: nobody has received it, and it may come back. */
function intention(sent: string | undefined, received: string | undefined): string {
  if (sent && received) {
    return t('{sent} are to be sent, {received} are to be received.', { sent, received })
  }
  if (sent) return t('{sent} are to be sent.', { sent })
  return received ? t('{received} are to be received.', { received }) : t('The amount is not known yet.')
}

function sentence(sent: string | undefined, received: string | undefined): string {
  if (sent && received) return t('{sent} were sent, {received} were received.', { sent, received })
  if (sent) return t('{sent} were sent.', { sent })
  return received ? t('{received} were received.', { received }) : t('An amount not yet known was received.')
}

function refundOf(payment: Transfer): string {
  const { refund } = payment
  if (!refund) return ''
  // Of what was cancelled the amount was named just before.
  const back = isCancelled(payment) ? undefined : givenBackOf(payment)
  if (refund.status === 'COMPLETED')
    return ` ${back ? t('{amount} came back.', { amount: textOf(back) }) : t('The money came back.')}`
  return refund.status === 'FAILED'
    ? ` ${t('The money could not be returned.')}`
    : ` ${t('The money is on its way back.')}`
}

/** What came out of an account goes back whole, fees included; of other money the API does not say in what it went back. */
function givenBackOf(payment: Transfer) {
  return payment.type === 'OUTGOING' && payment.source.sourceType === 'ACCOUNT'
    ? payment.sentAmount
    : undefined
}
