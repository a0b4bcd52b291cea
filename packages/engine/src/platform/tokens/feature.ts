import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { tokenRoutes } from './routes.ts'

const tables = { guarded: ['tokens'] } as const

/** What the columns say about people. */
const personalData = {
  tokens: {
    kept: { STAFF: ['name', 'allowed_addresses'] },
    plain: [
      'client_id',
      'secret_hash',
      'permissions',
      'deleted_at',
      'expires_at',
      'last_used_at',
      'areas',
      'former_secret_hash',
      'former_secret_until',
    ],
  },
} as const satisfies PersonalData
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
  personalData,
  idKinds,
})
