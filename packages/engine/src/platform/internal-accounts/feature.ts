import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { internalAccountWebhook } from './events.ts'
import { internalAccountMachine } from './machine.ts'
import { internalAccountRoutes } from './routes.ts'

const tables = { guarded: ['internal_accounts'] } as const

/** What the columns say about people. */
const personalData = {
  internal_accounts: {
    kept: { REFERENCE: ['owner_id'], PAYMENT: ['funding_instructions', 'funding_reference'] },
    plain: ['currency', 'type', 'status', 'private_enabled'],
  },
} as const satisfies PersonalData
const idKinds = ['InternalAccount'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const internalAccountsFeature = defineFeature({
  name: 'internal-accounts',
  routes: internalAccountRoutes,
  events: [internalAccountWebhook],
  machines: [internalAccountMachine],
  tables,
  personalData,
  idKinds,
  ledgerAccounts: ['avail', 'pend'],
})
