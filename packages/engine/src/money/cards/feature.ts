import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { cardWebhooks } from './events.ts'
import { cardJobs } from './jobs.ts'
import { cardMachine, cardTransactionMachine } from './machine.ts'
import { cardRoutes } from './routes.ts'

const tables = {
  guarded: ['cards', 'card_transactions'],
  inserted: ['card_attempts', 'card_reveals'],
} as const

/** What the columns say about people. */
const personalData = {
  cards: {
    kept: { REFERENCE: ['cardholder_id', 'platform_card_id'], PAYMENT: ['last4', 'exp_month', 'exp_year'] },
    plain: [
      'status',
      'state_reason',
      'form',
      'currency',
      'funding_currency',
      'max_spend',
      'funding_accounts',
      'brand',
      'processor_ref',
      'issuer_ref',
    ],
  },
  card_transactions: {
    kept: { REFERENCE: ['customer_id', 'platform_customer_id'], PAYMENT: ['merchant'] },
    plain: [
      'card_id',
      'account_id',
      'issuer_transaction_token',
      'status',
      'direction',
      'currency',
      'funding_currency',
      'authorized',
      'cleared',
      'held',
      'holds',
      'pulled',
      'owed',
      'owed_returns',
      'clearings',
      'pulls',
      'pending_pulls',
      'returns',
      'is_expired',
      'last_event_at',
    ],
  },
  card_attempts: {
    kept: { PAYMENT: ['merchant'] },
    plain: ['card_id', 'issuer_transaction_token', 'kind', 'amount', 'currency', 'decline_reason'],
  },
  card_reveals: { kept: { RECORD: ['actor_id', 'source'] }, plain: ['card_id', 'token_hash', 'expires_at'] },
} as const satisfies PersonalData
const idKinds = ['Card', 'CardTransaction'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
  interface InsertedTables extends Named<typeof tables.inserted> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const cardsFeature = defineFeature({
  name: 'cards',
  routes: cardRoutes,
  jobs: cardJobs,
  events: cardWebhooks,
  machines: [cardMachine, cardTransactionMachine],
  tables,
  personalData,
  idKinds,
  ledgerAccounts: ['cardres', 'cardnet', 'cardexc'],
})
