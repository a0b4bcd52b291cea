import { failed, type Instant, isUuid, ok, toTimestamp } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { isSqlError, statement } from '../../mechanisms/db/driver.ts'
import { transactNoted } from '../../mechanisms/db/noted.ts'
import type { PlatformSettings } from '../../platform/platforms/index.ts'
import type { Actor, Book, Environment } from '../../vocabulary/scope.ts'

/** The operator sees all books, so these statements run past the row-level policies. */

/** Lists of the operator are not paged; nobody reads more than this. */
export const listLimit = 1000

export interface PlatformRow {
  readonly id: string
  readonly name: string
  readonly environment: Environment
  readonly isRegulated: boolean
  readonly skipPaperwork: boolean
  readonly settings: PlatformSettings
  readonly createdAt: Instant
}

const platformColumns = `p.id, p.name, b.environment, p.is_regulated as "isRegulated",
  p.skip_paperwork as "skipPaperwork", b.settings, p.created_at as "createdAt"`
const platformTables = 'books b join platforms p on p.id = b.platform_id'

export interface ListedPlatformRow extends PlatformRow {
  readonly keys: bigint
  readonly lastUsedAt: Instant | null
  /** By the clock of its book; null where its requests are not noted. */
  readonly lastRequestAt: Instant | null
  /** How far the clock of its book is ahead of the real one. */
  readonly clockOffsetMs: bigint
}

const listAll = statement(
  'operator.listPlatforms',
  `select ${platformColumns}, k.keys, k.last_used_at as "lastUsedAt",
     b.clock_offset_ms as "clockOffsetMs", (
       select r.created_at from request_log r
       where r.platform_id = b.platform_id and r.environment = b.environment order by r.created_at desc limit 1
     ) as "lastRequestAt"
   from ${platformTables}
   cross join lateral (
     select count(*) as keys, max(last_used_at) as last_used_at from tokens t
     where t.platform_id = b.platform_id and t.environment = b.environment and t.deleted_at is null
       and (t.expires_at is null or t.expires_at > $2)
   ) k
   order by p.created_at desc, p.id desc, b.environment limit $1`,
)

/** With how many keys are good at `now`, and when one was last used: that is noted once an hour. */
export async function listPlatforms(database: Database, now: Instant): Promise<ListedPlatformRow[]> {
  return database.system((connection) => connection.query(listAll, [listLimit, toTimestamp(now)]))
}

const loadOne = statement(
  'operator.loadPlatform',
  `select ${platformColumns} from ${platformTables} where b.platform_id::text = $1 and b.environment = $2`,
)

export async function loadPlatformIn(
  database: Database,
  platformId: string,
  environment: Environment,
): Promise<PlatformRow | undefined> {
  const [row] = await database.system((connection) =>
    connection.query<PlatformRow>(loadOne, [platformId, environment]),
  )
  return row
}

const mergeSettings = statement(
  'operator.mergeSettings',
  'update books set settings = settings || $3::jsonb where platform_id = $1 and environment = $2',
)

export async function saveSettings(
  database: Database,
  actor: Actor,
  { id, environment }: Pick<PlatformRow, 'id' | 'environment'>,
  settings: PlatformSettings,
): Promise<void> {
  const book = { platformId: id, environment }
  await transactNoted(database, book, actor, async (connection) => {
    await connection.query(mergeSettings, [id, environment, JSON.stringify(settings)])
    return ok(null)
  })
}

export interface DeadJobRow {
  readonly id: string
  readonly platformId: string
  readonly environment: Environment
  readonly kind: string
  readonly payload: Record<string, unknown>
  readonly attempts: number
  readonly lastError: string | null
  readonly createdAt: Instant
  readonly deadAt: Instant
}

const listDead = statement(
  'operator.listDeadJobs',
  `select id, platform_id as "platformId", environment, kind, payload, attempts, last_error as "lastError",
     created_at as "createdAt", dead_at as "deadAt"
   from jobs where dead_at is not null order by dead_at desc, id desc limit $1`,
)

export async function listDeadJobs(database: Database): Promise<DeadJobRow[]> {
  return database.system((connection) => connection.query(listDead, [listLimit]))
}

const findBookOfJob = statement(
  'operator.findBookOfJob',
  'select platform_id as "platformId", environment from jobs where id = $1 and dead_at is not null',
)
const revive = statement(
  'operator.reviveJob',
  `update jobs j set dead_at = null, attempts = 0, outcomes = 0, due_at = $4,
     run_at = least(j.run_at, $4::timestamptz + b.clock_offset_ms * interval '1 millisecond')
   from books b
   where j.platform_id = $1 and j.environment = $2 and j.id = $3 and j.dead_at is not null
     and b.platform_id = $1 and b.environment = $2 returning j.id`,
)

/** Makes a dead job due. `superseded` when a job with its key is pending: that one does the work. */
export async function reviveJob(
  database: Database,
  actor: Actor,
  id: string,
  dueAt: string,
): Promise<'revived' | 'unknown' | 'superseded'> {
  if (!isUuid(id)) return 'unknown'
  try {
    const [book] = await database.system((connection) => connection.query<Book>(findBookOfJob, [id]))
    if (!book) return 'unknown'
    const revived = await transactNoted(database, book, actor, async (connection) => {
      const rows = await connection.query(revive, [book.platformId, book.environment, id, dueAt])
      return rows.length > 0 ? ok(null) : failed(null)
    })
    return revived.ok ? 'revived' : 'unknown'
  } catch (error) {
    if (isSqlError(error) && error.code === '23505') return 'superseded'
    throw error
  }
}
