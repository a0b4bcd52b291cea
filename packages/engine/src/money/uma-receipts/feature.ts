import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { statement } from '../../vocabulary/statement.ts'
import { approval, receiptJobs } from './jobs.ts'
import { receiptRoutes } from './routes.ts'

export const umaReceiptsFeature = defineFeature({
  name: 'uma-receipts',
  routes: receiptRoutes,
  jobs: receiptJobs,
  answers: [approval],
  erasure: [
    statement(
      'erasure.umaSenders',
      `update transactions set details = details - 'counterpartyInformation', version = version + 1, updated_at = $4
       where platform_id = $1 and environment = $2 and owner_id = $3 and details ? 'counterpartyInformation'`,
    ),
  ],
})
