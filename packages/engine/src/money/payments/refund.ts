import { assert, type Instant, step, toTimestamp } from '@corridor/kernel'
import { refundMachine } from './machine.ts'
import type { Story } from './story.ts'
import type { PaymentFlow, ShownTransaction } from './transaction.ts'
import type { Refund } from './transaction-schemas.ts'

/** Tells that the money goes back (accounts 10.5). `refunded`, where that is not the sending amount. */
export function startRefund(
  story: Story,
  now: Instant,
  {
    reason,
    refunded,
  }: {
    readonly reason: NonNullable<Refund['reason']>
    readonly refunded?: NonNullable<PaymentFlow['refunded']>
  },
): Story {
  const { flow, reference: payment } = story.current
  const reference = `RFD-${payment.replace(/^REF-/, '')}`
  const [status] = refundMachine.initial
  assert(status, 'a refund begins somewhere')
  return story
    .change({
      refund: { reference, status, reason, initiatedAt: toTimestamp(now) },
      refundReference: reference,
      flow: { ...flow, stage: 'REFUND', ...(refunded ? { refunded } : {}) },
    })
    .emit('REFUND_PENDING')
}

/** The money is back, or waits in suspense because nobody can be given it; no state of a refund follows. */
export function endRefund(
  story: Story,
  now: Instant,
  on: 'complete' | 'fail',
  more: Pick<PaymentFlow, 'setOffMinor'> = {},
): Story {
  const { refund, flow } = story.current
  assert(refund, 'a refund was started')
  const moved = step(refundMachine, refund.status, on)
  assert(moved.ok, `a refund does not ${on} twice`)
  const ended: typeof refund = {
    ...refund,
    status: moved.to,
    ...(on === 'complete' ? { settledAt: toTimestamp(now) } : {}),
  }
  return story
    .change({ refund: ended, flow: { ...flow, ...more, stage: 'DONE' } })
    .emit(on === 'complete' ? 'REFUND_COMPLETED' : 'REFUND_FAILED')
}

type Refundable = Pick<
  ShownTransaction,
  'type' | 'flow' | 'sentMinor' | 'sentCurrency' | 'receivedMinor' | 'receivedCurrency'
>
interface Refunded {
  readonly amountMinor: bigint
  readonly currency: string
}

/**
 * Amount that goes back to the owner, or went, in its currency: the whole refund less the part that paid receivables. Undefined
 * if that is not known.
 */
export function refundedAmountOf(transaction: Refundable): Refunded | undefined {
  const whole = wholeRefundOf(transaction)
  const setOffMinor = BigInt(transaction.flow?.setOffMinor ?? 0)
  return whole && { ...whole, amountMinor: whole.amountMinor - setOffMinor }
}

function wholeRefundOf({ flow, ...transaction }: Refundable): Refunded | undefined {
  const other = flow?.refunded ?? flow?.paidIn
  if (other) return { amountMinor: BigInt(other.amountMinor), currency: other.currency }
  // What another institution sent is on record as what it came to here.
  const isReceived = flow?.kind === 'UMA' && transaction.type === 'INCOMING'
  const amountMinor = isReceived ? transaction.receivedMinor : transaction.sentMinor
  const currency = isReceived ? transaction.receivedCurrency : transaction.sentCurrency
  return amountMinor === null || currency === null ? undefined : { amountMinor, currency }
}
