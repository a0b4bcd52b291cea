import { failed, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { loadTransaction } from '../payments/index.ts'
import { loadReservedTransaction } from '../quotes/index.ts'
import { decideByPlatform, notAwaiting } from '../uma-receipts/index.ts'
import { decideReceipt } from './rules.ts'

function notFound(id: string): Failure {
  return fail('TRANSACTION_NOT_FOUND', { resourceType: 'Transaction', id })
}

/** Records that the end user got a receipt. It moves nothing and may be repeated (accounts 10.4). */
export async function confirmReceipt(
  engine: Engine,
  scope: Scope,
  id: string,
  confirmedAt: string | undefined,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const transaction = await loadTransaction(engine, scope, id)
    if (!transaction) return failed(notFound(id))
    return decideReceipt(scope, transaction, confirmedAt === undefined ? undefined : Date.parse(confirmedAt))
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
  const reserved = await loadReservedTransaction(engine, scope, id)
  return failed(reserved ? notAwaiting(reserved) : notFound(id))
}
