import { mulDivHalfUp, parseRate, type Rate } from '@corridor/kernel'
import { isPegged } from '../../reference/currencies/index.ts'
import { type NetworkId, networkOf } from '../../reference/rails/index.ts'
import type { PricingTerms } from './pricing.ts'

/** A fee rate of nothing; `parseRate` only reads positive rates. */
const freeRate: Rate = { numerator: 0n, denominator: 1n }

/** The service's prices (accounts 8): r when nothing is converted, between dollars at par, and otherwise. */
const rates = { sameCurrency: freeRate, par: parseRate('0.001'), conversion: parseRate('0.005') }

/**
 * Those of UMA: r; sf in US cents, converted to the sending currency; and C when the peer is the built-in one, in
 * US cents, converted to the receiving currency. Both half up.
 */
const umaPrices = { rate: parseRate('0.003'), fixedUsdMinor: 10n, counterpartyUsdMinor: 10n }

/** Where a payment goes, as far as its price depends on it. */
export type PricedDestination =
  | { readonly kind: 'ACCOUNT' }
  | { readonly kind: 'ON_CHAIN'; readonly network: NetworkId }
  | {
      readonly kind: 'UMA'
      /** A real peer names its own fee, in receiving minor units; else the service's applies. */
      readonly peerFeeMinor?: bigint
      /** Its price: millisatoshi per receiving minor unit. */
      readonly peerMultiplier?: Rate
    }

/** The fees of a payment, ready for `pricePayment`; the platform's own fee is not the service's. */
export type ServiceTerms = Pick<PricingTerms, 'serviceFee' | 'networkFeeMinor' | 'counterpartyFeeMinor'>

/** Chooses sf, r and C (accounts 8, default price list). */
export function chooseFees({
  sendingCurrency,
  receivingCurrency,
  destination,
  crossRate,
  sendingPerUsdMinor,
  receivingPerUsdMinor,
}: {
  readonly sendingCurrency: string
  readonly receivingCurrency: string
  readonly destination: PricedDestination
  /** X: receiving minor units per sending minor unit. */
  readonly crossRate: Rate
  /** Minor units of the sending, of the receiving currency per US cent. */
  readonly sendingPerUsdMinor: Rate
  readonly receivingPerUsdMinor: Rate
}): ServiceTerms {
  switch (destination.kind) {
    case 'UMA':
      return {
        serviceFee: {
          fixedMinor: convert(umaPrices.fixedUsdMinor, sendingPerUsdMinor),
          rate: umaPrices.rate,
        },
        networkFeeMinor: 0n,
        counterpartyFeeMinor:
          destination.peerFeeMinor ?? convert(umaPrices.counterpartyUsdMinor, receivingPerUsdMinor),
      }
    case 'ON_CHAIN':
      return serviceTerms(networkFee(destination.network, crossRate))
    case 'ACCOUNT':
      return serviceTerms(0n)
  }

  function serviceTerms(networkFeeMinor: bigint): ServiceTerms {
    const rate = serviceRate(sendingCurrency, receivingCurrency)
    return { serviceFee: { fixedMinor: 0n, rate }, networkFeeMinor, counterpartyFeeMinor: 0n }
  }
}

function serviceRate(sendingCurrency: string, receivingCurrency: string): Rate {
  if (sendingCurrency === receivingCurrency) return rates.sameCurrency
  return isPegged(sendingCurrency, receivingCurrency) ? rates.par : rates.conversion
}

/** The chain's cost in sending minor units: the table gives it in units of the asset received. */
function networkFee(network: NetworkId, crossRate: Rate): bigint {
  return mulDivHalfUp(networkOf(network).convertedFeeMinor, crossRate.denominator, crossRate.numerator)
}

function convert(amountMinor: bigint, perMinor: Rate): bigint {
  return mulDivHalfUp(amountMinor, perMinor.numerator, perMinor.denominator)
}
