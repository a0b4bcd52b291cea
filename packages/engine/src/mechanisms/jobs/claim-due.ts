import { type Instant, toTimestamp } from '@corridor/kernel'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { type Slots, slotLimits } from './slots.ts'

/** What a claim of due jobs needs to know. */
export interface DueClaim {
  readonly now: Instant
  readonly leaseEnd: Instant
  /** The token of this claim. */
  readonly claim: string
  /** Books whose jobs belong to somebody else for the moment. */
  readonly exceptBooks: readonly string[]
}

/** At a time: a claim is one transaction, and what it takes starts at once. */
const claimLimit = 50
/** How many of the oldest are looked at. */
const windowSize = 200

/** The job that whoever moves the clock of a book holds meanwhile (holds.ts). */
export const holdKind = 'clock.move'
export const holdKey = 'clock'

/** SQL: whether the book of a row is held at a moment. */
export const heldBook = (row: string, now: string) =>
  `exists (select from jobs held where held.key = '${holdKey}' and held.platform_id = ${row}.platform_id
     and held.environment = ${row}.environment and held.kind = '${holdKind}' and held.dead_at is null
     and held.due_at > ${now})`

const slotOf = (row: string) => `${row}.platform_id::text || '/' || ${row}.environment || ' ' || ${row}.kind`
const isExcepted = (row: string) => `${row}.platform_id::text || '/' || ${row}.environment = any($4::text[])`
/** What is left in a slot: as said, or all of it, or one where the kind is used up. */
const roomOf = (row: string) =>
  `coalesce(t.room, case when ${row}.kind = any($8::text[]) then 1 else ${slotLimits.perSlot} end)`
const taken = 'unnest($6::text[], $7::int[]) t(slot, room)'

/** While a job runs its due time is the end of its lease, so a job of a dead process comes back by itself. */
const claim = (
  returning: string,
) => `update jobs j set attempts = j.attempts + 1, due_at = $2, claim = $5 from due
   where j.platform_id = due.platform_id and j.environment = due.environment and j.id = due.id ${returning}`

/**
 * Materialized, or the planner may run the inner statement once per row of the outer one, and each run
 * would lock a further `limit` of rows.
 */
const claimOldest = (returning: string) => `with held as materialized (
     select platform_id, environment from jobs
     where key = '${holdKey}' and kind = '${holdKind}' and dead_at is null and due_at > $1
   ), oldest as materialized (
     select platform_id, environment, id, kind, due_at from jobs j
     where dead_at is null and due_at <= $1 and not (${isExcepted('j')})
       and (platform_id, environment) not in (select platform_id, environment from held)
     order by due_at limit ${windowSize}
   ), ranked as materialized (
     select o.*, ${roomOf('o')} as room,
       row_number() over (partition by o.platform_id, o.environment, o.kind order by o.due_at, o.id) as place
     from oldest o left join ${taken} on t.slot = ${slotOf('o')}
   ), due as materialized (
     select j.platform_id, j.environment, j.id from ranked r
     join jobs j on j.platform_id = r.platform_id and j.environment = r.environment and j.id = r.id
     where r.place <= r.room and j.dead_at is null and j.due_at <= $1
     order by r.due_at limit $3 for update of j skip locked
   )
   ${claim(returning)}`

/** Jumps from slot to slot along the index, however much waits in each. */
const claimBySlot = (returning: string) => `with recursive slots as (
     (select platform_id, environment, kind from jobs where dead_at is null
      order by platform_id, environment, kind limit 1)
     union all
     select next.* from slots s cross join lateral (
       select platform_id, environment, kind from jobs
       where dead_at is null and (platform_id, environment, kind) > (s.platform_id, s.environment, s.kind)
       order by platform_id, environment, kind limit 1) next
   ), due as materialized (
     select found.* from slots s left join ${taken} on t.slot = ${slotOf('s')}
     cross join lateral (
       select platform_id, environment, id from jobs
       where dead_at is null and due_at <= $1 and platform_id = s.platform_id
         and environment = s.environment and kind = s.kind
       order by due_at limit ${roomOf('s')} for update skip locked) found
     where not (${isExcepted('s')}) and not ${heldBook('s', '$1')} and ${roomOf('s')} > 0 limit $3
   )
   ${claim(returning)}`

/**
 * Claims what is due and has room, the oldest first. Where all of the oldest wait for a place in slots that
 * are full, the others are looked for slot by slot.
 */
export function createDueClaim<J>(returning: string) {
  const oldest = statement('jobs.claimDue', claimOldest(returning))
  const bySlot = statement('jobs.claimBySlot', claimBySlot(returning))
  return async (database: Database, slots: Slots, due: DueClaim): Promise<J[]> => {
    const limit = Math.min(claimLimit, slots.room())
    if (limit === 0) return []
    const { slots: names, rooms, fullKinds } = slots.taken()
    const parameters = [
      toTimestamp(due.now),
      toTimestamp(due.leaseEnd),
      limit,
      due.exceptBooks,
      due.claim,
      names,
      rooms,
      fullKinds,
    ]
    return database.system(async (connection) => {
      const found = await connection.query<J>(oldest, parameters)
      if (found.length > 0 || !rooms.includes(0)) return found
      return connection.query<J>(bySlot, parameters)
    })
  }
}
