import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { tokenRoutes } from './routes.ts'

const tables = { guarded: ['tokens'] } as const
const idKinds = ['Token'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const tokensFeature = defineFeature({
  name: 'tokens',
  routes: tokenRoutes,
  tables,
  idKinds,
})
