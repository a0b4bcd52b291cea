import type { Instant } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type PauseInForce, pauseOf } from '../../mechanisms/pauses/pauses.ts'
import type { PayoutOutcome, RailClient, Submission } from '../../ports/rail.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import {
  type LightningSettlement,
  type PeerPayment,
  payOverLightning,
  settleWithPeer,
  trackOverLightning,
} from '../uma-peers/index.ts'
import type { InvoiceClaim } from './invoice-claims.ts'
import type { StepFacts } from './step.ts'
import type { Transaction } from './transaction.ts'

const askAgainMs = 10_000

/** Whether it goes to another institution over Lightning: once it was handed over, only its outcome is asked for. */
export function isOverLightning({ flow: { delivery } }: Transaction): boolean {
  return delivery.kind === 'UMA' && delivery.peer?.lightning !== undefined
}

/**
 * The rails that a payout goes by, each of which may be paused: one to another institution that settles over Lightning goes by
 * that, too.
 */
export function payoutRails(transaction: Transaction): readonly string[] {
  const { delivery } = transaction.flow
  if (delivery.kind === 'INTERNAL') return []
  return isOverLightning(transaction) ? [delivery.rail, 'LIGHTNING'] : [delivery.rail]
}

/** Whether it goes to an institution that is paid bilaterally: asking that for its proof is what hands the payment over. */
export function isPaidByProof({ flow: { delivery } }: Pick<Transaction, 'flow'>): boolean {
  return delivery.kind === 'UMA' && delivery.peer !== undefined && !delivery.peer.lightning
}

/**
 * What holds back asking an institution that is paid bilaterally for its proof: that is what hands the payment over, the first
 * time or not, so it is not asked while payouts to it are paused. Undefined for every other payment.
 */
export async function pauseOfProof(
  engine: Engine,
  scope: Scope,
  transaction: Transaction,
): Promise<PauseInForce | undefined> {
  if (transaction.flow.stage !== 'POLL_PAYOUT' || !isPaidByProof(transaction)) return undefined
  return pauseOf(engine.database, scope, payoutRails(transaction))
}

/**
 * Pays a peer over Lightning, if this attempt is the one that claimed its invoice. Any other tells the node nothing: that one may
 * have paid, and what has become of it is read up (webhooks-uma 5.2). Undefined for every other payment.
 */
export async function submitOverLightning(
  engine: Engine,
  scope: Scope,
  { transaction: { flow }, now }: StepFacts,
  claim: InvoiceClaim | undefined,
): Promise<Submission | undefined> {
  const peer = flow.delivery.kind === 'UMA' ? flow.delivery.peer : undefined
  if (!peer?.lightning) return undefined
  const { lightning } = peer
  if (claim !== 'MADE') return { status: 'ACCEPTED', checkAt: now }
  const { status } = await payOverLightning(engine, scope, { ...peer, lightning })
  return status === 'REFUSED'
    ? { status: 'FAILED', reason: 'INTERNAL' }
    : { status: 'ACCEPTED', checkAt: now }
}

/** With whether whoever settles it says that it is under way, and does not merely say nothing. */
export type PeerOutcome = PayoutOutcome & { readonly isUnderWay?: boolean }

/**
 * An institution of another book as a rail: asking again is asking for the same proof (webhooks-uma 6.7), and over
 * Lightning for the same payment.
 */
export function peerRail(
  engine: Engine,
  scope: Scope,
  payment: PeerPayment,
): RailClient & { readonly fetchOutcome: (now: Instant) => Promise<PeerOutcome> } {
  return {
    // Nothing is handed over ahead of the proof.
    submitPayout: async (_payout, now) => ({ status: 'ACCEPTED', checkAt: now }),
    fetchPayout: (_payout, now) => fetchOutcome(now),
    fetchOutcome,
  }

  async function fetchOutcome(now: Instant): Promise<PeerOutcome> {
    const { status, routingMsats } = await settlementOf(engine, scope, payment)
    if (status === 'PAID')
      return { status: 'SETTLED', ...(routingMsats ? { routingCostMsats: routingMsats } : {}) }
    if (status === 'REFUSED') return { status: 'FAILED', reason: 'INTERNAL' }
    return { status: 'ACCEPTED', checkAt: now + askAgainMs, isUnderWay: status === 'UNDER_WAY' }
  }
}

async function settlementOf(
  engine: Engine,
  scope: Scope,
  payment: PeerPayment,
): Promise<{ readonly status: LightningSettlement['status']; readonly routingMsats?: bigint }> {
  const { lightning } = payment
  return lightning
    ? trackOverLightning(engine, scope, { ...payment, lightning })
    : { status: await settleWithPeer(engine, scope, payment) }
}
