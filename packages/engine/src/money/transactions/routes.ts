import { failed, ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { endUmaPayment as end, resolveRefund as resolve } from '../payments/index.ts'
import { cancelTransaction as cancelTransactionCommand } from './cancellations.ts'
import * as commands from './commands.ts'
import {
  approvePendingPayment,
  cancelTransaction,
  confirmReceiptDelivery,
  endUmaPayment,
  getTransactionById,
  listTransactions,
  rejectPendingPayment,
  resolveRefund,
} from './contract.ts'
import { loadPurchase, purchaseRefusals, renderEntry } from './history.ts'
import { readTransaction, readTransactions } from './reads.ts'

export const transactionRoutes = [
  route(listTransactions, (engine, { scope, query }) => readTransactions(engine, scope, query)),
  route(getTransactionById, (engine, { scope, params }) =>
    readTransaction(engine, scope, params.transactionId),
  ),

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

  route(endUmaPayment, (engine, { scope, params, body }) =>
    end(engine, scope.actor, params.transactionId, body),
  ),
  route(resolveRefund, (engine, { scope, params, body }) =>
    resolve(engine, scope.actor, params.transactionId, body),
  ),
]
