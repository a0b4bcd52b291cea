import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { approval, receiptJobs } from './jobs.ts'
import { receiptRoutes } from './routes.ts'

const tables = { inserted: ['uma_payee_information'] } as const

/** What the columns say about people. */
const personalData = {
  uma_payee_information: { erased: ['customer_id', 'sealed_part'] },
} as const satisfies PersonalData

declare module '../../vocabulary/names.ts' {
  interface InsertedTables extends Named<typeof tables.inserted> {}
}

export const umaReceiptsFeature = defineFeature({
  name: 'uma-receipts',
  routes: receiptRoutes,
  jobs: receiptJobs,
  answers: [approval],
  tables,
  personalData,
  erasure: [
    statement(
      'erasure.umaPayeeInformation',
      'delete from uma_payee_information where platform_id = $1 and environment = $2 and customer_id = $3',
    ),
    statement(
      'erasure.umaSenders',
      `update transactions set details = details - 'counterpartyInformation', version = version + 1, updated_at = $4
       where platform_id = $1 and environment = $2 and owner_id = $3 and details ? 'counterpartyInformation'`,
    ),
  ],
})
