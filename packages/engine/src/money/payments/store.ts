import { batchedLoad } from '../../mechanisms/db/batched-loads.ts'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { contains, defineList, equals } from '../../mechanisms/lists/list.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { ShownTransaction, Transaction } from './transaction.ts'

/** What decides the next step is the larger half of a row, and no reader is shown any of it. */
const shown = `id, status, type, direction, owner_id as "ownerId",
  platform_customer_id as "platformCustomerId", quote_id as "quoteId", sent_amount as "sentMinor",
  sent_currency as "sentCurrency", received_amount as "receivedMinor", received_currency as "receivedCurrency",
  source, destination, reference, refund_reference as "refundReference", failure_reason as "failureReason",
  refund, rail, details, created_at as "createdAt", updated_at as "updatedAt", settled_at as "settledAt"`

const columns = `${shown}, version, flow`

const load = statement(
  'transactions.load',
  `select ${columns} from transactions where platform_id = $1 and environment = $2 and id = any($3::text[])`,
)
export const loadTransactions = batchedLoad<Transaction>(load)

export async function loadTransaction(
  database: Database,
  book: Book,
  id: string,
): Promise<Transaction | undefined> {
  const [transaction] = await loadTransactions(database, book, [id])
  return transaction
}

/** Newest first; the filters are those of accounts 10.3. */
export const transactionList = defineList<ShownTransaction>()({
  name: 'transactions.list',
  table: 'transactions',
  columns: shown,
  filters: {
    customerId: equals('owner_id'),
    platformCustomerId: equals('platform_customer_id'),
    status: equals('status'),
    type: equals('type'),
    accountIdentifier: contains('sender_identifiers || receiver_identifiers'),
    senderAccountIdentifier: contains('sender_identifiers'),
    receiverAccountIdentifier: contains('receiver_identifiers'),
    reference: {
      one: '? in (reference, refund_reference)',
      any: '(reference = any(?::text[]) or refund_reference = any(?::text[]))',
    },
    startDate: 'created_at >= ?::timestamptz',
    endDate: 'created_at <= ?::timestamptz',
  },
  kept: [{ filters: {}, total: { list: 'transactions', parts: [''] } }],
  remembers: true,
})
