import type { Static } from 'typebox'
import { taggedUnion } from '../../vocabulary/shapes.ts'
import { IncomingTransaction, OutgoingTransaction } from '../payments/transaction-schemas.ts'
import { CardTransaction } from './card-transaction-schemas.ts'

/** Whatever moves money: a payment or a purchase with a card (accounts 10). */
export const Transaction = taggedUnion('type', [IncomingTransaction, OutgoingTransaction, CardTransaction], {
  $id: 'TransactionOneOf',
})
export type Transaction = Static<typeof Transaction>
