import type { Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { environmentOperator } from '../../mechanisms/http/authenticate.ts'
import { defineList } from '../../mechanisms/lists/list.ts'
import { type Environment, installationBook, type Scope } from '../../vocabulary/scope.ts'

export interface SessionRow {
  readonly id: string
  readonly version: bigint
  readonly subject: string
  readonly platformId: string | null
  readonly environment: Environment | null
  readonly seenAt: Instant
  readonly createdAt: Instant
  readonly endedAt: Instant | null
}

const columns = `id, version, subject, of_platform_id as "platformId", of_environment as environment, seen_at as "seenAt",
  created_at as "createdAt", ended_at as "endedAt"`

const load = statement(
  'console.load',
  `select ${columns} from console_sessions where platform_id = $1 and environment = $2 and id = $3`,
)
const keyOfEnvironment = statement(
  'console.keyOfEnvironment',
  "select sealed_part as hash from installation_keys where id = 'operator'",
)
const keyOfOperator = statement(
  'console.keyOfOperator',
  `select key_hash as hash from operators where platform_id = $1 and environment = $2 and id = $3
     and ended_at is null`,
)
const secretOfToken = statement(
  'console.secretOfToken',
  `select secret_hash as hash from tokens where platform_id = $1 and environment = $2 and id = $3
     and deleted_at is null`,
)
const nameOfPlatform = statement('console.nameOfPlatform', 'select name from platforms where id = $1')

export const sessionList = defineList<SessionRow>()({
  name: 'console.sessions',
  table: 'console_sessions',
  columns,
  filters: {},
})

export async function loadSession(database: Database, id: string): Promise<SessionRow | undefined> {
  const { platformId, environment } = installationBook
  const [row] = await database.read<SessionRow>(installationBook, load, [platformId, environment, id])
  return row
}

/** The hash of the secret that whoever acts has now; null for who has none any more, and for a key of the environment that is nowhere written down. */
export async function loadCredentialHash(
  database: Database,
  { platformId, environment, actor }: Scope,
): Promise<string | null> {
  const [row] = await database.system((connection) => {
    if (actor.id === environmentOperator.id) return connection.query<{ hash: string }>(keyOfEnvironment)
    const isOperator = platformId === installationBook.platformId
    const parameters = [platformId, environment, actor.id]
    return connection.query<{ hash: string }>(isOperator ? keyOfOperator : secretOfToken, parameters)
  })
  return row?.hash ?? null
}

export async function loadPlatformName(database: Database, platformId: string): Promise<string | undefined> {
  const [row] = await database.system((connection) =>
    connection.query<{ name: string }>(nameOfPlatform, [platformId]),
  )
  return row?.name
}
