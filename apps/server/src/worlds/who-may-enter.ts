import { createDatabase, type Database } from '@corridor/engine/mechanisms/db/database.ts'
import { type Driver, statement } from '@corridor/engine/mechanisms/db/driver.ts'

/**
 * What belongs to the people who run an installation, and not to the world that they look at: operators, the key of the
 * installation, sessions of the console, pauses and proposals. A restore brings back what happened there, and nobody who has
 * left, signed out or used a link up. Nor is any secret good again that was: what has ended is written down by itself
 * (migration 0133), so that it is known also where a copy has no row of what it was of.
 *
 * Each is the rows of one table, as JSON.
 */
export interface WhoMayEnter {
  /** With the secret and the limits that were said last. */
  readonly tokens: string
  /** Only of one world versions of tokens rise; of another they tell nothing. */
  readonly isOfSameWorld: boolean
  readonly ended: string
  readonly operators: string
  readonly sessions: string
  readonly pauses: string
  readonly proposals: string
  readonly operatorKey: string
}

/** What a copy takes over, and from whom. */
export interface Entry {
  readonly who: WhoMayEnter
  /** Tokens that were revoked in another world that has a say. */
  readonly revoked: string
}

const rowsOf = (table: string, where = 'true') =>
  `(select coalesce(json_agg(r), '[]') from ${table} r where ${where})::text`

const read = statement(
  'worlds.whoMayEnter',
  `select ${rowsOf('tokens')} as tokens, ${rowsOf('ended_credentials')} as ended, ${rowsOf('operators')} as operators,
     ${rowsOf('console_sessions')} as sessions, ${rowsOf('payout_pauses')} as pauses,
     ${rowsOf('operator_proposals')} as proposals,
     (select sealed_part from installation_keys where id = 'operator') as "operatorKey"`,
)
const readRevoked = statement(
  'worlds.revokedTokens',
  `select ${rowsOf('ended_credentials', "r.kind = 'TOKEN'")} as revoked`,
)

const given = (table: string) => `select * from json_populate_recordset(null::${table}, $1::json)`
const endedOf = (row: string, column: string) =>
  `exists (select from ended_credentials e
     where (e.id, e.platform_id, e.environment) = (${row}.${column}, ${row}.platform_id, ${row}.environment))`

const takeEnded = statement(
  'worlds.takeEnded',
  `insert into ended_credentials ${given('ended_credentials')} on conflict do nothing`,
)
/** A secret that has ended has a successor, where the token is known. */
const takeTokens = statement(
  'worlds.takeTokens',
  `update tokens t set (version, name, secret_hash, permissions, updated_at, expires_at, last_used_at, allowed_addresses, areas,
     former_secret_hash, former_secret_until)
   = (greatest(t.version, n.version), n.name, n.secret_hash, n.permissions, n.updated_at, n.expires_at, n.last_used_at,
     n.allowed_addresses, n.areas, n.former_secret_hash, n.former_secret_until)
   from (${given('tokens')}) n
   where (t.platform_id, t.environment, t.id) = (n.platform_id, n.environment, n.id)
     and ($2::boolean and n.version > t.version or ${endedOf('t', 'secret_hash')})`,
)
const endings = [
  `update tokens t set deleted_at = t.updated_at
   where t.deleted_at is null and (${endedOf('t', 'id')} or ${endedOf('t', 'secret_hash')})`,
  `update agents a set token_hash = null, is_connected = false where ${endedOf('a', 'token_hash')}`,
  `update agent_device_codes c set status = 'INVALIDATED' where c.status = 'LIVE' and ${endedOf('c', 'code_hash')}`,
  // What waits at a pause that nobody here made goes on as at one that was lifted.
  `delete from payout_pauses p where not exists (select from held_payouts h where h.pause_id = p.id)`,
  `update payout_pauses set status = 'LIFTED', lifted_at = coalesce(lifted_at, updated_at)`,
].map((text, index) => statement(`worlds.end${index}`, text))

const taken = (['operators', 'console_sessions', 'operator_proposals', 'payout_pauses'] as const).map(
  (table) => {
    const among = `where id in (select id from json_populate_recordset(null::${table}, $1::json))`
    return {
      table,
      clear: statement(
        `worlds.clear ${table}`,
        `delete from ${table} ${table === 'payout_pauses' ? among : 'where $1::json is not null'}`,
      ),
      take: statement(`worlds.take ${table}`, `insert into ${table} ${given(table)}`),
    }
  },
)
const takeOperatorKey = statement(
  'worlds.takeOperatorKey',
  "update installation_keys set sealed_part = $1 where id = 'operator'",
)

/** What stands in a database that is served. `isOfSameWorld`: what takes it over is a copy of an earlier time of that one. */
export async function whoMayEnter(database: Database, isOfSameWorld: boolean): Promise<WhoMayEnter> {
  const [found] = await database.maintenance((connection) => connection.query<WhoMayEnter>(read))
  return { ...found!, isOfSameWorld }
}

export async function revokedIn(database: Database): Promise<string> {
  const [found] = await database.maintenance((connection) =>
    connection.query<{ revoked: string }>(readRevoked),
  )
  return found!.revoked
}

/** Into a copy that nobody is served from yet: what is written half is thrown away with it. */
export async function letIn(driver: Driver, { who, revoked }: Entry): Promise<void> {
  const rows = {
    operators: who.operators,
    console_sessions: who.sessions,
    operator_proposals: who.proposals,
    payout_pauses: who.pauses,
  }
  await createDatabase(driver).maintenance(async (connection) => {
    for (const ended of [who.ended, revoked]) await connection.query(takeEnded, [ended])
    await connection.query(takeTokens, [who.tokens, who.isOfSameWorld])
    for (const each of endings) await connection.query(each)
    for (const { table, clear, take } of taken) {
      await connection.query(clear, [rows[table]])
      await connection.query(take, [rows[table]])
    }
    await connection.query(takeOperatorKey, [who.operatorKey])
  })
}
