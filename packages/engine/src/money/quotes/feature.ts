import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { expireAuthorization } from './authorization-commands.ts'
import { expireQuotes } from './jobs.ts'
import { quoteMachine } from './machine.ts'
import { quoteRoutes } from './routes.ts'

const tables = { guarded: ['quotes'] } as const

/** What the columns say about people. */
const personalData = {
  quotes: {
    erased: ['words', 'words_for', 'options.remittanceInformation', 'options.description'],
    kept: {
      REFERENCE: ['owner_id', 'source_account_id', 'destination_account_id'],
      PAYMENT: ['source', 'destination', 'amounts', 'payment_instructions', 'payment_reference', 'options'],
    },
    plain: [
      'status',
      'sending_currency',
      'receiving_currency',
      'sending_amount',
      'receiving_amount',
      'exchange_rate',
      'rate_details',
      'expires_at',
      'sca_challenge',
    ],
  },
} as const satisfies PersonalData
const idKinds = ['Quote'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const quotesFeature = defineFeature({
  name: 'quotes',
  routes: quoteRoutes,
  jobs: [expireAuthorization],
  sweeps: [expireQuotes],
  machines: [quoteMachine],
  tables,
  personalData,
  idKinds,
  erasure: [
    statement(
      'erasure.quotes',
      `update quotes set options = options - '{remittanceInformation,description}'::text[], words = null,
         words_for = null, version = version + 1, updated_at = $4
       where platform_id = $1 and environment = $2 and owner_id = $3
         and (words is not null or options ?| '{remittanceInformation,description}'::text[])`,
    ),
  ],
})
