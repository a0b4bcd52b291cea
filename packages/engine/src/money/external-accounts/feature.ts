import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { externalAccountWebhook } from './events.ts'
import { externalAccountJobs } from './jobs.ts'
import { externalAccountMachine, trustMachine } from './machine.ts'
import { externalAccountRoutes } from './routes.ts'

const tables = { guarded: ['external_accounts', 'ownership_challenges'] } as const

/** What the columns say about people. */
const personalData = {
  external_accounts: {
    erased: ['details', 'number_hash', 'ending_hash', 'duplicate_key'],
    kept: { REFERENCE: ['owner_id', 'platform_account_id'], PAYMENT: ['account_type'] },
    plain: [
      'status',
      'ownership_type',
      'currency',
      'default_uma_deposit_account',
      'beneficiary_verification_status',
      'trusted',
      'deleted_at',
    ],
  },
  ownership_challenges: { plain: ['external_account_id', 'method', 'status', 'message', 'expires_at'] },
} as const satisfies PersonalData
const idKinds = ['ExternalAccount', 'OwnershipChallenge'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const externalAccountsFeature = defineFeature({
  name: 'external-accounts',
  routes: externalAccountRoutes,
  jobs: externalAccountJobs,
  events: [externalAccountWebhook],
  machines: [externalAccountMachine, trustMachine],
  tables,
  personalData,
  idKinds,
  erasure: [
    statement(
      'erasure.accounts',
      `update external_accounts set details = null, number_hash = null, ending_hash = null, duplicate_key = id, version = version + 1,
       deleted_at = coalesce(deleted_at, $4), updated_at = $4
     where platform_id = $1 and environment = $2 and owner_id = $3 and details is not null`,
    ),
  ],
})
