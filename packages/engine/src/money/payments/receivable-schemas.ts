import Type, { type Static } from 'typebox'
import { CurrencyAmount, enumOf, idOf, timestamp } from '../../vocabulary/shapes.ts'

export const ReceivableStatus = enumOf(['OPEN', 'SETTLED', 'WRITTEN_OFF'], {
  $id: 'ReceivableStatus',
  description: 'WRITTEN_OFF: the operator gave up the amount that was left.',
})
export type ReceivableStatus = Static<typeof ReceivableStatus>

/** Causes of a receivable. */
export const ReceivableCause = enumOf(
  ['COLLECTION_RETURNED', 'PAYOUT_RETURNED', 'CARD_CLEARING', 'CARD_RETURN_REVERSED'],
  {
    $id: 'ReceivableCause',
    description:
      'COLLECTION_RETURNED: the bank took back a collection. PAYOUT_RETURNED: the bank returned a payout, and the platform owes its fee. CARD_CLEARING and CARD_RETURN_REVERSED: the card network was paid, but the account was frozen.',
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
      timestamp({ description: 'When it was paid or written off. Absent while OPEN.' }),
    ),
  },
  {
    $id: 'Receivable',
    description:
      'Amount that an owner owes in one currency. The owner may not have an internal account in that currency. Without customerId the platform owes it.',
  },
)
export type Receivable = Static<typeof Receivable>
