import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { consoleRoutes } from './routes.ts'

const tables = { guarded: ['console_sessions'] } as const

/** What the columns say about people. */
const personalData = {
  console_sessions: {
    kept: { STAFF: ['subject'] },
    plain: ['token_hash', 'of_platform_id', 'of_environment', 'credential_hash', 'seen_at', 'ended_at'],
  },
} as const satisfies PersonalData
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
  personalData,
  idKinds,
  retention: [{ of: 'requests', table: 'console_sessions' }],
})
