import { failed, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import { auditUnlessUnderWay } from '../../mechanisms/audit/audit.ts'
import { readRound } from '../../mechanisms/audit/round.ts'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { installationBook } from '../../vocabulary/scope.ts'
import { renderAudit, renderProblem } from './render.ts'

type Parts = Pick<Engine, 'database' | 'keys' | 'world'>
type Report = ReturnType<typeof renderAudit>

/** Databases of this process that are being audited. A second audit would wait for the connection of the first. */
const underWay = new WeakSet<Database>()

const { platformId, environment } = installationBook
const keep = statement(
  'audits.keep',
  `insert into audit_runs (platform_id, environment, id, report, completed_at) values ($1, $2, 'FULL', $3, $4)
   on conflict (id, platform_id, environment) do update
     set report = excluded.report, completed_at = excluded.completed_at`,
)
const last = statement(
  'audits.last',
  `select report, completed_at as "checkedAt" from audit_runs
   where platform_id = $1 and environment = $2 and id = 'FULL'`,
)

/**
 * Checks everything, unless that is being done: then the last result, which says when it is of. CONFLICT while the first of all is
 * under way.
 */
export async function auditInstallation({ database, keys, world }: Parts): Promise<Result<Reply, Failure>> {
  const startedAt = world.now()
  const report = await unlessUnderWay(database, () => auditUnlessUnderWay(database, keys))
  if (!report) return lastOf(database)
  const rendered = renderAudit(report)
  await database.system((connection) =>
    connection.query(keep, [platformId, environment, JSON.stringify(rendered), toTimestamp(startedAt)]),
  )
  return answer(database, rendered, { checkedAt: startedAt, isUnderWay: false })
}

async function unlessUnderWay<T>(database: Database, audit: () => Promise<T>): Promise<T | undefined> {
  if (underWay.has(database)) return undefined
  underWay.add(database)
  try {
    return await audit()
  } finally {
    underWay.delete(database)
  }
}

async function lastOf(database: Database): Promise<Result<Reply, Failure>> {
  const [row] = await database.system((connection) =>
    connection.query<{ report: Report; checkedAt: Instant }>(last, [platformId, environment]),
  )
  if (!row) return failed(fail('CONFLICT', { reason: 'AUDIT_UNDER_WAY' }))
  return answer(database, row.report, { checkedAt: row.checkedAt, isUnderWay: true })
}

async function answer(
  database: Database,
  report: Report,
  { checkedAt, isUnderWay }: { readonly checkedAt: Instant; readonly isUnderWay: boolean },
): Promise<Result<Reply, Failure>> {
  const round = await readRound(database)
  const inBackground = round && {
    ...(round.completedAt === null ? {} : { completedAt: toTimestamp(round.completedAt) }),
    problems: round.problems.map(renderProblem),
  }
  const body = {
    ...report,
    checkedAt: toTimestamp(checkedAt),
    isUnderWay,
    ...(inBackground ? { inBackground } : {}),
  }
  return ok({ status: 200, body })
}
