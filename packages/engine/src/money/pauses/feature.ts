import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { pauseMachine } from './machine.ts'
import { pauseRoutes } from './routes.ts'

const tables = { guarded: ['payout_pauses'] } as const
const idKinds = ['Pause'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const pausesFeature = defineFeature({
  name: 'pauses',
  routes: pauseRoutes,
  machines: [pauseMachine],
  tables,
  idKinds,
})
