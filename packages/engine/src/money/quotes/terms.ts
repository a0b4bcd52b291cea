import { divideRates, type Rate, rate } from '@corridor/kernel'
import type { FeeConfig } from '../../platform/platforms/index.ts'
import { bitcoinPrice, crossRate, type Pair, type RateSnapshot } from '../../reference/rates/index.ts'
import { chooseFees, type PricedDestination } from './fee-schedule.ts'
import type { PricingTerms } from './pricing.ts'

/** What the platform adds to a payment. */
export type PlatformFee = PricingTerms['platformFee']

export const noPlatformFee: PlatformFee = { fixedMinor: 0n, bps: 0 }

/**
 * The platform's standing fee (accounts 7.2): only on conversions that are paid for in dollars, the one
 * currency it can be configured in.
 */
export function standingPlatformFee(
  feeConfigs: readonly FeeConfig[],
  { source, destination }: Pair,
): PlatformFee {
  if (source === destination) return noPlatformFee
  const config = feeConfigs.find(({ sourceCurrency }) => sourceCurrency === source)
  if (!config) return noPlatformFee
  return { fixedMinor: BigInt(config.fixedFee.amount), bps: config.variableFeeBps }
}

/**
 * Everything that a price depends on apart from the amount, from one snapshot: quotes and the list of
 * rates ask here, so both come out alike (accounts 6.1, 8). Undefined when the snapshot lacks a rate.
 */
export function pricingTerms({
  snapshot,
  pair,
  destination,
  platformFee,
}: {
  readonly snapshot: RateSnapshot
  readonly pair: Pair
  readonly destination: PricedDestination
  readonly platformFee: PlatformFee
}): PricingTerms | undefined {
  const cross =
    destination.kind === 'UMA' && destination.peerMultiplier
      ? peerRate(snapshot, pair.source, destination.peerMultiplier)
      : crossRate(snapshot, pair)
  const sendingPerUsdMinor = perUsdMinor(snapshot, pair.source)
  const receivingPerUsdMinor = perUsdMinor(snapshot, pair.destination)
  if (!cross || !sendingPerUsdMinor || !receivingPerUsdMinor) return undefined
  const fees = chooseFees({
    sendingCurrency: pair.source,
    receivingCurrency: pair.destination,
    destination,
    crossRate: cross,
    sendingPerUsdMinor,
    receivingPerUsdMinor,
  })
  return { crossRate: cross, ...fees, platformFee }
}

/** Receiving minor units per sending one: ours to millisatoshi, and the peer's from there (webhooks-uma 5.2). */
function peerRate(snapshot: RateSnapshot, sendingCurrency: string, peerMultiplier: Rate): Rate | undefined {
  const perUnit = msatsPerMinor(snapshot, sendingCurrency)
  return perUnit && divideRates(perUnit, peerMultiplier)
}

/** Millisatoshi per minor unit of a currency, by the service's own rate. */
export function msatsPerMinor(snapshot: RateSnapshot, currency: string): Rate | undefined {
  const price = bitcoinPrice(snapshot, currency)
  return price && divideRates(rate(10n ** 11n, 1n), price)
}

/** Minor units of a currency per US cent. */
function perUsdMinor(snapshot: RateSnapshot, currency: string): Rate | undefined {
  return crossRate(snapshot, { source: 'USD', destination: currency })
}
