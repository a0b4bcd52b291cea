import type { Instant } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type LightningOutcome, routingFeeLimit } from '../../ports/lightning.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { PeerPayment } from './settlement.ts'
import { hashOf } from './wire.ts'

/** What of an agreed payment its settlement over Lightning needs; as it is kept with the quote. JSON. */
export interface LightningTerms {
  readonly invoice: string
  /** Real time. */
  readonly expiresAt: Instant
}

/** No node pays an invoice that is over; this is what clocks and calls under way may differ by. */
const marginMs = 60_000

type Payment = PeerPayment & { readonly lightning: LightningTerms }

/**
 * PAID with what the way cost; UNDER_WAY: the node has it, or may still get it; UNKNOWN: it may have happened. Both are
 * asked for again (webhooks-uma 5.2).
 */
export type LightningSettlement =
  | { readonly status: 'PAID'; readonly routingMsats: bigint }
  | { readonly status: 'REFUSED' | 'UNDER_WAY' | 'UNKNOWN' }

/** Hands the payment to the node. Called once in its life: what has become of it is asked with `trackOverLightning`. */
export async function payOverLightning(
  engine: Engine,
  scope: Scope,
  payment: Payment,
): Promise<LightningSettlement> {
  const maxFeeMsats = routingFeeLimit(BigInt(payment.amountMsats))
  const { invoice } = payment.lightning
  const { paymentHash } = payment
  return settlementOf(payment, await nodeOf(engine, scope).pay({ invoice, paymentHash, maxFeeMsats }))
}

/** What has become of it. A node that has never heard of it, and would not pay it any more, has refused it. */
export async function trackOverLightning(
  engine: Engine,
  scope: Scope,
  payment: Payment,
): Promise<LightningSettlement> {
  const { invoice, expiresAt } = payment.lightning
  const { paymentHash } = payment
  const outcome = await nodeOf(engine, scope).track({ invoice, paymentHash })
  const isOver = engine.world.now() >= expiresAt + marginMs
  if (outcome.status === 'NOT_FOUND') return { status: isOver ? 'REFUSED' : 'UNDER_WAY' }
  return settlementOf(payment, outcome)
}

function settlementOf({ paymentHash }: PeerPayment, outcome: LightningOutcome): LightningSettlement {
  if (outcome.status === 'FAILED') return { status: 'REFUSED' }
  if (outcome.status === 'PENDING') return { status: 'UNDER_WAY' }
  if (outcome.status !== 'SUCCEEDED' || hashOf(outcome.preimage) !== paymentHash) return { status: 'UNKNOWN' }
  return { status: 'PAID', routingMsats: outcome.feeMsats }
}

/** There was one when the payment was agreed; without it now, the job waits for the operator. */
function nodeOf({ adapters }: Engine, { environment }: Scope) {
  const { lightning } = adapters[environment]
  if (!lightning) throw new Error('no client for the Lightning node')
  return lightning
}
