import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { approval, receiptJobs } from './jobs.ts'
import { receiptRoutes } from './routes.ts'

export const umaReceiptsFeature = defineFeature({
  name: 'uma-receipts',
  routes: receiptRoutes,
  jobs: receiptJobs,
  answers: [approval],
})
