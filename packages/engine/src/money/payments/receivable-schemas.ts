import Type, { type Static } from 'typebox'
import { CurrencyAmount, enumOf, idOf, timestamp } from '../../vocabulary/shapes.ts'

export const ReceivableStatus = enumOf(['OPEN', 'SETTLED', 'WRITTEN_OFF'], {
  $id: 'ReceivableStatus',
  description: 'WRITTEN_OFF means that the operator wrote off the outstanding amount.',
})
export type ReceivableStatus = Static<typeof ReceivableStatus>

/** Causes of a receivable. */
export const ReceivableCause = enumOf(
  ['COLLECTION_RETURNED', 'PAYOUT_RETURNED', 'CARD_CLEARING', 'CARD_RETURN_REVERSED'],
  {
    $id: 'ReceivableCause',
    description:
      'COLLECTION_RETURNED means that the bank returned a collection. PAYOUT_RETURNED means that the bank returned a payout, and the platform must pay back the platform fee that it earned. CARD_CLEARING and CARD_RETURN_REVERSED mean that the card network was paid, but the account was frozen.',
  },
)
export type ReceivableCause = Static<typeof ReceivableCause>

export const Receivable = Type.Object(
  {
    id: idOf('Receivable'),
    customerId: Type.Optional(idOf('Customer')),
    status: ReceivableStatus,
    cause: ReceivableCause,
    transactionId: idOf('Transaction', 'CardTransaction'),
    amount: CurrencyAmount,
    remainingAmount: CurrencyAmount,
    writtenOffAmount: Type.Optional(CurrencyAmount),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    settledAt: Type.Optional(
      timestamp({ description: 'Time of full payment or write-off. Absent while the status is OPEN.' }),
    ),
  },
  {
    $id: 'Receivable',
    description:
      'Amount that a customer or the platform owes in one currency. The owner may not have an internal account in that currency. Without customerId, the platform owes the amount.',
  },
)
export type Receivable = Static<typeof Receivable>
