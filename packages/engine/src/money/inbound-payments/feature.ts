import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'

const tables = { inserted: ['inbound_payments'] } as const

/** What the columns say about people. */
const personalData = {
  inbound_payments: {
    kept: { PAYMENT: ['reference'] },
    plain: ['currency', 'amount', 'outcome', 'transaction_id'],
  },
} as const satisfies PersonalData

declare module '../../vocabulary/names.ts' {
  interface InsertedTables extends Named<typeof tables.inserted> {}
}

export const inboundPaymentsFeature = defineFeature({
  name: 'inbound-payments',
  tables,
  personalData,
})
