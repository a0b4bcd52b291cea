import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { Receivable } from './receivable.ts'

export const receivableColumns = `id, version, owner_id as "ownerId", currency, status, cause,
  transaction_id as "transactionId", counter_account_id as "counterAccountId", amount as "amountMinor",
  remaining as "remainingMinor", written_off as "writtenOffMinor", created_at as "createdAt", updated_at as "updatedAt", settled_at as "settledAt"`

const load = statement(
  'receivables.load',
  `select ${receivableColumns} from receivables where platform_id = $1 and environment = $2 and id = $3`,
)

export async function loadReceivable(
  database: Database,
  book: Book,
  id: string,
): Promise<Receivable | undefined> {
  const [row] = await database.read<Receivable>(book, load, [book.platformId, book.environment, id])
  return row
}

const openOf = statement(
  'receivables.openOfTransaction',
  `select ${receivableColumns} from receivables
   where platform_id = $1 and environment = $2 and transaction_id = $3 and status = 'OPEN'
   order by created_at, id`,
)

/** Open receivables of one transaction, oldest first. */
export async function loadOpenReceivables(
  database: Database,
  book: Book,
  transactionId: string,
): Promise<Receivable[]> {
  return database.read<Receivable>(book, openOf, [book.platformId, book.environment, transactionId])
}
