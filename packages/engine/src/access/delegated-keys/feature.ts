import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { delegatedKeyMachine } from './machine.ts'
import { delegatedKeyRoutes } from './routes.ts'

const tables = { guarded: ['delegated_keys'] } as const

/** What the columns say about people. */
const personalData = {
  delegated_keys: {
    erased: ['owner_id', 'public_key', 'secret', 'nickname'],
    plain: ['card_id', 'funding_source_id', 'account_id', 'status'],
  },
} as const satisfies PersonalData
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
  personalData,
  idKinds,
  erasure: [
    statement(
      'erasure.delegatedKeys',
      'delete from delegated_keys where platform_id = $1 and environment = $2 and owner_id = $3',
    ),
  ],
})
