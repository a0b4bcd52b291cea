import {
  assert,
  divideRates,
  type Instant,
  mulDivHalfUp,
  multiplyRates,
  one,
  parseRate,
  type Rate,
  rate,
  toDecimal,
} from '@corridor/kernel'
import { currencies, currencyOf, decimalsOf, isCurrencyCode, isPegged } from '../currencies/index.ts'

/** How long the numbers of a snapshot stand, and how often the offline source is stamped anew. */
export const snapshotPeriodMs = 5 * 60 * 1000

/** All rates of one moment. `updatedAt` is shared by every pair (accounts 1.2). */
export interface RateSnapshot {
  readonly updatedAt: Instant
  /** Major units of each currency per 1 USD. A currency not listed cannot be priced. */
  readonly perUsd: Readonly<Record<string, Rate>>
}

/** The snapshot the offline source shows at `now`: the table's rates, stamped every five minutes. */
export function offlineSnapshot(now: Instant): RateSnapshot {
  return { updatedAt: snapshotStamp(now), perUsd: offlinePerUsd }
}

const offlinePerUsd = Object.fromEntries(currencies.map(({ code, perUsd }) => [code, parseRate(perUsd)]))

export function snapshotStamp(now: Instant): Instant {
  return Math.floor(now / snapshotPeriodMs) * snapshotPeriodMs
}

/** Whole seconds an answer made from this snapshot may be cached, never negative (accounts 6.1). */
export function remainingLifeSeconds(snapshot: RateSnapshot, now: Instant): number {
  return Math.max(0, Math.floor((snapshot.updatedAt + snapshotPeriodMs - now) / 1000))
}

/**
 * X(source→destination): minor units of the destination per minor unit of the source, exact
 * (accounts 1.2). A currency against itself is 1 and dollars against dollars stand at par, whatever the
 * snapshot says; `spreadBps` makes every other pair that much worse for the payer. Undefined when the
 * snapshot lacks a rate.
 */
export function crossRate(
  snapshot: RateSnapshot,
  { source, destination, spreadBps = 0 }: Pair & { readonly spreadBps?: number },
): Rate | undefined {
  assert(Number.isInteger(spreadBps) && spreadBps >= 0 && spreadBps < 10_000, 'spread within 0..9999 bps')
  if (source === destination) return one
  const scale = scaleBetween(decimalsOf(source), decimalsOf(destination))
  if (isPegged(source, destination)) return scale
  const sourcePerUsd = perUsdOf(snapshot, source)
  const destinationPerUsd = perUsdOf(snapshot, destination)
  if (!sourcePerUsd || !destinationPerUsd) return undefined
  const kept = rate(BigInt(10_000 - spreadBps), 10_000n)
  return multiplyRates(multiplyRates(divideRates(destinationPerUsd, sourcePerUsd), scale), kept)
}

/** Platforms' own coins are dollars; no source has a rate of them. */
function perUsdOf({ perUsd }: RateSnapshot, code: string): Rate | undefined {
  return perUsd[code] ?? (isCurrencyCode(code) ? undefined : one)
}

export interface Pair {
  readonly source: string
  readonly destination: string
}

/** 10^(to − from): turns a ratio of major units into one of minor units. */
function scaleBetween(fromDecimals: number, toDecimals: number): Rate {
  const scale = 10n ** BigInt(Math.abs(toDecimals - fromDecimals))
  return toDecimals >= fromDecimals ? rate(scale, 1n) : rate(1n, scale)
}

/**
 * What an amount is worth in another currency at mid, in minor units, rounded half up: limits, volumes
 * and fees that are set in USD. Undefined when the snapshot lacks a rate.
 */
export function equivalentMinor(
  snapshot: RateSnapshot,
  { amountMinor, source, destination }: Pair & { readonly amountMinor: bigint },
): bigint | undefined {
  const cross = crossRate(snapshot, { source, destination })
  return cross && mulDivHalfUp(amountMinor, cross.numerator, cross.denominator)
}

export function usdEquivalentMinor(
  snapshot: RateSnapshot,
  { amountMinor, currency }: { readonly amountMinor: bigint; readonly currency: string },
): bigint | undefined {
  return equivalentMinor(snapshot, { amountMinor, source: currency, destination: 'USD' })
}

/**
 * Minor units of a currency per 1 BTC, for the multipliers of `rateDetails` (accounts 8). Bitcoin is only
 * the unit between two multipliers and cancels out of them, so where a snapshot has no rate of it the
 * table's serves.
 */
export function bitcoinPrice(snapshot: RateSnapshot, currency: string): Rate | undefined {
  const hasBitcoin = snapshot.perUsd.BTC !== undefined
  const completed = hasBitcoin
    ? snapshot
    : { ...snapshot, perUsd: { ...snapshot.perUsd, BTC: offlinePerUsd.BTC! } }
  const perSatoshi = crossRate(completed, { source: 'BTC', destination: currency })
  return perSatoshi && multiplyRates(perSatoshi, rate(10n ** BigInt(currencyOf('BTC').decimals), 1n))
}

/*
 * Three conventions of `exchangeRate`, which do not mix (accounts 1.2). Each returns decimal text,
 * rounded for display; `toWireRate` makes the JSON number of it.
 */

/** Quotes and transactions: sending major units per one receiving major unit, fees excluded. */
export function quoteExchangeRate(cross: Rate, { source, destination }: Pair): string {
  const shown = divideRates(scaleBetween(decimalsOf(source), decimalsOf(destination)), cross)
  return toDecimal(shown.numerator, shown.denominator)
}

/**
 * GET /exchange-rates: the same direction with all fees inside. When the fees leave nothing to
 * receive there is no such ratio; the rate without fees stands in, because the field must be positive.
 */
export function allInExchangeRate({
  sendingAmountMinor,
  receivingAmountMinor,
  cross,
  source,
  destination,
}: Pair & {
  readonly sendingAmountMinor: bigint
  readonly receivingAmountMinor: bigint
  readonly cross: Rate
}): string {
  if (sendingAmountMinor <= 0n || receivingAmountMinor <= 0n) {
    return quoteExchangeRate(cross, { source, destination })
  }
  const { numerator, denominator } = scaleBetween(decimalsOf(source), decimalsOf(destination))
  return toDecimal(sendingAmountMinor * numerator, receivingAmountMinor * denominator)
}

/** Lookups: receiving major units per one sending major unit, indicative, fees excluded. */
export function lookupExchangeRate(cross: Rate, { source, destination }: Pair): string {
  const shown = divideRates(cross, scaleBetween(decimalsOf(source), decimalsOf(destination)))
  return toDecimal(shown.numerator, shown.denominator)
}

/** A displayed ratio as a JSON number. Never for amounts: those go through `toWireAmount`. */
export function toWireRate(decimalText: string): number {
  return Number(decimalText)
}
