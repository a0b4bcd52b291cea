import type { Count } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { type Connection, statement } from './driver.ts'

/** What a batch adds to a counter that it has not read. */
export interface Counted {
  readonly addMinor: bigint
  /** What the counter may stand at for that, at the most; undefined without a limit. */
  readonly atMostMinor: bigint | undefined
}

/** Counts on, taking the limit for kept: it is, if the counter stands at `atMostMinor` or below. */
export function countOn(before: Counted | undefined, { addMinor, limitMinor }: Count): Counted {
  const total = (before?.addMinor ?? 0n) + addMinor
  const room = limitMinor === undefined ? undefined : limitMinor - total
  const atMost = before?.atMostMinor
  const atMostMinor = atMost === undefined || (room !== undefined && room < atMost) ? room : atMost
  return { addMinor: total, atMostMinor }
}

const addToCounters = statement(
  'add to volume_counters',
  `merge into volume_counters c
   using unnest($3::text[], $4::text[]::bigint[], $5::text[]::bigint[]) v(id, added, at_most)
   on c.platform_id = $1 and c.environment = $2 and c.id = v.id
   when matched and c.used > v.at_most then update set used = corridor_uncovered(c.used)
   when matched then update set used = c.used + v.added
   when not matched then insert (platform_id, environment, id, used)
     values ($1, $2, v.id, case when v.at_most < 0 then corridor_uncovered(v.added) else v.added end)`,
)
const openCounters = statement(
  'open volume_counters',
  `insert into volume_counters (platform_id, environment, id, used)
   select $1, $2, id, 0 from unnest($3::text[]) id order by id on conflict do nothing`,
)
const lockVolumeCounters = statement(
  'lock volume_counters',
  `select id, used from volume_counters
   where platform_id = $1 and environment = $2 and id = any($3::text[]) order by id collate "C" for update`,
)
const saveCounters = statement(
  'save volume_counters',
  `update volume_counters c set used = v.used
   from unnest($3::text[], $4::text[]::bigint[]) v(id, used)
   where c.platform_id = $1 and c.environment = $2 and c.id = any($3::text[]) and c.id = v.id`,
)

/** What the counters stand at, opened where they are new, so that there is a row to lock. */
export async function lockCounters(
  connection: Connection,
  { platformId, environment }: Book,
  counters: readonly string[],
): Promise<Map<string, bigint>> {
  const ids = [...new Set(counters)].sort()
  if (ids.length === 0) return new Map()
  const parameters = [platformId, environment, ids]
  let found = await connection.query<{ id: string; used: bigint }>(lockVolumeCounters, parameters)
  if (found.length < ids.length) {
    await connection.query(openCounters, parameters)
    found = await connection.query<{ id: string; used: bigint }>(lockVolumeCounters, parameters)
  }
  return new Map(found.map(({ id, used }) => [id, used]))
}

/** Writes what locked counters stand at now. */
export function writeCounters(
  connection: Connection,
  { platformId, environment }: Book,
  counters: ReadonlyMap<string, bigint>,
): Promise<unknown> {
  return connection.query(saveCounters, [
    platformId,
    environment,
    [...counters.keys()],
    [...counters.values()].map(String),
  ])
}

/** Adds to counters that nobody has read; fails as uncovered when one stands higher than it may. */
export function addCounted(
  connection: Connection,
  { platformId, environment }: Book,
  counted: ReadonlyMap<string, Counted>,
): Promise<unknown> {
  const ids = [...counted.keys()].sort()
  return connection.query(addToCounters, [
    platformId,
    environment,
    ids,
    ids.map((id) => counted.get(id)!.addMinor.toString()),
    ids.map((id) => counted.get(id)!.atMostMinor?.toString() ?? null),
  ])
}
