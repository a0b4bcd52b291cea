import type { Rail } from './rail.ts'
import { type RailId, railOf } from './rails.ts'

/** Whether an amount, in minor units of `currency`, is within the rail's own bounds. */
export function isWithinBounds(rail: Rail, currency: string, amountMinor: bigint): boolean {
  const least = rail.minAmountMinor?.[currency]
  const most = rail.maxAmountMinor?.[currency]
  return (least === undefined || amountMinor >= least) && (most === undefined || amountMinor <= most)
}

/**
 * The rail an AUTO payment takes (accounts 1.1): the first of the account's rails whose maximum the
 * amount respects, where a rail may name its own successor (RTP and FedNow hand over to WIRE, not to
 * ACH). When no rail takes the amount, the first one: the network, not the choice, then refuses it.
 * Undefined only for an account without rails.
 */
export function chooseRail({
  available,
  amountMinor,
  currency,
}: {
  /** The account's rails, default first. */
  readonly available: readonly RailId[]
  /** What arrives on the rail, in minor units of `currency`. */
  readonly amountMinor: bigint
  readonly currency: string
}): RailId | undefined {
  const takes = (id: RailId) => isWithinBounds(railOf(id), currency, amountMinor)
  const first = available[0]
  if (first === undefined || takes(first)) return first
  const successor = available.find((id) => id === railOf(first).aboveMaximum)
  if (successor !== undefined && takes(successor)) return successor
  return available.find(takes) ?? first
}
