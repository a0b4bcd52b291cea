import type { ReactNode } from 'react'
import { useSession } from '../../app/session.tsx'
import { useTime } from '../../app/time.tsx'
import { rich, t } from '../../language/t.ts'
import { Moment, textOf } from '../../parts/facts.tsx'
import { useCustomerName, usePayeeHolder } from '../../parts/names.tsx'
import { failures, failuresOfBank, pendingReasons, statuses, type Tone } from '../../words.ts'
import { isCancelled, stateOf } from '../payments/payment-amounts.ts'
import type { Payment } from '../payments/payments-page.tsx'

type Transfer = Extract<Payment, { type: 'OUTGOING' | 'INCOMING' }>

export const toneOf = (payment: Payment): Tone => statuses[stateOf(payment)]?.[2] ?? 'plain'

/** What a payment is and why it is so, out of its own facts, and with the names of who pays and is paid once they are known. */
export function Story({ of: payment }: { readonly of: Payment }) {
  const state = stateOf(payment)
  const word = statuses[state]?.[1] ?? state
  if (payment.type === 'CARD') {
    return t('{status}. A card payment of {amount}.', {
      status: word,
      amount: textOf(payment.authorizedAmount),
    })
  }
  return (
    <>
      {word}. <OfTransfer of={payment} />
    </>
  )
}

function OfTransfer({ of: payment }: { readonly of: Transfer }) {
  const { from, to } = useNames(payment)
  const sent = payment.sentAmount && textOf(payment.sentAmount)
  const received = payment.receivedAmount && textOf(payment.receivedAmount)
  switch (payment.status) {
    case 'COMPLETED':
      if (isCancelled(payment)) {
        return (
          <>
            {undelivered(sent)} <Refunded of={payment} />
          </>
        )
      }
      return from && to && sent && received
        ? rich('<from></from> sent {sent}, <to></to> received {received}.', {
            from: () => <Name key="from" of={from} />,
            to: () => <Name key="to" of={to} />,
            sent,
            received,
          })
        : sentence(sent, received)
    case 'FAILED':
    case 'REJECTED':
    case 'EXPIRED':
    case 'REFUNDED':
      return (
        <>
          <Why of={payment} to={to} /> <Refunded of={payment} />
        </>
      )
    default: {
      const wait = payment.pendingReason
      return (
        <>
          {wait && `${pendingReasons[wait] ?? wait} `}
          {intention(sent, received)}
        </>
      )
    }
  }
}

/** Somebody else's letters, which change nothing of the direction of ours. */
const Name = ({ of }: { readonly of: string }) => <bdi>{of}</bdi>

/** Who pays and who is paid; undefined where it is not known, or not known yet. */
function useNames(payment: Transfer) {
  const { platform } = useSession()
  const own = useCustomerName(payment.customerId) ?? (isOfCustomer(payment) ? undefined : platform)
  const other = usePayeeHolder(payment.type === 'OUTGOING' ? payment.destination : payment.source)
  return payment.type === 'OUTGOING' ? { from: own, to: other } : { from: other, to: own }
}

const isOfCustomer = ({ customerId }: Transfer) => customerId.startsWith('Customer:')

function Why({
  of: { failureReason: reason },
  to,
}: {
  readonly of: Transfer
  readonly to: string | undefined
}) {
  if (!reason) return null
  const named = to === undefined ? undefined : failuresOfBank[reason]
  return named ? named({ to: () => <Name key="to" of={to!} /> }) : (failures[reason] ?? reason)
}

function undelivered(sent: string | undefined): string {
  return sent ? t('{sent} was not delivered.', { sent }) : t('Nothing was delivered.')
}

/** Of money that is still on its way: nobody has received it, and it may come back. */
function intention(sent: string | undefined, received: string | undefined): string {
  if (sent && received) {
    return t('The sender pays {sent}, and the receiver gets {received}.', { sent, received })
  }
  if (sent) return t('The sender pays {sent}.', { sent })
  return received ? t('The receiver gets {received}.', { received }) : t('The amount is not known yet.')
}

function sentence(sent: string | undefined, received: string | undefined): string {
  if (sent && received) return t('{sent} was sent, and {received} was received.', { sent, received })
  if (sent) return t('{sent} were sent.', { sent })
  return received ? t('{received} were received.', { received }) : t('An unknown amount was received.')
}

/** What becomes of money that goes back, and when it was back. */
function Refunded({ of: payment }: { readonly of: Transfer }): ReactNode {
  const { mode } = useTime()
  const { refund } = payment
  if (!refund) return null
  if (refund.status === 'FAILED') return t('The money could not be returned.')
  if (refund.status !== 'COMPLETED') return t('The money is on its way back.')
  // Of what was cancelled the amount was named just before.
  if (isCancelled(payment)) return t('The money came back.')
  const amount = textOf(refund.amount)
  const at = () => <Moment key="at" at={refund.settledAt} short />
  if (!refund.settledAt) return t('{amount} came back.', { amount })
  return mode === 'relative'
    ? rich('{amount} came back <at></at>.', { amount, at })
    : rich('{amount} came back on <at></at>.', { amount, at })
}
