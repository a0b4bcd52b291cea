import { isId } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { PageRequest } from '../../mechanisms/lists/pages.ts'
import { fail, failFields } from '../../vocabulary/errors.ts'
import type { Book, Scope } from '../../vocabulary/scope.ts'
import type { Transaction as TransactionWire } from '../cards/any-transaction-schemas.ts'
import {
  type CardTransactionRecord,
  cardTransactionList,
  loadCardTransaction,
  renderCardTransaction,
} from '../cards/index.ts'
import {
  type Due,
  dueOnWire,
  loadDue,
  readTransactionList,
  renderTransaction,
  type ShownTransaction,
} from '../payments/index.ts'

/** Everything that moved money for a customer, payments and cards, in one order (accounts 10.3, cards 1.6). */
export type HistoryEntry = ShownTransaction | CardTransactionRecord

type Filters = Readonly<Partial<Record<string, unknown>>> & { readonly type?: readonly string[] | undefined }

/** Filters by what no card payment has. */
const ofPayments = [
  'reference',
  'sentCurrency',
  'receivedCurrency',
  'minAmount',
  'maxAmount',
  'paymentRail',
  'failureReason',
  'stuckAt',
]

/**
 * One page of both lists merged: each is read by its own index, a page of each at the most. The total is that of
 * the first page where the list goes backwards in time, as of every list.
 */
export async function readHistory(
  engine: Pick<Engine, 'database' | 'keys'>,
  scope: Scope,
  { type, ...filters }: Filters,
  page: PageRequest,
): Promise<{ rows: HistoryEntry[]; totalCount: number }> {
  const kinds = type?.filter((kind) => kind !== 'CARD')
  const withPayments = type === undefined || kinds?.length
  const withCards =
    (type === undefined || type.includes('CARD')) && ofPayments.every((name) => filters[name] === undefined)
  const [payments, purchases] = await Promise.all([
    withPayments
      ? readTransactionList(engine, scope, { ...filters, ...(kinds ? { type: kinds } : {}) }, page)
      : undefined,
    withCards ? cardTransactionList.read(engine.database, scope, filters, page) : undefined,
  ])
  const isCarried = page.after !== null && page.sortOrder === 'desc'
  const totalCount = isCarried
    ? page.after.totalCount
    : (payments?.totalCount ?? 0) + (purchases?.totalCount ?? 0)
  const direction = page.sortOrder === 'asc' ? 1 : -1
  const rows = [...(payments?.rows ?? []), ...(purchases?.rows ?? [])]
    .sort((a, b) => direction * (a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)))
    .slice(0, page.limit + 1)
  return { rows, totalCount }
}

/** What is due of the payments among these. */
export function loadDueOf(
  { database }: Pick<Engine, 'database'>,
  scope: Scope,
  entries: readonly HistoryEntry[],
): Promise<ReadonlyMap<string, Due>> {
  return loadDue(
    database,
    scope,
    entries.flatMap((entry) => ('cardId' in entry ? [] : [entry])),
  )
}

/** An entry of a list. What is due of a payment under way changes with the clock. */
export function renderListed(scope: Scope, entry: HistoryEntry, due: Due | undefined): TransactionWire {
  const rendered = renderEntry(scope, entry)
  return due ? { ...rendered, ...dueOnWire(due) } : rendered
}

export function renderEntry(scope: Scope, entry: HistoryEntry): TransactionWire {
  return 'cardId' in entry ? renderCardTransaction(entry) : renderTransaction(scope, entry)
}

/** The card transaction with this id; whatever else is asked for by an id is no concern of cards. */
export async function loadPurchase(
  database: Database,
  book: Book,
  id: string,
): Promise<CardTransactionRecord | undefined> {
  return isId('CardTransaction', id) ? loadCardTransaction(database, book, id) : undefined
}

/** What becomes of a decision that a card transaction never awaits (cards 1.6). */
export const purchaseRefusals = {
  approval: ({ status }: CardTransactionRecord) =>
    fail('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', { status }),
  cancel: () => failFields([{ field: 'transactionId', message: 'is not a payment that can be cancelled' }]),
} as const
