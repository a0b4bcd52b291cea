import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { proposalMachine } from './machine.ts'
import { operatorsRoutes } from './routes.ts'

const tables = { guarded: ['operators', 'operator_proposals'] } as const

/** What the columns say about people. */
const personalData = {
  operators: {
    kept: { STAFF: ['name', 'invited_by', 'approved_by', 'confirmed_by'] },
    plain: [
      'role',
      'key_days',
      'code_hash',
      'code_expires_at',
      'key_hash',
      'key_expires_at',
      'ended_at',
      'joined_at',
      'confirmed_at',
    ],
  },
  operator_proposals: {
    kept: { STAFF: ['proposed_by', 'decided_by'], PASSING: ['input'] },
    plain: ['operation', 'status', 'expires_at'],
  },
} as const satisfies PersonalData
const idKinds = ['Operator', 'Proposal'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const operatorsFeature = defineFeature({
  name: 'operators',
  routes: operatorsRoutes,
  machines: [proposalMachine],
  tables,
  personalData,
  idKinds,
  retention: [{ of: 'requests', table: 'operator_proposals' }],
})
