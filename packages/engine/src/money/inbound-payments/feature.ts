import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'

const tables = { inserted: ['inbound_payments'] } as const

declare module '../../vocabulary/names.ts' {
  interface InsertedTables extends Named<typeof tables.inserted> {}
}

export const inboundPaymentsFeature = defineFeature({
  name: 'inbound-payments',
  tables,
})
