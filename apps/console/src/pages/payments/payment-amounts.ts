import type { Amount } from '@corridor/sdk/money.ts'
import type { Payment } from './payments-page.tsx'

/** What is shown of the amounts of a payment: on its page, in its row and in a file. */

/** What was sent, or is to be; nothing of what was never sent, whose amount only `meantOf` has. */
export function sentOf(payment: Payment) {
  return wasNeverSent(payment) ? undefined : meantOf(payment)
}

/** The amount that the payment is of, whatever became of it. */
export function meantOf(payment: Payment) {
  return payment.type === 'CARD' ? payment.authorizedAmount : payment.sentAmount
}

/** Of these nobody has received what they name, or it went back. */
const unreceived: ReadonlySet<string> = new Set(['FAILED', 'REJECTED', 'EXPIRED', 'REFUNDED'])

/** Cancelled in time: it is over, and its money went back instead. */
export function isCancelled(payment: Payment): boolean {
  return payment.type === 'OUTGOING' && payment.status === 'COMPLETED' && payment.refund !== undefined
}

/** The state of a payment as a person would call it; the API calls one that was cancelled completed. */
export function stateOf(payment: Payment): string {
  return isCancelled(payment) ? 'CANCELLED' : payment.status
}

export function receivedOf(payment: Payment) {
  if (unreceived.has(payment.status) || isCancelled(payment)) return undefined
  return payment.type === 'CARD' ? payment.settledAmount : payment.receivedAmount
}

/** Whether it has two currencies; of what is not known of one of them nothing is drawn. */
export function isExchange(payment: Payment): boolean {
  if (payment.type === 'CARD' || !payment.sentAmount || !payment.receivedAmount) return false
  return payment.sentAmount.currency.code !== payment.receivedAmount.currency.code
}

/** It ended before any money of it was taken: what was taken goes back, which is a refund. */
export function wasNeverSent(payment: Payment): boolean {
  return payment.type !== 'CARD' && unreceived.has(payment.status) && !payment.refund
}

/** What is taken of it; undefined where nothing is, and of money that comes in, of which no currency of its fees is told. */
export function feeOf(payment: Payment): Amount | undefined {
  if (payment.type !== 'OUTGOING' || !payment.fees || !payment.sentAmount) return undefined
  if (wasNeverSent(payment)) return undefined
  return { amount: payment.fees, currency: payment.sentAmount.currency }
}
