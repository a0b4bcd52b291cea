import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'
import type { SuspenseItem } from '../payments/index.ts'

const listed = statement(
  'suspense.list',
  `select id, version, kind, status, internal_account_id as "internalAccountId", currency,
     amount as "amountMinor", deposit, created_at as "createdAt", decided_at as "decidedAt",
     decided_by as "decidedBy", decided_reason as "decidedReason"
   from suspense_items
   where platform_id = $1 and environment = $2 and ($3::text is null or status = $3)
     and ($4::text is null or id = $4)
   order by created_at desc, id desc limit $5`,
)

export interface SuspenseRow extends SuspenseItem {
  readonly createdAt: number
  readonly decidedAt: number | null
  readonly decidedBy: string | null
  readonly decidedReason: string | null
}

export const listLimit = 1_000

export async function listSuspenseItems(
  database: Database,
  book: Book,
  { status = null, id = null }: { readonly status?: string | null; readonly id?: string | null },
): Promise<SuspenseRow[]> {
  const parameters = [book.platformId, book.environment, status, id, listLimit]
  return database.read<SuspenseRow>(book, listed, parameters)
}

/** By way of the books, because the key of an item starts with its book. */
const bookOf = statement(
  'suspense.bookOf',
  `select b.platform_id as "platformId", b.environment from books b
   join suspense_items s on s.platform_id = b.platform_id and s.environment = b.environment and s.id = $1`,
)

/** In which book an item is: the operator names it by its id alone. */
export async function findBookOfItem(database: Database, id: string): Promise<Book | undefined> {
  type Row = { platformId: string; environment: Environment }
  const [row] = await database.system((connection) => connection.query<Row>(bookOf, [id]))
  return row
}
