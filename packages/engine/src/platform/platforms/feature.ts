import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { platformRoutes } from './routes.ts'

const tables = { guarded: ['platform_configs'], inserted: ['uma_domains'], deleted: ['uma_domains'] } as const
const idKinds = ['PlatformConfig'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
  interface InsertedTables extends Named<typeof tables.inserted> {}
  interface DeletedTables extends Named<typeof tables.deleted> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const platformsFeature = defineFeature({
  name: 'platforms',
  routes: platformRoutes,
  tables,
  idKinds,
})
