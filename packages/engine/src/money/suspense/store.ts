import type { Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { defineList, equals } from '../../mechanisms/lists/list.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'
import type { SuspenseItem } from '../payments/index.ts'

export interface SuspenseRow extends SuspenseItem {
  readonly createdAt: Instant
  readonly decidedAt: Instant | null
  readonly decidedBy: string | null
  readonly decidedReason: string | null
}

const columns = `id, version, kind, status, internal_account_id as "internalAccountId", currency,
  amount as "amountMinor", deposit, created_at as "createdAt", decided_at as "decidedAt",
  decided_by as "decidedBy", decided_reason as "decidedReason"`

/** What is and was in suspense in one book. */
export const suspenseList = defineList<SuspenseRow>()({
  name: 'suspense.list',
  table: 'suspense_items',
  columns,
  filters: { status: equals('status') },
})

const loadRow = statement(
  'suspense.loadDecided',
  `select ${columns} from suspense_items where platform_id = $1 and environment = $2 and id = $3`,
)

export async function loadItem(database: Database, book: Book, id: string): Promise<SuspenseRow | undefined> {
  const [row] = await database.read<SuspenseRow>(book, loadRow, [book.platformId, book.environment, id])
  return row
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
