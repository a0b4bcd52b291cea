import { t } from '../../language/t.ts'
import { Lanes, type Reach, reachOf, type Station } from '../../parts/corridor-line.tsx'
import { rateText, textOf } from '../../parts/facts.tsx'
import { feeOf, isExchange, wasNeverSent } from '../payments/payment-amounts.ts'
import type { Payment } from '../payments/payments-page.tsx'

type Transfer = Extract<Payment, { type: 'OUTGOING' | 'INCOMING' }>

/** The line of one payment in full: what was sent, the fee, the rate, and what came of it. */
export function PaymentLanes({ of: payment }: { readonly of: Transfer }) {
  const { sentAmount, receivedAmount } = payment
  const reach = reachOf(payment.status, payment.refund)
  const fee = feeOf(payment)
  const rate = rateOf(payment)
  const stations: (Station | undefined)[] = [
    sentAmount && {
      mark: 'sent',
      value: textOf(sentAmount),
      what: wasNeverSent(payment) ? t('was to be sent') : reach === 'moving' ? t('to be sent') : t('sent'),
    },
    fee && { mark: 'fee', value: textOf(fee), what: t('fee') },
    isExchange(payment) && rate ? { mark: 'rate', value: rate, what: t('rate, before fees') } : undefined,
    receivedAmount && { mark: 'end', value: textOf(receivedAmount), what: ends[reach] },
  ]
  return <Lanes reach={reach} stations={stations.filter((each) => each !== undefined)} />
}

/** What came of the amount that is to be received. */
const ends: Readonly<Record<Reach, string>> = {
  done: t('received'),
  moving: t('to be received'),
  stopped: t('not received'),
  returned: t('not received: the money came back'),
}

/** Where nothing is changed there is no rate. */
export function rateOf({ exchangeRate, sentAmount, receivedAmount }: Transfer): string | undefined {
  const [sent, received] = [sentAmount?.currency.code, receivedAmount?.currency.code]
  if (exchangeRate === undefined || !sent || !received || sent === received) return undefined
  return rateText(exchangeRate, sent, received)
}
