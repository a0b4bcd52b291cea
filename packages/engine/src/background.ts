import { externalAccountJobs } from './external-accounts/index.ts'
import type { JobHandler, Sweep } from './jobs/runner.ts'

/** Every kind of background job. */
export const jobHandlers: readonly JobHandler[] = [...externalAccountJobs]

/** Everything that falls due without a job row of its own. */
export const sweeps: readonly Sweep[] = []
