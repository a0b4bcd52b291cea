import { failed, ok, type Result, toTimestamp } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { change, loadTransaction, renderTransaction } from '../payments/index.ts'
import { loadReservedTransaction } from '../quotes/index.ts'
import { decideByPlatform, notAwaiting } from '../uma-receipts/index.ts'

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
 * Approving and rejecting is for incoming UMA payments that await the platform's decision (accounts 10.4): whatever
 * else is found is refused.
 */
export async function decideApproval(
  engine: Engine,
  scope: Scope,
  id: string,
  decision: Parameters<typeof decideByPlatform>[3],
): Promise<Result<Reply, Failure>> {
  const decided = await decideByPlatform(engine, scope, id, decision)
  if (decided) return decided
  const reserved = await loadReservedTransaction(engine.database, scope, id)
  return failed(reserved ? notAwaiting(reserved) : notFound(id))
}
