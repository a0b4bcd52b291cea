import { failed, ok } from '@corridor/kernel'
import { fail } from '../http/errors.ts'
import { type Route, route } from '../http/operation.ts'
import { readPage, toPage } from '../http/pages.ts'
import { platformOwner } from '../internal-accounts/index.ts'
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
import { renderTransaction } from './render.ts'
import { type LoadReserved, loadTransaction, transactionList } from './store.ts'
import { resolveRefund as resolve } from './suspense-commands.ts'
import type { Transaction } from './transaction.ts'

export function transactionRoutes(loadReserved: LoadReserved): Route[] {
  return [
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
      const { rows, totalCount } = await transactionList.read(engine.database, scope, filters, page.value)
      const render = (transaction: Transaction) => renderTransaction(scope, transaction)
      const body = toPage(engine.keys, scope, 'transactions', page.value, filters, rows, totalCount, render)
      return ok({ status: 200, body })
    }),

    route(getTransactionById, async (engine, { scope, params }) => {
      const { transactionId: id } = params
      const transaction =
        (await loadTransaction(engine.database, scope, id)) ??
        (await loadReserved(engine.database, scope, id))
      if (!transaction) return failed(fail('TRANSACTION_NOT_FOUND', { resourceType: 'Transaction', id }))
      return ok({ status: 200, body: renderTransaction(scope, transaction) })
    }),

    route(confirmReceiptDelivery, (engine, { scope, params, body }) =>
      commands.confirmReceipt(engine, scope, params.transactionId, body?.receiptDeliveryConfirmedAt),
    ),

    route(approvePendingPayment, (engine, { scope, params }) =>
      commands.decideApproval(engine, scope, params.transactionId, loadReserved),
    ),
    route(rejectPendingPayment, (engine, { scope, params }) =>
      commands.decideApproval(engine, scope, params.transactionId, loadReserved),
    ),

    route(cancelTransaction, (engine, { scope, params }) =>
      commands.cancelTransaction(engine, scope, params.transactionId, loadReserved),
    ),

    route(resolveRefund, (engine, { params, body }) => resolve(engine, params.transactionId, body.to)),
  ]
}

/** UMA addresses match in upper and lower case; ids have only one spelling. */
function stored(identifier: string): string {
  return identifier.startsWith('$') ? identifier.toLowerCase() : identifier
}
