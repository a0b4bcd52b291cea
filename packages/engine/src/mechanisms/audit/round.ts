import { type Instant, toTimestamp, type World } from '@corridor/kernel'
import { installationBook } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import type { Keys } from '../keys/keys.ts'
import { type AuditStep, atOneMoment, auditSteps } from './audit.ts'
import type { PostingKey } from './owner-records.ts'

/**
 * The audit in the background: rule after rule, over all books, again and again. It keeps its place in the database, so that any
 * process goes on where another was killed, and takes one step at a time in one process of all.
 */
interface Parts {
  readonly database: Database
  readonly world: Pick<World, 'now' | 'log'>
  readonly keys?: Pick<Keys, 'tag'>
}

type Problem = Awaited<ReturnType<AuditStep['find']>>['problems'][number]

/** Findings of a round, from the last check of each rule. */
export interface RoundReport {
  readonly problems: readonly Problem[]
  /** When every rule had been checked, the last time. */
  readonly completedAt: Instant | null
}

interface Row {
  /** By rule. */
  readonly report: Readonly<Record<string, readonly Problem[]>>
  readonly step: bigint
  readonly place: PostingKey | null
  readonly startedAt: Instant
  readonly completedAt: Instant | null
  readonly dueAt: Instant
}

/** A step takes at most a twentieth of the time of one process. */
const restPerWork = 20
const leastRestMs = 20_000
/** Advisory lock for all processes. It differs from the lock of the full audit, so that neither waits for the other. */
const takeTurn = statement('audit.takeRound', `select pg_try_advisory_xact_lock(${0x726f_756e}) as "isTaken"`)

const ofRound = `platform_id = $1 and environment = $2 and id = 'ROUND'`
const book = [installationBook.platformId, installationBook.environment]
const load = statement(
  'audit.loadRound',
  `select report, step, place, started_at as "startedAt", completed_at as "completedAt", due_at as "dueAt"
   from audit_runs where ${ofRound}`,
)
const begin = statement(
  'audit.beginRound',
  `insert into audit_runs (platform_id, environment, id, report, started_at, due_at) values ($1, $2, 'ROUND', '{}', $3, $3)
   on conflict do nothing`,
)
/** Whoever was slower took the same step, and found the same. */
const goOn = statement(
  'audit.goOn',
  `update audit_runs set report = $5, step = $6, place = $7, started_at = $8, completed_at = $9, due_at = $10
   where ${ofRound} and step = $3 and place is not distinct from $4::jsonb`,
)

/** Takes the next step if it is due and no other process takes it. Resolves with whether it was taken. */
export async function takeAuditStep({ database, world, keys }: Parts): Promise<boolean> {
  const row = await loadRound(database)
  const now = world.now()
  if (!row) {
    await database.system((connection) => connection.query(begin, [...book, toTimestamp(now)]))
    return false
  }
  if (row.dueAt > now) return false
  const steps = auditSteps(keys)
  // Another release may have had more rules.
  const index = Number(row.step) % steps.length
  const { rule, find } = steps[index]!
  const found = await atOneMoment(database, async (connection) => {
    const [turn] = await connection.query<{ isTaken: boolean }>(takeTurn)
    return turn?.isTaken ? find(connection, row.place ?? undefined) : undefined
  })
  if (!found) return false
  const before = row.report[rule] ?? []
  const problems = row.place ? [...before, ...found.problems].slice(0, 100) : found.problems
  tellNew({ world, before, problems })
  const isLast = !found.place && index === steps.length - 1
  const endedAt = world.now()
  const json = (value: unknown) => (value ? JSON.stringify(value) : null)
  await database.system((connection) =>
    connection.query(goOn, [
      ...book,
      row.step,
      json(row.place),
      json({ ...row.report, [rule]: problems }),
      found.place ? row.step : BigInt((index + 1) % steps.length),
      json(found.place),
      toTimestamp(isLast ? endedAt : row.startedAt),
      isLast ? toTimestamp(endedAt) : row.completedAt === null ? null : toTimestamp(row.completedAt),
      toTimestamp(endedAt + Math.max(leastRestMs, (endedAt - now) * restPerWork)),
    ]),
  )
  return true
}

/** What the round has found, of all rules; undefined before its first step. */
export async function readRound(database: Database): Promise<RoundReport | undefined> {
  const row = await loadRound(database)
  return row && { problems: Object.values(row.report).flat(), completedAt: row.completedAt }
}

async function loadRound(database: Database): Promise<Row | undefined> {
  const [row] = await database.system((connection) => connection.query<Row>(load, book))
  return row
}

/** Each finding once. */
function tellNew({
  world,
  before,
  problems,
}: Pick<Parts, 'world'> & {
  readonly before: readonly Problem[]
  readonly problems: readonly Problem[]
}): void {
  const known = new Set(before.map((problem) => JSON.stringify(problem)))
  for (const problem of problems) {
    if (known.has(JSON.stringify(problem))) continue
    const { rule, platformId, environment, subject, found, expected } = problem
    const told = { rule, platformId, environment, subject, found, expected }
    world.log.error(told, 'the audit found inconsistent records')
  }
}
