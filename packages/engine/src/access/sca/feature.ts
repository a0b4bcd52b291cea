import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { challengeMachine, lockMachine, loginMachine, resetMachine } from './machines.ts'
import { scaRoutes } from './routes.ts'

const tables = { guarded: ['sca_challenges', 'sca_customers', 'sca_resets'] } as const

/** What the columns say about people. */
const personalData = {
  sca_challenges: {
    erased: ['customer_id', 'subject_id', 'code_hash', 'passkey_challenge', 'credential_id', 'answered_at'],
    plain: ['kind', 'factor', 'purpose', 'status', 'resent_at', 'expires_at'],
  },
  sca_customers: {
    erased: ['factors'],
    plain: ['failed_attempts', 'locked_until', 'is_suspended', 'session_expires_at'],
  },
  sca_resets: {
    erased: ['customer_id'],
    plain: ['factor', 'status', 'reads', 'is_enrolled', 'expires_at', 'completed_at'],
  },
} as const satisfies PersonalData
const idKinds = ['ScaChallenge', 'ScaReset'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const scaFeature = defineFeature({
  name: 'sca',
  routes: scaRoutes,
  machines: [challengeMachine, loginMachine, lockMachine, resetMachine],
  tables,
  personalData,
  idKinds,
  erasure: [
    statement(
      'erasure.scaChallenges',
      'delete from sca_challenges where platform_id = $1 and environment = $2 and customer_id = $3',
    ),
    statement(
      'erasure.scaResets',
      'delete from sca_resets where platform_id = $1 and environment = $2 and customer_id = $3',
    ),
    statement(
      'erasure.scaCustomers',
      'delete from sca_customers where platform_id = $1 and environment = $2 and id = $3',
    ),
  ],
})
