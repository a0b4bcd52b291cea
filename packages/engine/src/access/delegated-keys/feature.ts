import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { statement } from '../../vocabulary/statement.ts'
import { delegatedKeyMachine } from './machine.ts'
import { delegatedKeyRoutes } from './routes.ts'

const tables = { guarded: ['delegated_keys'] } as const
const idKinds = ['DelegatedKey'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const delegatedKeysFeature = defineFeature({
  name: 'delegated-keys',
  routes: delegatedKeyRoutes,
  machines: [delegatedKeyMachine],
  tables,
  idKinds,
  erasure: [
    statement(
      'erasure.delegatedKeys',
      'delete from delegated_keys where platform_id = $1 and environment = $2 and owner_id = $3',
    ),
  ],
})
