import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { internalAccountWebhook } from './events.ts'
import { internalAccountMachine } from './machine.ts'
import { internalAccountRoutes } from './routes.ts'

const tables = { guarded: ['internal_accounts'] } as const
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
  idKinds,
  ledgerAccounts: ['avail', 'pend'],
})
