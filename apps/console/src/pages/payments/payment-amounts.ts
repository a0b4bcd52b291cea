import type { Payment } from './payments-page.tsx'

/** What is shown of the amounts of a payment: on its page, in its row and in a file. */

export function sentOf(payment: Payment) {
  return payment.type === 'CARD' ? payment.authorizedAmount : payment.sentAmount
}

/** Of these nobody has received what they name, or it went back. */
const unreceived: ReadonlySet<string> = new Set(['FAILED', 'REJECTED', 'EXPIRED', 'REFUNDED'])

/** Cancelled in time: it is over, and its money went back instead. */
export function isCancelled(payment: Payment): boolean {
  return payment.type === 'OUTGOING' && payment.status === 'COMPLETED' && payment.refund !== undefined
}

export function receivedOf(payment: Payment) {
  if (unreceived.has(payment.status) || isCancelled(payment)) return undefined
  return payment.type === 'CARD' ? payment.settledAmount : payment.receivedAmount
}
