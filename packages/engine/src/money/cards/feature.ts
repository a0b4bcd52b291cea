import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { cardWebhooks } from './events.ts'
import { cardJobs } from './jobs.ts'
import { cardMachine, cardTransactionMachine } from './machine.ts'
import { cardRoutes } from './routes.ts'

const tables = {
  guarded: ['cards', 'card_transactions'],
  inserted: ['card_attempts', 'card_reveals'],
} as const
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
  idKinds,
  ledgerAccounts: ['cardres', 'cardnet', 'cardexc'],
})
