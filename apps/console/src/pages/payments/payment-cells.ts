import { type Cell, decimalOf } from '../../parts/csv.ts'
import { receivedOf, sentOf } from './payment-amounts.ts'
import type { Payment } from './payments-page.tsx'

/** Who a payment comes from or goes to: an account, an UMA address, or nobody that is known. */
export function partyOf(party: object | undefined): string | undefined {
  const { accountId, umaAddress } = (party ?? {}) as { accountId?: string; umaAddress?: string }
  return accountId ?? umaAddress
}

type Column = readonly [name: string, of: (payment: Payment) => Cell]

type Transfer = Exclude<Payment, { type: 'CARD' }>
/** What cards have not is empty for them, and the other way round. */
const ofTransfer = (read: (payment: Transfer) => Cell) => (payment: Payment) =>
  payment.type === 'CARD' ? undefined : read(payment)

/** As the page shows it: what was never sent, and what nobody received, is not there. */
const decimal = (amount: ReturnType<typeof receivedOf>) => amount && decimalOf(amount)

const columns: readonly Column[] = [
  ['id', ({ id }) => id],
  ['type', ({ type }) => type],
  ['status', ({ status }) => status],
  ['failureReason', ofTransfer(({ failureReason }) => failureReason)],
  ['customerId', ({ customerId }) => customerId],
  ['platformCustomerId', ({ platformCustomerId }) => platformCustomerId],
  ['sentAmount', (payment) => decimal(sentOf(payment))],
  ['sentCurrency', (payment) => sentOf(payment)?.currency.code],
  ['receivedAmount', (payment) => decimal(receivedOf(payment))],
  ['receivedCurrency', (payment) => receivedOf(payment)?.currency.code],
  ['from', (payment) => (payment.type === 'CARD' ? payment.accountId : partyOf(payment.source))],
  ['to', (payment) => (payment.type === 'CARD' ? payment.merchant.descriptor : partyOf(payment.destination))],
  ['rail', (payment) => (payment.type === 'OUTGOING' ? (payment.paymentRail ?? undefined) : undefined)],
  ['quoteId', ofTransfer(({ quoteId }) => quoteId)],
  ['description', ofTransfer(({ description }) => description)],
  ['createdAt', ({ createdAt }) => createdAt],
  ['updatedAt', ({ updatedAt }) => updatedAt],
  ['settledAt', ofTransfer(({ settledAt }) => settledAt)],
]

export const exportHead = columns.map(([name]) => name)

/** A payment as a row of a file, its amounts as exact decimals. */
export const exportOf = (payment: Payment): Cell[] => columns.map(([, of]) => of(payment))
