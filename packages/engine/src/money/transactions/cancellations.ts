import { assert, failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { type Scope, silently } from '../../vocabulary/scope.ts'
import { isCancelAsked, loadTransaction, renderTransaction, type Transaction } from '../payments/index.ts'
import { loadReservedTransaction } from '../quotes/index.ts'
import { decideCancel } from './rules.ts'

/** How long a caller waits for what the rail says, and how often it is looked for. */
const patienceMs = 10_000
const lookMs = 100

/**
 * Stops a payment on its way; the refund that follows resolves it (accounts 10.1, 10.4). The wish is written down
 * and the payment's own job asks the rail, in its turn: a rail that was asked while the payment is being handed
 * over would know of none, and pay it afterwards. Answered with what became true. Where that takes longer than ten
 * seconds the answer is the payment as it is, still without a refund; the wish stands, and its refund or its
 * delivery is told like any other. Whoever repeats the request under its key is answered with what its wish led to,
 * also when the process that took it has died.
 */
export async function cancelTransaction(
  engine: Engine,
  scope: Scope,
  id: string,
): Promise<Result<Reply, Failure>> {
  const asked = await commit<undefined>(engine.applier, silently(scope), async () => {
    const transaction = await loadTransaction(engine, scope, id)
    if (!transaction) {
      const reserved = await loadReservedTransaction(engine, scope, id)
      // Nothing is on its way yet: a quote that nobody executes expires by itself.
      return failed(
        reserved
          ? fail('TRANSACTION_NOT_CANCELLABLE', { status: reserved.status })
          : fail('TRANSACTION_NOT_FOUND', { resourceType: 'Transaction', id }),
      )
    }
    return decideCancel(scope, transaction)
  })
  if (!asked.ok) return asked
  const transaction = await awaitAnswer(engine, scope, id)
  if (transaction.flow.isCancelled || isCancelAsked(transaction))
    return ok({ status: 200, body: renderTransaction(scope, transaction) })
  return failed(fail('TRANSACTION_NOT_CANCELLABLE', { status: transaction.status }))
}

/** Takes the payment's steps itself while nobody else does, until the wish is answered or patience ends. */
async function awaitAnswer(engine: Engine, scope: Scope, id: string): Promise<Transaction> {
  const { world, jobs } = engine
  const until = world.now() + patienceMs
  for (;;) {
    const transaction = await loadTransaction(engine, scope, id)
    assert(transaction, 'a transaction stays on record')
    const leftMs = until - world.now()
    if (!isCancelAsked(transaction) || leftMs <= 0) return transaction
    const over = new AbortController()
    const step = jobs.runKey(engine, scope, id, 1).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      world.log.warn({ transactionId: id, error: message }, 'a cancellation is still pending')
      return 0
    })
    const ran = await Promise.race([step, world.sleep(leftMs, over.signal).then(() => 0)])
    over.abort()
    if (ran === 0) await world.sleep(Math.min(lookMs, until - world.now()))
  }
}
