import { type Instant, scheduleOf, toTimestamp } from '@corridor/kernel'
import { isUnavailable } from '../db/availability.ts'
import { statement } from '../db/driver.ts'
import { type ClaimedJob, type JobEngine, messageOf } from './claims.ts'

/** Attempts that nobody heard of again: a job that takes its process with it is not tried for ever. */
const maxLostAttempts = 5
/** Longer than any handler should take. One that hangs gives its job up, and what it decides is refused. */
export const longestRunMs = 15 * 60_000

/**
 * By the clock of its book, which somebody may move. One that was asked for meanwhile runs then, if that is earlier; the wish outlives
 * a job that is dead.
 */
const postponeJob = statement(
  'jobs.postpone',
  `with postponed as (
     update jobs j set last_error = $6, dead_at = $7, claim = null,
       attempts = j.attempts - case when $9 then 1 else 0 end, outcomes = j.outcomes + case when $9 then 0 else 1 end,
       woken_at = case when $7::timestamptz is null then null else j.woken_at end,
       run_at = case when $7::timestamptz is null
         then least($5::timestamptz + b.clock_offset_ms * interval '1 millisecond', j.woken_at) else j.run_at end,
       due_at = least($5, j.woken_at - b.clock_offset_ms * interval '1 millisecond')
     from books b
     where j.platform_id = $1 and j.environment = $2 and j.id = $3 and j.claim = $4
       and b.platform_id = $1 and b.environment = $2
     returning j.*
   )
   insert into jobs (platform_id, environment, id, kind, key, payload, run_at, due_at, created_at)
   select platform_id, environment, $8, kind, key, payload, woken_at, due_at, created_at
   from postponed where dead_at is not null and woken_at is not null`,
)

/** What failed will be over some day: the job is tried again for as long as that takes, and none of it is its last attempt. */
export class TriedAgain extends Error {
  override readonly name: string = 'TriedAgain'
}

/** Gives back a job that failed, to be tried again later, or as dead after its last attempt. */
export async function postpone(
  engine: JobEngine,
  job: ClaimedJob,
  {
    error,
    maxAttempts,
    startedAt,
  }: { readonly error: unknown; readonly maxAttempts: number; readonly startedAt: Instant },
): Promise<void> {
  const { world, database } = engine
  const message = messageOf(error)
  // What overran its time would hold others up again.
  const isOverrun = world.now() - startedAt > longestRunMs
  const isLast = job.attempts >= maxAttempts
  // Where what is due has its turn it is begun again in it, for a later one would be another request's.
  const isOfTurn = scheduleOf(world).hasTurns && isUnavailable(error)
  const isUncounted = isOfTurn || (isLast && error instanceof TriedAgain)
  const dead = (isLast && !isUncounted) || isLost(job, maxAttempts) || isOverrun
  const told = { jobId: job.id, kind: job.kind, attempts: job.attempts, dead, error: message }
  world.log.warn(told, 'job failed')
  await database.system((connection) =>
    connection.query(postponeJob, [
      job.platformId,
      job.environment,
      job.id,
      job.claim,
      toTimestamp(world.now() + (isOfTurn ? 0 : retryDelayMs(engine, job.attempts))),
      message.slice(0, 1024),
      dead ? toTimestamp(world.now()) : null,
      world.uuid(),
      isUncounted && !dead,
    ]),
  )
}

/** Whether its attempts ended with the process that made them, so often that there are no more. */
export function isLost({ attempts, outcomes }: ClaimedJob, maxAttempts: number): boolean {
  return attempts > maxAttempts || attempts - 1 - outcomes >= maxLostAttempts
}

/** Doubles from 1 s to 30 min, with a jitter of a fifth so that failures do not march in step. */
function retryDelayMs(engine: JobEngine, attempts: number): number {
  const base = Math.min(1_800_000, 1_000 * 2 ** Math.min(attempts - 1, 11))
  const jitter = engine.world.randomBytes(1)[0]! / 255
  return Math.floor(base * (0.8 + 0.4 * jitter))
}
