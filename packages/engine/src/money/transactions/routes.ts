import { failed, type Instant, ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { platformOwner } from '../../platform/internal-accounts/index.ts'
import { fail } from '../../vocabulary/errors.ts'
import {
  loadTransaction,
  renderTransaction,
  resolveRefund as resolve,
  type Transaction,
} from '../payments/index.ts'
import { endAllUnauthorized, endUnauthorizedTransaction, loadReservedTransaction } from '../quotes/index.ts'
import { cancelTransaction as cancelTransactionCommand } from './cancellations.ts'
import * as commands from './commands.ts'
import {
  approvePendingPayment,
  cancelTransaction,
  confirmReceiptDelivery,
  getTransactionById,
  listTransactions,
  rejectPendingPayment,
  resolveRefund,
} from './contract.ts'
import { type HistoryEntry, loadPurchase, purchaseRefusals, readHistory, renderEntry } from './history.ts'

export const transactionRoutes = [
  route(listTransactions, async (engine, { scope, query }) => {
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
    const { rows, totalCount } = await readHistory(engine.database, scope, filters, page.value)
    const render = (entry: HistoryEntry) => renderEntry(scope, entry)
    const body = toPage(engine.keys, scope, 'transactions', page.value, filters, rows, totalCount, render)
    return ok({ status: 200, body })
  }),

  route(getTransactionById, async (engine, { scope, params }) => {
    const { transactionId: id } = params
    const purchase = await loadPurchase(engine.database, scope, id)
    if (purchase) return ok({ status: 200, body: renderEntry(scope, purchase) })
    const read = async () =>
      (await loadTransaction(engine.database, scope, id)) ??
      (await loadReservedTransaction(engine.database, scope, id))
    let transaction = await read()
    if (transaction && isUnauthorizedAt(transaction, scope.now)) {
      await endUnauthorizedTransaction(engine, scope, id)
      transaction = await read()
    }
    if (!transaction) return failed(fail('TRANSACTION_NOT_FOUND', { resourceType: 'Transaction', id }))
    return ok({ status: 200, body: renderTransaction(scope, transaction) })
  }),

  route(confirmReceiptDelivery, async (engine, { scope, params, body }) => {
    const purchase = await loadPurchase(engine.database, scope, params.transactionId)
    return purchase
      ? ok({ status: 200, body: renderEntry(scope, purchase) })
      : commands.confirmReceipt(engine, scope, params.transactionId, body?.receiptDeliveryConfirmedAt)
  }),

  route(approvePendingPayment, async (engine, { scope, params, body }) => {
    const purchase = await loadPurchase(engine.database, scope, params.transactionId)
    if (purchase) return failed(purchaseRefusals.approval(purchase))
    const receiverCustomerInfo = body?.receiverCustomerInfo
    const decision = { isApproved: true, receiverCustomerInfo } as const
    return commands.decideApproval(engine, scope, params.transactionId, decision)
  }),

  route(rejectPendingPayment, async (engine, { scope, params, body }) => {
    const purchase = await loadPurchase(engine.database, scope, params.transactionId)
    if (purchase) return failed(purchaseRefusals.approval(purchase))
    const decision = { isApproved: false, reason: body?.reason } as const
    return commands.decideApproval(engine, scope, params.transactionId, decision)
  }),

  route(cancelTransaction, async (engine, { scope, params }) => {
    const purchase = await loadPurchase(engine.database, scope, params.transactionId)
    return purchase
      ? failed(purchaseRefusals.cancel())
      : cancelTransactionCommand(engine, scope, params.transactionId)
  }),

  route(resolveRefund, (engine, { params, body }) => resolve(engine, params.transactionId, body.to)),
]

/** Whether its customer has let the time pass: readers are not shown that it still waits (customers 13.7). */
function isUnauthorizedAt({ flow: { authorizeBy } }: Transaction, now: Instant): boolean {
  return authorizeBy !== undefined && now >= authorizeBy
}

/** UMA addresses match in upper and lower case; ids have only one spelling. */
function stored(identifier: string): string {
  return identifier.startsWith('$') ? identifier.toLowerCase() : identifier
}
