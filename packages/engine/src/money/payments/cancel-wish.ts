import type { PaymentFlow, Transaction } from './transaction.ts'

/**
 * A caller's wish to stop a payment, which stands in the payment until the rail has answered it. Once the payment
 * has left these stages there is nothing to stop.
 */
export function isCancelAsked({ flow }: Transaction): boolean {
  return flow.cancelAskedAt !== undefined && isCancellable(flow)
}

export function isCancellable({ stage }: PaymentFlow): boolean {
  return cancellableStages.has(stage)
}

export function withoutWish({ cancelAskedAt: _, ...flow }: PaymentFlow): PaymentFlow {
  return flow
}

const cancellableStages: ReadonlySet<string> = new Set([
  'SUBMIT_PULL',
  'POLL_PULL',
  'SUBMIT_PAYOUT',
  'POLL_PAYOUT',
])
