import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { proposalMachine } from './machine.ts'
import { operatorsRoutes } from './routes.ts'

const tables = { guarded: ['operators', 'operator_proposals'] } as const
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
  idKinds,
  retention: [{ of: 'requests', table: 'operator_proposals' }],
})
