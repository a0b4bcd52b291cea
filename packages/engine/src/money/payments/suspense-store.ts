import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'
import type { SuspenseItem } from './suspense.ts'

const columns = `id, version, kind, status, internal_account_id as "internalAccountId", currency,
  amount as "amountMinor", deposit`

const load = statement(
  'suspense.load',
  `select ${columns} from suspense_items where platform_id = $1 and environment = $2 and id = $3`,
)

export async function loadSuspenseItem(
  database: Database,
  book: Book,
  id: string,
): Promise<SuspenseItem | undefined> {
  const [item] = await database.read<SuspenseItem>(book, load, [book.platformId, book.environment, id])
  return item
}

const waitingFor = statement(
  'suspense.waitingFor',
  `select ${columns} from suspense_items
   where platform_id = $1 and environment = $2 and internal_account_id = $3 and status = 'WAITING'
     and kind = any($4::text[])
   order by created_at, id limit 2`,
)

/** The longest waiting of these kinds for an account, and the next if there is one. */
export async function loadWaiting(
  database: Database,
  book: Book,
  internalAccountId: string,
  kinds: readonly SuspenseItem['kind'][],
): Promise<SuspenseItem[]> {
  const parameters = [book.platformId, book.environment, internalAccountId, kinds]
  return database.read<SuspenseItem>(book, waitingFor, parameters)
}

/** By way of the books, because the key of a transaction starts with its book. */
const bookOf = statement(
  'transactions.bookOf',
  `select b.platform_id as "platformId", b.environment from books b
   join transactions t on t.platform_id = b.platform_id and t.environment = b.environment and t.id = $1`,
)

/** In which book a transaction is: the operator names it by its id alone. */
export async function findBookOfTransaction(database: Database, id: string): Promise<Book | undefined> {
  type Row = { platformId: string; environment: Environment }
  const [row] = await database.system((connection) => connection.query<Row>(bookOf, [id]))
  return row
}
