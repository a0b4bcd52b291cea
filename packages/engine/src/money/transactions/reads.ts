import { failed, type Instant, lowerAscii, ok, type Result, toTimestamp } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { platformOwner } from '../../platform/internal-accounts/index.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import {
  dueOnWire,
  loadDue,
  loadTransaction,
  renderTransaction,
  type Transaction,
} from '../payments/index.ts'
import { endAllUnauthorized, endUnauthorizedTransaction, loadReservedTransaction } from '../quotes/index.ts'
import type { listTransactions } from './contract.ts'
import {
  type HistoryEntry,
  loadDueOf,
  loadPurchase,
  readHistory,
  renderEntry,
  renderListed,
} from './history.ts'

/** A page of what moved money (accounts 10.3): for whoever asks, of whom the scope lets him see. */
export async function readTransactions(
  engine: Engine,
  scope: Scope,
  query: Call<typeof listTransactions>['query'],
): Promise<Result<Reply, Failure>> {
  const { limit, cursor, sortOrder, ...asked } = query
  const own = `PlatformConfig:${scope.platformId}`
  const filters = {
    ...asked,
    customerId: asked.customerId?.map((id) => (id === own ? platformOwner : id)),
    accountIdentifier: asked.accountIdentifier?.map(stored),
    senderAccountIdentifier: asked.senderAccountIdentifier?.map(stored),
    receiverAccountIdentifier: asked.receiverAccountIdentifier?.map(stored),
  }
  const page = readPage(engine.keys, scope, 'transactions', query, filters)
  if (!page.ok) return page
  await endAllUnauthorized(engine, scope)
  const { isStuck, ...plain } = filters
  const meant = { ...plain, stuckAt: isStuck ? toTimestamp(scope.now) : undefined }
  const { rows, totalCount } = await readHistory(engine, scope, meant, page.value)
  const due = await loadDueOf(engine, scope, rows)
  const render = (entry: HistoryEntry) => renderListed(scope, entry, due.get(entry.id))
  const body = toPage(engine.keys, scope, 'transactions', page.value, filters, rows, totalCount, render)
  return ok({ status: 200, body })
}

/** TRANSACTION_NOT_FOUND, or the transaction, of a card or reserved by a quote as well. */
export async function readTransaction(
  engine: Engine,
  scope: Scope,
  id: string,
): Promise<Result<Reply, Failure>> {
  const purchase = await loadPurchase(engine.database, scope, id)
  if (purchase) return ok({ status: 200, body: renderEntry(scope, purchase) })
  const read = async () =>
    (await loadTransaction(engine, scope, id)) ?? (await loadReservedTransaction(engine, scope, id))
  let transaction = await read()
  if (transaction && isUnauthorizedAt(transaction, scope.now)) {
    await endUnauthorizedTransaction(engine, scope, id)
    transaction = await read()
  }
  if (!transaction) return failed(fail('TRANSACTION_NOT_FOUND', { resourceType: 'Transaction', id }))
  const due = await loadDue(engine.database, scope, [transaction])
  return ok({
    status: 200,
    body: { ...renderTransaction(scope, transaction), ...dueOnWire(due.get(transaction.id)) },
  })
}

/** Whether its customer has let the time pass: readers are not shown that it still waits (customers 13.7). */
function isUnauthorizedAt({ flow: { authorizeBy } }: Transaction, now: Instant): boolean {
  return authorizeBy !== undefined && now >= authorizeBy
}

/** UMA addresses match in upper and lower case; ids have only one spelling. */
function stored(identifier: string): string {
  return identifier.startsWith('$') ? lowerAscii(identifier) : identifier
}
