import { bulkImportJobs } from './bulk-imports/index.ts'
import { customerJobs } from './customers/index.ts'
import { documentJobs } from './documents/index.ts'
import { externalAccountJobs } from './external-accounts/index.ts'
import type { JobHandler, Sweep } from './jobs/runner.ts'
import { messageJobs } from './messages/index.ts'
import { expireQuotes } from './quotes/index.ts'
import { advancePayment, replaySuspenseItems } from './transactions/index.ts'
import { webhookJobs } from './webhooks/index.ts'

/** Every kind of background job. */
export const jobHandlers: readonly JobHandler[] = [
  ...customerJobs,
  ...documentJobs,
  ...bulkImportJobs,
  ...externalAccountJobs,
  ...messageJobs,
  ...webhookJobs,
  advancePayment,
  replaySuspenseItems,
]

/** Everything that falls due without a job row of its own. */
export const sweeps: readonly Sweep[] = [expireQuotes]
