import { assert, failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { messageOf } from '../../mechanisms/jobs/claims.ts'
import type { OwnedJob } from '../../mechanisms/jobs/runner.ts'
import type { PayoutOutcome } from '../../ports/rail.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { type Actor, type Book, silently } from '../../vocabulary/scope.ts'
import type { PeerPayment } from '../uma-peers/index.ts'
import { goesOn, noLongerHeld } from './held.ts'
import { loadStepFacts } from './jobs.ts'
import { decidePayoutOutcome } from './payment-steps.ts'
import { type PeerOutcome, pauseOfProof, peerRail } from './peer-rail.ts'
import { renderTransaction } from './render.ts'
import { askingKind } from './step.ts'
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
  // Asking may hand it over, so it is claimed like every hand-over, and only then it is read whether payouts are paused.
  const asking = engine.jobs.own(engine, { kind: askingKind, payload: { transactionId: id } })
  const claimed = await engine.applier.apply(silently(scope), { jobs: [asking], result: () => null })
  assert(claimed.ok, 'nothing refuses a job that has no key')
  const ended = await engine.jobs.whileOwned(engine, scope, asking, async () => {
    try {
      return await askAndEnd(peer)
    } finally {
      await isAsked(engine, scope, asking)
    }
  })
  if (!ended.ok) return ended
  world.log.info(
    { transactionId: id, outcome: ended.value.status, isFinal: ended.value.isFinal, reason },
    'a UMA payment was ended by the operator',
  )
  const after = await loadTransaction(engine, scope, id)
  return ok({ status: 200, body: renderTransaction(scope, after ?? ended.value.before) })

  async function askAndEnd(payment: PeerPayment): Promise<Result<Ended, Failure>> {
    const pause = await pauseOfProof(engine, scope, transaction!)
    if (pause) return failed(fail('CONFLICT', { reason: 'PAYOUTS_PAUSED', id: pause.id }))
    const told: PeerOutcome = await peerRail(engine, scope, payment).fetchOutcome(scope.now)
    // The node would pay what has been given back.
    if (told.isUnderWay) return failed(fail('CONFLICT', { reason: 'STILL_UNDER_WAY', id }))
    const isFinal = told.status === 'SETTLED' || told.status === 'FAILED'
    const outcome = isFinal ? told : wordOfOperator[ifUnknown]
    const written = await commit<Transaction>(engine.applier, scope, async () => {
      const current = await loadTransaction(engine, scope, id)
      if (!current || !awaitedPeer(current)) return failed(notAwaited(current ?? transaction!))
      const flow = { ...current.flow, endedByOperator: { reason, ...(isFinal ? {} : { ifUnknown }) } }
      const facts = await loadStepFacts(engine, scope, goesOn({ ...current, flow }, scope.now))
      return ok({ ...noLongerHeld(decidePayoutOutcome(facts, outcome), current), result: () => current })
    })
    return written.ok ? ok({ before: written.value, status: outcome.status, isFinal }) : written
  }
}

interface Ended {
  readonly before: Transaction
  readonly status: PayoutOutcome['status']
  readonly isFinal: boolean
}

/** The question has its outcome, or none that anybody waits for. */
async function isAsked(engine: Engine, book: Book, { owner: { id, claim } }: OwnedJob): Promise<void> {
  try {
    const scope = await engine.clock.scope(book, { id: `job:${askingKind}`, permissions: [] })
    await engine.applier.apply(silently(scope), { completes: [{ id, claim }], result: () => null })
  } catch (error) {
    // What the payment came to is written: its handler ends it when the lease does.
    engine.world.log.warn(
      { jobId: id, error: messageOf(error) },
      'could not release the job of a status request',
    )
  }
}

/** Whoever asked has died, and nobody waits for the answer: the payment's own job asks on. */
export const askingForOperator = jobHandler<{ transactionId: string }>({
  kind: askingKind,
  run: async () => ok({ result: () => undefined }),
})

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
