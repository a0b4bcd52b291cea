import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { consoleRoutes } from './routes.ts'

const tables = { guarded: ['console_sessions'] } as const
const idKinds = ['ConsoleSession'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const consoleFeature = defineFeature({
  name: 'console',
  routes: consoleRoutes,
  tables,
  idKinds,
  retention: [{ of: 'requests', table: 'console_sessions' }],
})
