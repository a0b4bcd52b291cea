import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { statement } from '../../vocabulary/statement.ts'
import { expireAuthorization } from './authorization-commands.ts'
import { expireQuotes } from './jobs.ts'
import { quoteMachine } from './machine.ts'
import { quoteRoutes } from './routes.ts'

const tables = { guarded: ['quotes'] } as const
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
