import { type Instant, toTimestamp } from '@corridor/kernel'
import type { AuditReport } from '../../mechanisms/audit/audit.ts'
import type { DeadJob, OperatorPlatform } from './contract.ts'
import { type DeadJobRow, type ListedPlatformRow, listLimit, type PlatformRow } from './store.ts'

export function renderPlatform(platform: PlatformRow): OperatorPlatform {
  return { ...platform, createdAt: toTimestamp(platform.createdAt) }
}

/** `now`: the real time; in the sandbox the platform's own clock is ahead of it. */
export function renderListedPlatform(
  { keys, lastUsedAt, lastRequestAt, clockOffsetMs, ...platform }: ListedPlatformRow,
  now: Instant,
) {
  return {
    ...renderPlatform(platform),
    keys: Number(keys),
    ...(lastUsedAt === null ? {} : { lastUsedAt: toTimestamp(lastUsedAt) }),
    ...(lastRequestAt === null ? {} : { lastRequestAt: toTimestamp(lastRequestAt) }),
    now: toTimestamp(now + Number(clockOffsetMs)),
  }
}

export function renderDeadJob({ lastError, ...job }: DeadJobRow): DeadJob {
  return {
    ...job,
    ...(lastError === null ? {} : { lastError }),
    createdAt: toTimestamp(job.createdAt),
    deadAt: toTimestamp(job.deadAt),
  }
}

export function renderAudit({ problems, ...report }: AuditReport) {
  return {
    ...report,
    problems: problems.map(renderProblem),
  }
}

export function renderProblem(problem: AuditReport['problems'][number]) {
  const first = 'firstBadPosting' in problem ? problem.firstBadPosting : undefined
  return {
    ...problem,
    ...(first ? { firstBadPosting: { id: first.id, at: toTimestamp(first.at) } } : {}),
  }
}

/** Lists of the operator come whole, up to a limit. */
export function unpaged<T>(data: readonly T[]) {
  return { data, hasMore: data.length === listLimit, totalCount: data.length }
}
