import { failed, ok, type Result, toTimestamp } from '@corridor/kernel'
import { commit } from '../db/apply.ts'
import type { Engine } from '../engine.ts'
import { type Failure, fail, failFields } from '../http/errors.ts'
import type { Reply } from '../http/operation.ts'
import type { Scope } from '../http/scope.ts'
import { isBankRail, isRailId, railOf } from '../rails/index.ts'
import { instructionFor, loadStepFacts } from './jobs.ts'
import { decideCancelled } from './payment-steps.ts'
import { decideCancelledPull } from './pull-steps.ts'
import { renderTransaction } from './render.ts'
import { type LoadReserved, loadTransaction } from './store.ts'
import { change, type Transaction } from './transaction.ts'

function notFound(id: string): Failure {
  return fail('TRANSACTION_NOT_FOUND', { resourceType: 'Transaction', id })
}

/** How far ahead of our clock a caller's clock may be. */
const clockToleranceMs = 5 * 60_000

/** Records that the end user got a receipt. It moves nothing and may be repeated (accounts 10.4). */
export async function confirmReceipt(
  engine: Engine,
  scope: Scope,
  id: string,
  confirmedAt: string | undefined,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const transaction = await loadTransaction(engine.database, scope, id)
    if (!transaction) return failed(notFound(id))
    const at = confirmedAt === undefined ? scope.now : Date.parse(confirmedAt)
    if (at > scope.now + clockToleranceMs) {
      return failed(failFields([{ field: 'receiptDeliveryConfirmedAt', message: 'lies in the future' }]))
    }
    const details = { ...transaction.details, receiptDeliveryConfirmedAt: toTimestamp(at) }
    const { next, update } = change(transaction, scope.now, { details })
    return ok({ updates: [update], result: () => ({ status: 200, body: renderTransaction(scope, next) }) })
  })
}

/**
 * Approving and rejecting is for incoming UMA payments that await the platform's decision; nothing else
 * ever does (accounts 10.4).
 */
export async function decideApproval(
  engine: Engine,
  scope: Scope,
  id: string,
  loadReserved: LoadReserved,
): Promise<Result<Reply, Failure>> {
  const transaction =
    (await loadTransaction(engine.database, scope, id)) ?? (await loadReserved(engine.database, scope, id))
  if (!transaction) return failed(notFound(id))
  return failed(fail('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', { status: transaction.status }))
}

/** Asks the rail to stop a payment on its way; the refund that follows resolves it (accounts 10.1, 10.4). */
export async function cancelTransaction(
  engine: Engine,
  scope: Scope,
  id: string,
  loadReserved: LoadReserved,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const transaction = await loadTransaction(engine.database, scope, id)
    if (!transaction) {
      const reserved = await loadReserved(engine.database, scope, id)
      // Nothing is on its way yet: a quote that nobody executes expires by itself.
      return failed(
        reserved ? fail('TRANSACTION_NOT_CANCELLABLE', { status: reserved.status }) : notFound(id),
      )
    }
    const refusal = cancelRefusal(transaction)
    if (refusal) return failed(refusal)
    const side = transaction.flow.stage.endsWith('PULL') ? 'PULL' : 'PAYOUT'
    const { rail, instruction } = await instructionFor(engine, scope, transaction, side)
    const isStopped = rail.requestCancel ? await rail.requestCancel(instruction, scope.now) : false
    if (!isStopped) return failed(fail('TRANSACTION_NOT_CANCELLABLE', { status: transaction.status }))
    const facts = await loadStepFacts(engine, scope, transaction)
    const decision = side === 'PULL' ? decideCancelledPull(facts) : decideCancelled(facts)
    return ok({
      ...decision.decision,
      result: () => ({ status: 200, body: renderTransaction(scope, decision.next) }),
    })
  })
}

/** What can never be cancelled is a mistake; what no longer can is a conflict. */
function cancelRefusal(transaction: Transaction): Failure | undefined {
  const { flow, status } = transaction
  const rails = [
    ...(flow.delivery.kind === 'EXTERNAL' ? [flow.delivery.rail] : []),
    ...(flow.funding.kind === 'PULL' ? [flow.funding.rail] : []),
  ]
  const isBank = rails.length > 0 && rails.every((rail) => isRailId(rail) && isBankRail(railOf(rail)))
  if (!isBank || flow.kind === 'DEPOSIT') {
    return failFields([{ field: 'transactionId', message: 'is of a kind that cannot be cancelled' }])
  }
  const isOnItsWay = status === 'PENDING' || status === 'PROCESSING'
  if (!isOnItsWay || !cancellableStages.has(flow.stage))
    return fail('TRANSACTION_NOT_CANCELLABLE', { status })
  return undefined
}

const cancellableStages: ReadonlySet<string> = new Set([
  'SUBMIT_PULL',
  'POLL_PULL',
  'SUBMIT_PAYOUT',
  'POLL_PAYOUT',
])
