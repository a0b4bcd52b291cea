import { failed, ok, type Result, toTimestamp, type World } from '@corridor/kernel'
import { type Failure, passingConflict } from '../../vocabulary/errors.ts'
import { type Book, bookOf } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'

export type ClaimWorld = Pick<World, 'now' | 'sleep' | 'uuid'>

const leaseMs = 30_000
/** Two failed extensions in a row do not end the lease. */
const extendEveryMs = 9_000

const take = statement(
  'idempotency.claim',
  `insert into idempotency_claims as c (platform_id, environment, id, claim, lease_end) values ($1, $2, $3, $4, $5)
   on conflict (id, platform_id, environment) do update set claim = excluded.claim, lease_end = excluded.lease_end
     where c.lease_end <= $6
   returning 1 as taken`,
)
const extend = statement(
  'idempotency.extend',
  `update idempotency_claims set lease_end = $5
   where platform_id = $1 and environment = $2 and id = $3 and claim = $4`,
)
const release = statement(
  'idempotency.release',
  `delete from idempotency_claims where platform_id = $1 and environment = $2 and id = $3 and claim = $4`,
)
export const forgetClaims = statement(
  'idempotency.forgetClaims',
  'delete from idempotency_claims where lease_end < $1',
)

/**
 * Claims a key in all processes. The returned function ends the claim. Fails with REQUEST_IN_PROGRESS if another request has
 * it. Operations that store their response apart from their effect need it: nothing else stops two processes (ADR 5).
 */
export async function claimKey(
  database: Database,
  world: ClaimWorld,
  book: Book,
  id: string,
): Promise<Result<() => Promise<void>, Failure>> {
  const own = bookOf(book)
  const claim = world.uuid()
  const named = [own.platformId, own.environment, id, claim]
  const leaseEnd = () => toTimestamp(world.now() + leaseMs)
  const taken = await database.write(own, take, [...named, leaseEnd(), toTimestamp(world.now())])
  if (taken.length === 0) return failed(passingConflict('REQUEST_IN_PROGRESS'))
  const over = new AbortController()
  const keep = async () => {
    for (;;) {
      await world.sleep(extendEveryMs, over.signal)
      if (over.signal.aborted) return
      // The next extension makes up for one that fails.
      await database.write(own, extend, [...named, leaseEnd()]).catch(() => {})
    }
  }
  const kept = keep()
  return ok(async () => {
    over.abort()
    await kept
    // If this fails, the lease ends the claim.
    await database.write(own, release, named).catch(() => {})
  })
}
