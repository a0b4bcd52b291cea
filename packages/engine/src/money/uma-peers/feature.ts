import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'

const tables = { inserted: ['uma_keys', 'uma_nonces'] } as const

declare module '../../vocabulary/names.ts' {
  interface InsertedTables extends Named<typeof tables.inserted> {}
}

export const umaPeersFeature = defineFeature({
  name: 'uma-peers',
  tables,
  ledgerAccounts: ['cpty'],
})
