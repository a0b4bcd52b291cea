import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { statement } from '../../vocabulary/statement.ts'
import { challengeMachine, lockMachine, loginMachine, resetMachine } from './machines.ts'
import { scaRoutes } from './routes.ts'

const tables = { guarded: ['sca_challenges', 'sca_customers', 'sca_resets'] } as const
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
