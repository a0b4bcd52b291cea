import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { receiverRoutes } from './routes.ts'

const tables = { inserted: ['lookups'] } as const

/** What the columns say about people. */
const personalData = {
  lookups: { erased: ['sender_id', 'receiver', 'details'], plain: ['expires_at'] },
} as const satisfies PersonalData
const idKinds = ['Lookup'] as const

declare module '../../vocabulary/names.ts' {
  interface InsertedTables extends Named<typeof tables.inserted> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const receiversFeature = defineFeature({
  name: 'receivers',
  routes: receiverRoutes,
  tables,
  personalData,
  idKinds,
  retention: [{ of: 'requests', table: 'lookups' }],
  erasure: [
    statement(
      'erasure.lookups',
      'delete from lookups where platform_id = $1 and environment = $2 and sender_id = $3',
    ),
  ],
})
