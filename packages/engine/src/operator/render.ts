import { toTimestamp } from '@corridor/kernel'
import type { DeadJob, OperatorPlatform } from './contract.ts'
import type { DeadJobRow, PlatformRow } from './store.ts'

export function renderPlatform(platform: PlatformRow): OperatorPlatform {
  return { ...platform, createdAt: toTimestamp(platform.createdAt) }
}

export function renderDeadJob({ lastError, ...job }: DeadJobRow): DeadJob {
  return {
    ...job,
    ...(lastError === null ? {} : { lastError }),
    createdAt: toTimestamp(job.createdAt),
    deadAt: toTimestamp(job.deadAt),
  }
}
