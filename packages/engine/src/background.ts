import type { JobHandler, Sweep } from './jobs/runner.ts'
import { webhookJobs } from './webhooks/index.ts'

/** Every kind of background job. */
export const jobHandlers: readonly JobHandler[] = [...webhookJobs]

/** Everything that falls due without a job row of its own. */
export const sweeps: readonly Sweep[] = []
