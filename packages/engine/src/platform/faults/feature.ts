import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { faultRoutes } from './routes.ts'

const tables = { guarded: ['faults'] } as const
const idKinds = ['Fault'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const faultsFeature = defineFeature({
  name: 'faults',
  routes: faultRoutes,
  tables,
  idKinds,
  retention: [{ of: 'requests', table: 'fault_activations' }],
})
