import { type Rate, toDecimal, toWireAmount } from '@corridor/kernel'
import type { Pricing } from './pricing.ts'

/** Millisatoshi in one bitcoin: the unit both multipliers pass through. */
const millisatoshiPerBitcoin = 10n ** 11n

/** `rateDetails` as the API writes it. The ratios are informational; amounts are integers. */
export interface RateDetails {
  readonly counterpartyMultiplier: number
  readonly counterpartyFixedFee: number
  readonly gridApiMultiplier: number
  readonly gridApiFixedFee: number
  readonly gridApiVariableFeeRate: number
  readonly gridApiVariableFeeAmount: number
}

/**
 * Explains a price by way of bitcoin (accounts 8): (S − sf) · serviceMultiplier · counterpartyMultiplier
 * − C is R within a unit when there is no platform fee. Prices are minor units of each currency per
 * BTC, of the snapshot the quote captured; a real UMA peer's multiplier m (msat per receiving unit)
 * enters as the price 10^11 / m. Platform fees are not in here; the network fee is part of sf.
 */
export function renderRateDetails({
  pricing,
  serviceRate,
  sendingBitcoinPrice,
  receivingBitcoinPrice,
}: {
  readonly pricing: Pricing
  readonly serviceRate: Rate
  readonly sendingBitcoinPrice: Rate
  readonly receivingBitcoinPrice: Rate
}): RateDetails {
  const keptShare = serviceRate.denominator - serviceRate.numerator
  return {
    counterpartyMultiplier: shown(
      receivingBitcoinPrice.numerator,
      receivingBitcoinPrice.denominator * millisatoshiPerBitcoin,
    ),
    counterpartyFixedFee: toWireAmount(pricing.counterpartyFeeMinor),
    gridApiMultiplier: shown(
      millisatoshiPerBitcoin * sendingBitcoinPrice.denominator * keptShare,
      sendingBitcoinPrice.numerator * serviceRate.denominator,
    ),
    gridApiFixedFee: toWireAmount(pricing.serviceFixedMinor + pricing.networkFeeMinor),
    gridApiVariableFeeRate: shown(serviceRate.numerator, serviceRate.denominator),
    gridApiVariableFeeAmount: toWireAmount(pricing.serviceVariableMinor),
  }
}

function shown(numerator: bigint, denominator: bigint): number {
  return Number(toDecimal(numerator, denominator, { fractionDigits: 0, significantDigits: 12 }))
}
