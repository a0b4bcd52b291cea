import Type, { type Static } from 'typebox'
import { CurrencyAmount, enumOf, idOf, timestamp } from '../../vocabulary/shapes.ts'

export const ReceivableStatus = enumOf(['OPEN', 'SETTLED'], { $id: 'ReceivableStatus' })
export type ReceivableStatus = Static<typeof ReceivableStatus>

/** What could not be taken back, or could not be charged. */
export const ReceivableCause = enumOf(
  ['COLLECTION_RETURNED', 'PAYOUT_RETURNED', 'CARD_CLEARING', 'CARD_RETURN_REVERSED'],
  {
    $id: 'ReceivableCause',
    description:
      'COLLECTION_RETURNED: a bank took back what it had paid. PAYOUT_RETURNED: a payout came back, and with it the fee that the platform had earned. The others: the card network was paid while the account was frozen.',
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
    createdAt: timestamp(),
    updatedAt: timestamp(),
    settledAt: Type.Optional(timestamp({ description: 'Only while SETTLED.' })),
  },
  {
    $id: 'Receivable',
    description:
      'What an owner owes in one currency, whether or not it has an internal account in it. Without customerId the platform owes it.',
  },
)
export type Receivable = Static<typeof Receivable>
