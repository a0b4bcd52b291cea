import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { stablecoinJobs } from './jobs.ts'
import { enablementMachine, issuanceMachine, operationMachine, providerAccountMachine } from './machine.ts'
import { stablecoinRoutes } from './routes.ts'

const tables = {
  guarded: ['stablecoin_operations', 'stablecoin_provider_accounts', 'stablecoins'],
  inserted: ['stablecoin_decisions'],
} as const

/** What the columns say about people. */
const personalData = {
  stablecoin_operations: {
    plain: [
      'coin_id',
      'provider_account_id',
      'operation_type',
      'status',
      'amount',
      'source',
      'destination',
      'funding_instructions',
      'description',
      'expires_at',
      'provider_status',
      'failure_reason',
      'started_at',
      'request_key',
      'request_fingerprint',
    ],
  },
  stablecoin_provider_accounts: {
    plain: ['provider', 'provider_account_id', 'credentials', 'status', 'last_verified_at'],
  },
  stablecoins: {
    plain: [
      'provider_account_id',
      'provider',
      'name',
      'symbol',
      'base_currency',
      'decimals',
      'network',
      'network_token_identifier',
      'provider_token_identifier',
      'issuance_status',
      'enablement_status',
      'requested_at',
    ],
  },
  stablecoin_decisions: { kept: { STAFF: ['reason', 'actor_id'] }, plain: ['subject_id', 'decision'] },
} as const satisfies PersonalData
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
  personalData,
  idKinds,
  ledgerAccounts: ['coinres', 'coinout'],
})
