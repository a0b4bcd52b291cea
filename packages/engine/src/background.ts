import { customerJobs } from './customers/index.ts'
import type { JobHandler, Sweep } from './jobs/runner.ts'

/** Every kind of background job. */
export const jobHandlers: readonly JobHandler[] = [...customerJobs]

/** Everything that falls due without a job row of its own. */
export const sweeps: readonly Sweep[] = []
