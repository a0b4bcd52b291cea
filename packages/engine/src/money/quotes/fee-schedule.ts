import { mulDivHalfUp, parseRate, type Rate } from '@corridor/kernel'
import { isPegged } from '../../reference/currencies/index.ts'
import { type NetworkId, networkOf } from '../../reference/rails/index.ts'
import type { PricingTerms } from './pricing.ts'

/** The service's prices, in the terms of accounts 8. */
export interface PriceList {
  /** r when nothing is converted. */
  readonly sameCurrencyRate: Rate
  /** r for every conversion not named below. */
  readonly conversionRate: Rate
  /** r between dollars: USD and stablecoins, which convert at par. */
  readonly parRate: Rate
  readonly uma: {
    readonly rate: Rate
    /** sf, in US cents; converted to the sending currency, half up. */
    readonly fixedUsdMinor: bigint
    /** C when the peer is the built-in one, in US cents; converted to receiving units, half up. */
    readonly counterpartyUsdMinor: bigint
  }
}

/** A fee rate of nothing; `parseRate` only reads positive rates. */
export const freeRate: Rate = { numerator: 0n, denominator: 1n }

export const defaultPriceList: PriceList = {
  sameCurrencyRate: freeRate,
  conversionRate: parseRate('0.005'),
  parRate: parseRate('0.001'),
  uma: { rate: parseRate('0.003'), fixedUsdMinor: 10n, counterpartyUsdMinor: 10n },
}

/** Where a payment goes, as far as its price depends on it. */
export type PricedDestination =
  | { readonly kind: 'ACCOUNT' }
  | { readonly kind: 'ON_CHAIN'; readonly network: NetworkId }
  | {
      readonly kind: 'UMA'
      /** A real peer names its own fee, in receiving minor units; else the price list's applies. */
      readonly peerFeeMinor?: bigint
      /** Its price: millisatoshi per receiving minor unit. */
      readonly peerMultiplier?: Rate
    }

/** The fees of a payment, ready for `pricePayment`; the platform's own fee is not the service's. */
export type ServiceTerms = Pick<PricingTerms, 'serviceFee' | 'networkFeeMinor' | 'counterpartyFeeMinor'>

/** Chooses sf, r and C from the price list (accounts 8, default price list). */
export function chooseFees({
  sendingCurrency,
  receivingCurrency,
  destination,
  crossRate,
  sendingPerUsdMinor,
  receivingPerUsdMinor,
  priceList = defaultPriceList,
}: {
  readonly sendingCurrency: string
  readonly receivingCurrency: string
  readonly destination: PricedDestination
  /** X: receiving minor units per sending minor unit. */
  readonly crossRate: Rate
  /** Minor units of the sending, of the receiving currency per US cent. */
  readonly sendingPerUsdMinor: Rate
  readonly receivingPerUsdMinor: Rate
  readonly priceList?: PriceList
}): ServiceTerms {
  switch (destination.kind) {
    case 'UMA':
      return {
        serviceFee: {
          fixedMinor: convert(priceList.uma.fixedUsdMinor, sendingPerUsdMinor),
          rate: priceList.uma.rate,
        },
        networkFeeMinor: 0n,
        counterpartyFeeMinor:
          destination.peerFeeMinor ?? convert(priceList.uma.counterpartyUsdMinor, receivingPerUsdMinor),
      }
    case 'ON_CHAIN':
      return serviceTerms(networkFee(destination.network, crossRate))
    case 'ACCOUNT':
      return serviceTerms(0n)
  }

  function serviceTerms(networkFeeMinor: bigint): ServiceTerms {
    const rate = serviceRate({ sendingCurrency, receivingCurrency, priceList })
    return { serviceFee: { fixedMinor: 0n, rate }, networkFeeMinor, counterpartyFeeMinor: 0n }
  }
}

function serviceRate({
  sendingCurrency,
  receivingCurrency,
  priceList,
}: {
  readonly sendingCurrency: string
  readonly receivingCurrency: string
  readonly priceList: PriceList
}): Rate {
  if (sendingCurrency === receivingCurrency) return priceList.sameCurrencyRate
  return isPegged(sendingCurrency, receivingCurrency) ? priceList.parRate : priceList.conversionRate
}

/** The chain's cost in sending minor units: the table gives it in units of the asset received. */
function networkFee(network: NetworkId, crossRate: Rate): bigint {
  return mulDivHalfUp(networkOf(network).convertedFeeMinor, crossRate.denominator, crossRate.numerator)
}

function convert(amountMinor: bigint, perMinor: Rate): bigint {
  return mulDivHalfUp(amountMinor, perMinor.numerator, perMinor.denominator)
}
