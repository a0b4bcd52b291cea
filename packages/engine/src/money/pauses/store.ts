import { type Id, type Instant, toTimestamp } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import { defineList, equals } from '../../mechanisms/lists/list.ts'
import type { Position } from '../../mechanisms/lists/pages.ts'
import type { PauseReason } from '../../vocabulary/pause-reason.ts'
import { type Environment, installationBook } from '../../vocabulary/scope.ts'
import { askingKind, stepKind } from '../payments/index.ts'

/** Pauses belong to the installation: their rows stand in the book that no platform has. */
const { platformId, environment } = installationBook

export interface PauseRow {
  readonly id: Id<'Pause'>
  readonly version: bigint
  readonly status: 'IN_FORCE' | 'LIFTED'
  readonly ofEnvironment: Environment
  readonly ofPlatformId: string | null
  readonly ofRail: string | null
  readonly reasonCode: PauseReason
  readonly reason: string
  readonly pausedBy: string
  readonly liftedBy: string | null
  readonly liftedAt: Instant | null
  readonly liftReason: string | null
  readonly createdAt: Instant
}

export const sealedPauseReasons: SealedColumn = { table: 'payout_pauses', column: 'reason', row: 'id' }
export const sealedLiftReasons: SealedColumn = {
  table: 'payout_pauses',
  column: 'lift_reason',
  row: 'id',
  where: 'lift_reason is not null',
}

const columns = `id, version, status, of_environment as "ofEnvironment", of_platform_id as "ofPlatformId",
  of_rail as "ofRail", reason_code as "reasonCode", reason, paused_by as "pausedBy", lifted_by as "liftedBy",
  lifted_at as "liftedAt", lift_reason as "liftReason", created_at as "createdAt"`

const load = statement(
  'pauses.load',
  `select ${columns} from payout_pauses where platform_id = $1 and environment = $2 and id = $3`,
)
const findSame = statement(
  'pauses.findSame',
  `select id from payout_pauses where platform_id = $1 and environment = $2 and status = 'IN_FORCE'
     and of_environment = $3 and of_platform_id is not distinct from $4::uuid and of_rail is not distinct from $5`,
)
const findPlatform = statement(
  'pauses.findPlatform',
  'select 1 as found from books where platform_id = $1 and environment = $2',
)

export async function loadPause(database: Database, id: string): Promise<PauseRow | undefined> {
  const [row] = await database.read<PauseRow>(installationBook, load, [platformId, environment, id])
  return row
}

type Target = Pick<PauseRow, 'ofEnvironment' | 'ofPlatformId' | 'ofRail'>

/** The pause of exactly this that is in force. */
export async function findSamePause(
  database: Database,
  { ofEnvironment, ofPlatformId, ofRail }: Target,
): Promise<string | undefined> {
  const parameters = [platformId, environment, ofEnvironment, ofPlatformId, ofRail]
  const [row] = await database.read<{ id: string }>(installationBook, findSame, parameters)
  return row?.id
}

export async function isPlatform(database: Database, id: string, of: Environment): Promise<boolean> {
  const found = await database.system((connection) => connection.query(findPlatform, [id, of]))
  return found.length > 0
}

export const pauseList = defineList<PauseRow>()({
  name: 'pauses.list',
  table: 'payout_pauses',
  columns,
  filters: { status: equals('status') },
})

const countHeld = statement(
  'pauses.countHeld',
  `select pause_id as "pauseId", count(*) as held
   from unnest($1::text[]) p(pause_id) cross join lateral (
     select 1 from held_payouts h where h.pause_id = p.pause_id limit 10000) h
   group by pause_id`,
)

/** How many payments wait because of each of these pauses; none are not in it. */
export async function countHeldBy(database: Database, ids: readonly string[]): Promise<Map<string, number>> {
  type Row = { pauseId: string; held: bigint }
  const rows = await database.system((connection) => connection.query<Row>(countHeld, [ids]))
  return new Map(rows.map(({ pauseId, held }) => [pauseId, Number(held)]))
}

/** A payment that waits at a pause; created: when it came to wait. */
export interface HeldRow extends Position {
  readonly id: Id<'Transaction'>
  readonly platformId: string
  readonly environment: Environment
  readonly rail: string
}

const held = (
  after: string,
) => `select id, platform_id as "platformId", environment, rail, held_at as "createdAt"
   from held_payouts where pause_id = $1 ${after} order by held_at, id limit $2`
const listHeld = statement('pauses.held', held(''))
const listHeldAfter = statement('pauses.heldAfter', held('and (held_at, id) > ($3::timestamptz, $4)'))

/** Up to `limit` payments of any platform that wait because of a pause, those that have waited longest first. */
export function listHeldBy(
  database: Database,
  pauseId: string,
  limit: number,
  after: Position | null,
): Promise<HeldRow[]> {
  const from = after ? [toTimestamp(after.createdAt), after.id] : []
  return database.system((connection) =>
    connection.query<HeldRow>(after ? listHeldAfter : listHeld, [pauseId, limit, ...from]),
  )
}

/** A claim of the job that hands a payment over, or that stands for an operator's question that does. */
export interface HandOver {
  readonly id: string
  readonly claim: string
}

/**
 * The payment of a claimed job stands where it did when the job was claimed until the outcome is written together with the
 * end of the claim. So a hand-over that began is among these for as long as nobody knows what has become of it. Another
 * institution is handed a payment by being asked for its proof, which is where others are only looked up.
 */
const handOvers = statement(
  'pauses.handOvers',
  // Materialized, so that payments are found by an id that stands there, and not by one that is taken out of a payload.
  `with claimed as materialized (
     select id, claim, platform_id, environment, payload ->> 'transactionId' as transaction_id from jobs
     where kind = any($1::text[]) and environment = $2 and ($3::uuid is null or platform_id = $3)
       and claim is not null and dead_at is null
   )
   select j.id, j.claim from claimed j join transactions t
     on t.platform_id = j.platform_id and t.environment = j.environment and t.id = j.transaction_id
   where (t.flow ->> 'stage' = 'SUBMIT_PAYOUT'
       or t.flow ->> 'stage' = 'POLL_PAYOUT' and t.flow -> 'delivery' ->> 'kind' = 'UMA'
         and t.flow -> 'delivery' ? 'peer' and not t.flow -> 'delivery' -> 'peer' ? 'lightning')
     and ($4::text is null or t.flow -> 'delivery' ->> 'rail' = $4
       or $4 = 'LIGHTNING' and t.flow -> 'delivery' -> 'peer' ? 'lightning')`,
)

/** Of what this pause is about: all that may be under way now, by whatever process. */
export function listHandOvers(
  database: Database,
  { ofEnvironment, ofPlatformId, ofRail }: Target,
): Promise<HandOver[]> {
  const parameters = [[stepKind, askingKind], ofEnvironment, ofPlatformId, ofRail]
  return database.system((connection) => connection.query<HandOver>(handOvers, parameters))
}
