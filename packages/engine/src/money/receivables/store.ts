import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { defineList, equals } from '../../mechanisms/lists/list.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'
import { type Receivable, receivableColumns } from '../payments/index.ts'

export const receivableList = defineList<Receivable>()({
  name: 'receivables.list',
  table: 'receivables',
  columns: receivableColumns,
  filters: {
    customerId: equals('owner_id'),
    status: equals('status'),
    cause: equals('cause'),
    currency: equals('currency'),
    transactionId: equals('transaction_id'),
  },
})

/** Joins the books, because the key of a receivable starts with its book. */
const bookOf = statement(
  'receivables.bookOf',
  `select b.platform_id as "platformId", b.environment from books b
   join receivables r on r.platform_id = b.platform_id and r.environment = b.environment and r.id = $1`,
)

/** Book of a receivable. The operator names only the id. */
export async function findBookOfReceivable(database: Database, id: string): Promise<Book | undefined> {
  type Row = { platformId: string; environment: Environment }
  const [row] = await database.system((connection) => connection.query<Row>(bookOf, [id]))
  return row
}
