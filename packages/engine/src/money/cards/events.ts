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
    types: { 'CARD.FUNDING_SOURCE_CHANGE': 'The funding sources were replaced.' },
    component: 'CardFundingSourceChangeWebhook',
    data: Card,
  }),
  webhook({
    name: 'card-transaction',
    id: 'cardTransactionWebhook',
    summary: 'A card transaction changed',
    types: {
      'CARD_TRANSACTION.AUTHORIZED': 'Approved; also sent if the authorized amount changes.',
      'CARD_TRANSACTION.PARTIALLY_SETTLED': 'Partially cleared.',
      'CARD_TRANSACTION.SETTLED':
        'Cleared or ended; also sent after a partial return and after the reversal of a return.',
      'CARD_TRANSACTION.REFUNDED': 'Returned in full.',
      'CARD_TRANSACTION.EXCEPTION': 'The cardholder could not be charged.',
    },
    component: 'CardTransactionWebhook',
    data: CardTransaction,
  }),
]
