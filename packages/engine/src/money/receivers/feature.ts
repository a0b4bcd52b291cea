import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { statement } from '../../vocabulary/statement.ts'
import { receiverRoutes } from './routes.ts'

const tables = { inserted: ['lookups'] } as const
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
  idKinds,
  retention: [{ of: 'requests', table: 'lookups' }],
  erasure: [
    statement(
      'erasure.lookups',
      'delete from lookups where platform_id = $1 and environment = $2 and sender_id = $3',
    ),
  ],
})
