import type { Id, Instant } from '@corridor/kernel'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { defineList, equals, timeConditions } from '../db/list.ts'
import type { Permission } from '../http/operation.ts'
import type { Book } from '../http/scope.ts'

export interface Token {
  readonly id: Id<'Token'>
  readonly version: bigint
  readonly name: string
  readonly clientId: string
  readonly permissions: readonly Permission[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

const columns = `id, version, name, client_id as "clientId", permissions, created_at as "createdAt",
  updated_at as "updatedAt"`

const load = statement(
  'tokens.load',
  `select ${columns} from tokens
   where platform_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
)

export async function loadToken(database: Database, book: Book, id: string): Promise<Token | undefined> {
  const [token] = await database.read<Token>(book, load, [book.platformId, book.environment, id])
  return token
}

const countManaging = statement(
  'tokens.countManaging',
  `select count(*) as count from tokens
   where platform_id = $1 and environment = $2 and deleted_at is null and 'MANAGE' = any(permissions) and id <> $3`,
)

/** How many other tokens could still manage the platform. */
export async function countOtherManagingTokens(database: Database, book: Book, id: string): Promise<number> {
  const [row] = await database.read<{ count: bigint }>(book, countManaging, [
    book.platformId,
    book.environment,
    id,
  ])
  return Number(row?.count ?? 0n)
}

export const tokenList = defineList<Token>()({
  name: 'tokens.list',
  table: 'tokens',
  columns,
  where: 'deleted_at is null',
  filters: { name: equals('name'), ...timeConditions },
})
