import { ok, toTimestamp } from '@corridor/kernel'
import { type Book, bookKey } from '../../vocabulary/scope.ts'
import { statement } from '../db/driver.ts'
import { heldBook, holdKey, holdKind } from './claim-due.ts'
import type { ClaimedJob, JobEngine, scopeAt } from './claims.ts'
import { rescheduling } from './clock.ts'

/**
 * Who moves the clock of a book. While it is moved the times of its jobs are not written anew: once, at the end. The hold
 * is a claimed job that does so when whoever moves the clock has died, and it keeps the loops of all processes from the book.
 */

const take = statement(
  'jobs.hold',
  `insert into jobs (platform_id, environment, id, kind, key, payload, run_at, due_at, created_at, attempts, claim)
   values ($1, $2, $3, '${holdKind}', '${holdKey}', '{}', $4, $5, $4, 1, $6)
   on conflict (platform_id, environment, kind, key) where key is not null and dead_at is null
   do update set id = excluded.id, claim = excluded.claim, due_at = excluded.due_at, attempts = 1, outcomes = 0
     where jobs.due_at <= $4 or jobs.claim = $7
   returning id`,
)
const leave = statement(
  'jobs.leaveHold',
  'delete from jobs where platform_id = $1 and environment = $2 and id = $3 and claim = $4',
)
const heldBooks = statement(
  'jobs.heldBooks',
  `select v.platform_id as "platformId", v.environment
   from (select distinct * from unnest($2::uuid[], $3::text[]) v(platform_id, environment)) v where ${heldBook('v', '$1')}`,
)

/** A claim to the clock of a book, also in the place of the one that is given; undefined while another process has it. */
export async function takeHold(
  engine: JobEngine,
  book: Book,
  before: ClaimedJob | undefined,
): Promise<ClaimedJob | undefined> {
  const { platformId, environment } = book
  const { world, settings } = engine
  const [id, claim, now] = [world.uuid(), world.uuid(), world.now()]
  const [taken] = await engine.database.system((connection) =>
    connection.query(take, [
      platformId,
      environment,
      id,
      toTimestamp(now),
      toTimestamp(now + settings.jobLeaseMs),
      claim,
      before?.claim ?? null,
    ]),
  )
  if (!taken) return undefined
  const job = { platformId, environment, id, claim, kind: holdKind, key: holdKey, payload: {}, runAt: now }
  return { ...job, attempts: 1, outcomes: 0, lastError: null }
}

/** Ends it, and has what is left wait as long as the clock that was moved says. */
export async function leaveHold({ database }: JobEngine, hold: ClaimedJob): Promise<void> {
  const { statement: reschedule, parameters } = rescheduling(hold)
  await database.system(async (connection) => {
    await connection.query(reschedule, parameters)
    await connection.query(leave, [hold.platformId, hold.environment, hold.id, hold.claim])
  })
}

/** Those of these books, by their keys, whose clock is being moved by any process. */
export async function findHeldBooks(
  { database, world }: JobEngine,
  books: readonly Book[],
): Promise<ReadonlySet<string>> {
  if (books.length === 0) return new Set()
  const parameters = [
    toTimestamp(world.now()),
    books.map(({ platformId }) => platformId),
    books.map(({ environment }) => environment),
  ]
  const held = await database.system((connection) => connection.query<Book>(heldBooks, parameters))
  return new Set(held.map(bookKey))
}

/** What is done in the place of a process that died while it moved a clock. */
export const abandonedMove = {
  kind: holdKind,
  run: async (_engine: unknown, scope: ReturnType<typeof scopeAt>) =>
    ok({ statements: [rescheduling(scope)], result: () => null }),
}
