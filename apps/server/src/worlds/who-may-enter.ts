import { createDatabase, type Database } from '@corridor/engine/mechanisms/db/database.ts'
import { type Driver, statement } from '@corridor/engine/mechanisms/db/driver.ts'

/**
 * Operators, the key of the installation and the sessions of the console belong to the people who run it, and not to the world
 * that they look at: a restore brings back what happened there, and nobody who has left, signed out or used a link up.
 */
export interface WhoMayEnter {
  readonly operators: string
  readonly sessions: string
  readonly operatorKey: string
}

const read = statement(
  'worlds.whoMayEnter',
  `select (select coalesce(json_agg(o), '[]') from operators o)::text as operators,
     (select coalesce(json_agg(s), '[]') from console_sessions s)::text as sessions,
     (select sealed_part from installation_keys where id = 'operator') as "operatorKey"`,
)
const steps = [
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
    for (const [each, of] of statements) await connection.query(each, of ? [who[of]] : [])
  })
}
