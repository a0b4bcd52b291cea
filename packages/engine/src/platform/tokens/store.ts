import { type Id, type Instant, toTimestamp } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { defineList, equals, timeConditions } from '../../mechanisms/lists/list.ts'
import type { Area } from '../../vocabulary/areas.ts'
import type { Permission } from '../../vocabulary/operation.ts'
import type { Book } from '../../vocabulary/scope.ts'

export interface Token {
  readonly id: Id<'Token'>
  readonly version: bigint
  readonly name: string
  readonly clientId: string
  readonly permissions: readonly Permission[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly secretHash: string
  readonly expiresAt: Instant | null
  readonly lastUsedAt: Instant | null
  readonly allowedAddresses: readonly string[] | null
  readonly areas: readonly Area[] | null
  readonly overlapEndsAt: Instant | null
}

const columns = `id, version, name, client_id as "clientId", permissions, created_at as "createdAt",
  updated_at as "updatedAt", secret_hash as "secretHash", expires_at as "expiresAt",
  last_used_at as "lastUsedAt", allowed_addresses as "allowedAddresses", areas,
  former_secret_until as "overlapEndsAt"`

const load = statement(
  'tokens.load',
  `select ${columns} from tokens
   where platform_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
)

export async function loadToken(database: Database, book: Book, id: string): Promise<Token | undefined> {
  const [token] = await database.read<Token>(book, load, [book.platformId, book.environment, id])
  return token
}

const otherManaging = statement(
  'tokens.otherManaging',
  `select l.id, l.version from tokens t
   join tokens l on l.platform_id = $1 and l.environment = $2 and l.deleted_at is null and l.id <> t.id
     and 'MANAGE' = any(l.permissions) and (l.areas is null or 'TOKENS' = any(l.areas))
     and (l.expires_at is null or (l.expires_at > $4 and l.expires_at >= t.expires_at))
     and (l.allowed_addresses is null or t.allowed_addresses is not null)
   where t.platform_id = $1 and t.environment = $2 and t.id = $3
   order by l.id limit 1`,
)

/** Another token that could still manage the platform, for as long and, unless this one is held to addresses, from anywhere. */
export async function loadOtherManagingToken(
  database: Database,
  book: Book,
  { id, realNow }: { readonly id: string; readonly realNow: Instant },
): Promise<Pick<Token, 'id' | 'version'> | undefined> {
  const parameters = [book.platformId, book.environment, id, toTimestamp(realNow)]
  const [row] = await database.read<Pick<Token, 'id' | 'version'>>(book, otherManaging, parameters)
  return row
}

export const tokenList = defineList<Token>()({
  name: 'tokens.list',
  table: 'tokens',
  columns,
  where: 'deleted_at is null',
  filters: { name: equals('name'), ...timeConditions },
})
