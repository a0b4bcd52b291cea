import { webhook } from '../../vocabulary/webhook.ts'
import { Card } from './card-schemas.ts'
import { CardTransaction } from './card-transaction-schemas.ts'

/** What platforms are told of cards (cards 1.8). */
export const cardWebhooks = [
  webhook({
    name: 'card-state-change',
    id: 'cardStateChangeWebhook',
    summary: 'A card is ready, paused or closed',
    types: { 'CARD.STATE_CHANGE': 'The state of a card changed.' },
    component: 'CardStateChangeWebhook',
    data: Card,
  }),
  webhook({
    name: 'card-funding-source-change',
    id: 'cardFundingSourceChangeWebhook',
    summary: 'Other accounts fund a card',
    types: { 'CARD.FUNDING_SOURCE_CHANGE': 'The funding sources of a card were replaced.' },
    component: 'CardFundingSourceChangeWebhook',
    data: Card,
  }),
  webhook({
    name: 'card-transaction',
    id: 'cardTransactionWebhook',
    summary: 'What happens to a card transaction',
    types: {
      'CARD_TRANSACTION.AUTHORIZED': 'Approved; also when the authorized amount changes.',
      'CARD_TRANSACTION.PARTIALLY_SETTLED': 'Claimed in part.',
      'CARD_TRANSACTION.SETTLED': 'Claimed or ended; also after a partial return and a reversal of one.',
      'CARD_TRANSACTION.REFUNDED': 'Returned in full.',
      'CARD_TRANSACTION.EXCEPTION': 'The cardholder could not be charged.',
    },
    component: 'CardTransactionWebhook',
    data: CardTransaction,
  }),
]
