import { webhook } from '../../vocabulary/webhook.ts'
import { Card } from './card-schemas.ts'
import { CardTransaction } from './card-transaction-schemas.ts'

/** What platforms are told of cards (cards 1.8). */
export const cardWebhooks = [
  webhook({
    name: 'card-state-change',
    id: 'cardStateChangeWebhook',
    summary: 'The state of a card changed',
    types: { 'CARD.STATE_CHANGE': 'The card is ready, frozen or closed.' },
    component: 'CardStateChangeWebhook',
    data: Card,
  }),
  webhook({
    name: 'card-funding-source-change',
    id: 'cardFundingSourceChangeWebhook',
    summary: 'The funding sources of a card changed',
    types: { 'CARD.FUNDING_SOURCE_CHANGE': 'The funding sources of the card changed.' },
    component: 'CardFundingSourceChangeWebhook',
    data: Card,
  }),
  webhook({
    name: 'card-transaction',
    id: 'cardTransactionWebhook',
    summary: 'A card transaction changed',
    types: {
      'CARD_TRANSACTION.AUTHORIZED': 'A purchase was approved, or the authorized amount changed.',
      'CARD_TRANSACTION.PARTIALLY_SETTLED': 'Part of the amount was cleared.',
      'CARD_TRANSACTION.SETTLED':
        'The transaction was cleared or ended. Corridor also sends this event after a partial return or the reversal of a return.',
      'CARD_TRANSACTION.REFUNDED': 'The full amount was returned.',
      'CARD_TRANSACTION.EXCEPTION': 'The cardholder could not be charged.',
    },
    component: 'CardTransactionWebhook',
    data: CardTransaction,
  }),
]
