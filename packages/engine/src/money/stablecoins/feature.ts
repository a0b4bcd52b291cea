import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { stablecoinJobs } from './jobs.ts'
import { enablementMachine, issuanceMachine, operationMachine, providerAccountMachine } from './machine.ts'
import { stablecoinRoutes } from './routes.ts'

const tables = {
  guarded: ['stablecoin_operations', 'stablecoin_provider_accounts', 'stablecoins'],
  inserted: ['stablecoin_decisions'],
} as const
const idKinds = ['Stablecoin', 'StablecoinOperation', 'StablecoinProviderAccount'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
  interface InsertedTables extends Named<typeof tables.inserted> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const stablecoinsFeature = defineFeature({
  name: 'stablecoins',
  routes: stablecoinRoutes,
  jobs: stablecoinJobs,
  machines: [providerAccountMachine, issuanceMachine, enablementMachine, operationMachine],
  tables,
  idKinds,
  ledgerAccounts: ['coinres', 'coinout'],
})
