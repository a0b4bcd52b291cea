import { batchedLoad } from '../../mechanisms/db/batched-loads.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import {
  type ListedWords,
  listedWords,
  type StoredWords,
  storedWordsOf,
  withKeys,
} from '../../mechanisms/keys/words.ts'
import { contains, defineList, equals, timeConditions } from '../../mechanisms/lists/list.ts'
import type { PageRequest } from '../../mechanisms/lists/pages.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { stuckAt } from './late.ts'
import type { ShownTransaction, Transaction } from './transaction.ts'
import { withWords } from './words.ts'

/** What opens a transaction, besides the database that holds it. */
type Vault = Pick<Engine, 'database' | 'keys'>

/** What decides the next step is the larger half of a row, and no reader is shown any of it. */
const shown = `id, status, type, direction, owner_id as "ownerId",
  platform_customer_id as "platformCustomerId", quote_id as "quoteId", sent_amount as "sentMinor",
  sent_currency as "sentCurrency", received_amount as "receivedMinor", received_currency as "receivedCurrency",
  source, destination, reference, refund_reference as "refundReference", failure_reason as "failureReason",
  refund, rail, details, created_at as "createdAt", updated_at as "updatedAt", settled_at as "settledAt"`

/** The flow is read only where money goes back. */
const shownFlow = `case when refund is not null then jsonb_build_object('kind', flow -> 'kind',
    'refunded', flow -> 'refunded', 'paidIn', flow -> 'paidIn', 'setOffMinor', flow -> 'setOffMinor') end as flow`

const columns = `${shown}, version, flow, ${storedWordsOf('transactions')}`

const load = statement(
  'transactions.load',
  `select ${columns} from transactions where platform_id = $1 and environment = $2 and id = any($3::text[])`,
)
const loadRows = batchedLoad<Transaction & StoredWords>(load)

export async function loadTransactions(
  { database, keys }: Vault,
  book: Book,
  ids: readonly string[],
): Promise<Transaction[]> {
  const rows = await loadRows(database, book, ids)
  return rows.map((row) => withWords(keys, book, row))
}

export async function loadTransaction(
  vault: Vault,
  book: Book,
  id: string,
): Promise<Transaction | undefined> {
  const [transaction] = await loadTransactions(vault, book, [id])
  return transaction
}

type ListedRow = ShownTransaction & ListedWords

/** Newest first; the filters are those of accounts 10.3. */
const transactionRows = defineList<ListedRow>()({
  name: 'transactions.list',
  table: 'transactions',
  columns: `${shown}, ${shownFlow}, ${listedWords}`,
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
    sentCurrency: equals('sent_currency'),
    receivedCurrency: equals('received_currency'),
    minAmount: 'coalesce(sent_amount, received_amount) >= ?::bigint',
    maxAmount: 'coalesce(sent_amount, received_amount) <= ?::bigint',
    paymentRail: equals('rail'),
    failureReason: equals('failure_reason'),
    stuckAt,
    startDate: timeConditions.createdAfter,
    endDate: timeConditions.createdBefore,
    updatedAfter: timeConditions.updatedAfter,
    updatedBefore: timeConditions.updatedBefore,
  },
  kept: [{ filters: {}, total: { list: 'transactions', parts: [''] } }],
})

/** A page of `transactionRows`, with the keys of all its words read at once. */
export async function readTransactionList(
  { database, keys }: Vault,
  book: Book,
  filters: Parameters<typeof transactionRows.read>[2],
  page: PageRequest,
): Promise<{ rows: ShownTransaction[]; totalCount: number }> {
  const { rows, totalCount } = await transactionRows.read(database, book, filters, page)
  const withTheirs = await withKeys(database, book, rows)
  return { rows: withTheirs.map((row) => withWords(keys, book, row)), totalCount }
}
