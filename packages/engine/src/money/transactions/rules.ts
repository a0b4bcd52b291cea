import { failed, type Instant, ok, type Result, toTimestamp } from '@corridor/kernel'
import { isBankRail, isRailId, railOf } from '../../reference/rails/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import {
  change,
  isCancelAsked,
  isCancellable,
  nextStep,
  renderTransaction,
  type Transaction,
} from '../payments/index.ts'

/** How far ahead of our clock a caller's clock may be. */
const clockToleranceMs = 5 * 60_000

/** The end user got a receipt, at `confirmedAt` or now. Refused with INVALID_INPUT for the future (accounts 10.4). */
export function decideReceipt(
  scope: Scope,
  transaction: Transaction,
  confirmedAt: Instant = scope.now,
): Result<Decision<Reply>, Failure> {
  if (confirmedAt > scope.now + clockToleranceMs) {
    return failed(failFields([{ field: 'receiptDeliveryConfirmedAt', message: 'is in the future' }]))
  }
  const details = { ...transaction.details, receiptDeliveryConfirmedAt: toTimestamp(confirmedAt) }
  const { next, update } = change(transaction, scope.now, { details })
  return ok({ updates: [update], result: () => ({ status: 200, body: renderTransaction(scope, next) }) })
}

/**
 * Writes down the wish to stop a payment, for its own job to act on; nothing for one that this very request has
 * stopped (accounts 10.4). Refused with INVALID_INPUT for a kind that can never be cancelled, and with
 * TRANSACTION_NOT_CANCELLABLE for what no longer can.
 */
export function decideCancel(scope: Scope, transaction: Transaction): Result<Decision<undefined>, Failure> {
  if (wasWishOf(scope, transaction)) return ok({ result: () => undefined })
  const refusal = cancelRefusal(transaction)
  if (refusal) return failed(refusal)
  const cancelKey = scope.recording?.key
  const flow = { ...transaction.flow, cancelAskedAt: scope.now, ...(cancelKey ? { cancelKey } : {}) }
  return ok({
    updates: isCancelAsked(transaction) ? [] : [change(transaction, scope.now, { flow }).update],
    jobs: [nextStep(transaction.id, scope.now)],
    result: () => undefined,
  })
}

/** Whether the payment was stopped by the wish of this very request. */
function wasWishOf({ recording }: Scope, { flow }: Transaction): boolean {
  return recording !== undefined && flow.isCancelled === true && flow.cancelKey === recording.key
}

/** Whether a wish to stop it would be taken now, and none stands. */
export function mayBeCancelled(transaction: Transaction): boolean {
  return !isCancelAsked(transaction) && cancelRefusal(transaction) === undefined
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
    return failFields([{ field: 'transactionId', message: 'is not a payment that can be cancelled' }])
  }
  const isOnItsWay = status === 'PENDING' || status === 'PROCESSING'
  if (!isOnItsWay || !isCancellable(flow)) return fail('TRANSACTION_NOT_CANCELLABLE', { status })
  return undefined
}
