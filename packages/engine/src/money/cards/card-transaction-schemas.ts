import Type, { type Static } from 'typebox'
import { CurrencyAmount, enumOf, idOf, nameText, timestamp } from '../../vocabulary/shapes.ts'

export const CardTransactionStatus = enumOf(
  ['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED', 'EXCEPTION'],
  { $id: 'CardTransactionStatus' },
)
export type CardTransactionStatus = Static<typeof CardTransactionStatus>

const count = Type.Integer({ minimum: 0 })
const totalAmount = Type.Integer({ description: 'In the smallest unit of the currency.' })

/** Who sells, in the words of the network. */
export const CardMerchant = Type.Object(
  {
    descriptor: nameText({ pattern: '\\S', examples: ['CORNER CAFE LISBON'] }),
    mcc: Type.Optional(
      Type.String({
        minLength: 4,
        maxLength: 4,
        pattern: '^[0-9]{4}$',
        description: 'Merchant category code.',
        examples: ['5814'],
      }),
    ),
    country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', maxLength: 2, examples: ['US'] })),
  },
  { $id: 'CardMerchant' },
)

/** One purchase, from its authorization to the last settlement or refund. */
export const CardTransaction = Type.Object(
  {
    type: Type.Literal('CARD'),
    id: idOf('CardTransaction'),
    cardId: Type.Optional(idOf('Card')),
    customerId: idOf('Customer'),
    platformCustomerId: Type.String(),
    issuerTransactionToken: Type.Optional(Type.String({ readOnly: true })),
    status: CardTransactionStatus,
    direction: enumOf(['CREDIT', 'DEBIT'], { $id: 'TransactionDirection' }),
    merchant: CardMerchant,
    authorizedAmount: CurrencyAmount,
    settledAmount: Type.Optional(CurrencyAmount),
    refundedAmount: Type.Optional(CurrencyAmount),
    accountId: idOf('InternalAccount'),
    pullSummary: Type.Optional(
      Type.Object({ count, totalAmount, pendingCount: Type.Optional(count) }, { $id: 'CardPullSummary' }),
    ),
    refundSummary: Type.Optional(Type.Object({ count, totalAmount }, { $id: 'CardRefundSummary' })),
    settlementSummary: Type.Optional(Type.Object({ count, totalAmount }, { $id: 'CardSettlementSummary' })),
    authorizedAt: timestamp(),
    lastEventAt: Type.Optional(timestamp()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'CardTransaction' },
)
export type CardTransaction = Static<typeof CardTransaction>
