import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { PayoutOutcome } from '../../ports/rail.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Actor } from '../../vocabulary/scope.ts'
import { goesOn, noLongerHeld } from './held.ts'
import { loadStepFacts } from './jobs.ts'
import { decidePayoutOutcome } from './payment-steps.ts'
import { type PeerOutcome, pauseOfProof, peerRail } from './peer-rail.ts'
import { renderTransaction } from './render.ts'
import { loadTransaction } from './store.ts'
import { findBookOfTransaction } from './suspense-store.ts'
import type { Transaction } from './transaction.ts'

/**
 * Ends a payment to another institution whose outcome stays unknown (webhooks-uma 5.2). The institution or the node is asked
 * once more, and what it says counts; only where it still says nothing does the operator's word, who has asked by other
 * means. TRANSACTION_NOT_FOUND; CONFLICT where it is no such payment, or over, or the node says that it is under way, or asking
 * would hand it over while payouts are paused.
 */
export async function endUmaPayment(
  engine: Engine,
  actor: Actor,
  id: string,
  { ifUnknown, reason }: { readonly ifUnknown: 'DELIVERED' | 'REFUND'; readonly reason: string },
): Promise<Result<Reply, Failure>> {
  const { database, world } = engine
  const unknown = fail('TRANSACTION_NOT_FOUND', { resourceType: 'Transaction', id })
  const book = await findBookOfTransaction(database, id)
  if (!book) return failed(unknown)
  const scope = await engine.clock.scope(book, actor)
  const transaction = await loadTransaction(engine, scope, id)
  if (!transaction) return failed(unknown)
  const peer = awaitedPeer(transaction)
  if (!peer) return failed(notAwaited(transaction))
  const pause = await pauseOfProof(engine, scope, transaction)
  if (pause) return failed(fail('CONFLICT', { reason: 'PAYOUTS_PAUSED', id: pause.id }))
  const { outcome: told, isFinal } = await ask()
  // The node would pay what has been given back.
  if (told.isUnderWay) return failed(fail('CONFLICT', { reason: 'STILL_UNDER_WAY', id }))
  const outcome = isFinal ? told : wordOfOperator[ifUnknown]
  const ended = await commit<Transaction>(engine.applier, scope, async () => {
    const current = await loadTransaction(engine, scope, id)
    if (!current || !awaitedPeer(current)) return failed(notAwaited(current ?? transaction))
    const flow = { ...current.flow, endedByOperator: { reason, ...(isFinal ? {} : { ifUnknown }) } }
    const facts = await loadStepFacts(engine, scope, goesOn({ ...current, flow }, scope.now))
    return ok({ ...noLongerHeld(decidePayoutOutcome(facts, outcome), current), result: () => current })
  })
  if (!ended.ok) return ended
  world.log.info(
    { transactionId: id, outcome: outcome.status, isFinal, reason },
    'a UMA payment was ended by the operator',
  )
  const after = await loadTransaction(engine, scope, id)
  return ok({ status: 200, body: renderTransaction(scope, after ?? ended.value) })

  async function ask(): Promise<{ outcome: PeerOutcome; isFinal: boolean }> {
    const outcome = await peerRail(engine, scope, peer!).fetchOutcome(scope.now)
    return { outcome, isFinal: outcome.status === 'SETTLED' || outcome.status === 'FAILED' }
  }
}

const wordOfOperator: Readonly<Record<'DELIVERED' | 'REFUND', PayoutOutcome>> = {
  DELIVERED: { status: 'SETTLED' },
  REFUND: { status: 'FAILED', reason: 'INTERNAL' },
}

function awaitedPeer({ flow: { stage, delivery } }: Transaction) {
  return stage === 'POLL_PAYOUT' && delivery.kind === 'UMA' ? delivery.peer : undefined
}

function notAwaited({ id, status }: Transaction): Failure {
  return fail('CONFLICT', { reason: 'NOT_AWAITED', status, id })
}
