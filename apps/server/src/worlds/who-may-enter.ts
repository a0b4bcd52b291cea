import { createDatabase, type Database } from '@corridor/engine/mechanisms/db/database.ts'
import { type Driver, statement } from '@corridor/engine/mechanisms/db/driver.ts'

/**
 * Operators, the key of the installation and the sessions of the console belong to the people who run it, and not to the world
 * that they look at: a restore brings back what happened there, and nobody who has left, signed out or used a link up. No API
 * token comes back that was revoked since, and those that the copy has are limited, and have the secret, as it was said last.
 */
export interface WhoMayEnter {
  /** Of the main world, where the copy is of that, as they are there now. Of a fork versions would tell nothing. */
  readonly tokens: string
  /** Of the world that asks: what is revoked there. */
  readonly revokingTokens?: string
  readonly operators: string
  readonly sessions: string
  readonly operatorKey: string
}

const read = statement(
  'worlds.whoMayEnter',
  `select (select coalesce(json_agg(t), '[]') from tokens t)::text as tokens,
     (select coalesce(json_agg(o), '[]') from operators o)::text as operators,
     (select coalesce(json_agg(s), '[]') from console_sessions s)::text as sessions,
     (select sealed_part from installation_keys where id = 'operator') as "operatorKey"`,
)
const given = 'json_populate_recordset(null::tokens, $1::json)'
const isSame = '(t.platform_id, t.environment, t.id) = (n.platform_id, n.environment, n.id)'
const steps = [
  // Revoked stays revoked, wherever it was; of the rest counts what was changed last.
  [
    `update tokens t set (version, name, secret_hash, permissions, updated_at, deleted_at, expires_at, last_used_at, allowed_addresses,
       areas, former_secret_hash, former_secret_until)
     = (greatest(t.version, n.version), n.name, n.secret_hash, n.permissions, n.updated_at, coalesce(t.deleted_at, n.deleted_at), n.expires_at,
       n.last_used_at, n.allowed_addresses, n.areas, n.former_secret_hash, n.former_secret_until)
     from ${given} n
     where ${isSame} and (n.version > t.version or n.deleted_at is not null)`,
    'tokens',
  ],
  [
    `update tokens t set deleted_at = n.deleted_at from ${given} n
     where ${isSame} and n.deleted_at is not null and t.deleted_at is null`,
    'revokingTokens',
  ],
  // A later copy may know it still.
  [
    `insert into tokens select * from ${given} n where n.deleted_at is not null on conflict do nothing`,
    'tokens',
  ],
  ['delete from console_sessions', undefined],
  ['delete from operators', undefined],
  ['insert into operators select * from json_populate_recordset(null::operators, $1::json)', 'operators'],
  [
    'insert into console_sessions select * from json_populate_recordset(null::console_sessions, $1::json)',
    'sessions',
  ],
  ["update installation_keys set sealed_part = $1 where id = 'operator'", 'operatorKey'],
] as const
const statements = steps.map(([text, of], index) => [statement(`worlds.letIn${index}`, text), of] as const)

export async function whoMayEnter(database: Database): Promise<WhoMayEnter> {
  const [found] = await database.maintenance((connection) => connection.query<WhoMayEnter>(read))
  return found!
}

/** Into a copy that nobody is served from yet: what is written half is thrown away with it. */
export async function letIn(driver: Driver, who: WhoMayEnter): Promise<void> {
  await createDatabase(driver).maintenance(async (connection) => {
    for (const [each, of] of statements) await connection.query(each, of ? [who[of] ?? '[]'] : [])
  })
}
