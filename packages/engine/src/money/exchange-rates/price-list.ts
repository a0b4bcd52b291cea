import { toTimestamp, toWireAmount } from '@corridor/kernel'
import { type Configuration, isCurrencyOf, type SupportedCurrency } from '../../platform/platforms/index.ts'
import { currencyOf, defaultPayoutRail, isCrypto, toCurrency } from '../../reference/currencies/index.ts'
import { isNetworkId } from '../../reference/rails/index.ts'
import { allInExchangeRate, type RateSnapshot, toWireRate } from '../../reference/rates/index.ts'
import {
  type PricedDestination,
  type Pricing,
  type PricingInput,
  type PricingTerms,
  priceForward,
  pricePayment,
  pricingTerms,
  standingPlatformFee,
} from '../quotes/index.ts'
import type { ExchangeRate } from './contract.ts'

/** The amount that a price of nothing is shown for (accounts 6.1). */
const referenceAmountMinor = 10_000n

/** The part of a platform's configuration that prices depend on. */
export type PricedConfiguration = Pick<Configuration, 'supportedCurrencies' | 'coins' | 'feeConfigs'>

/** The amount that is asked about: minor units of the source where it is sent, of the destination where it is received. */
type LockedAmount = Pick<PricingInput, 'lockedSide' | 'lockedAmountMinor'>

export interface PriceListRequest extends LockedAmount {
  /** Every configured source when undefined. */
  readonly sources: readonly string[] | undefined
  /** Every configured fiat currency when undefined; crypto only when it is named. */
  readonly destinations: readonly string[] | undefined
}

/**
 * The rows of GET /exchange-rates (accounts 6.1): configured sources in their order, destinations by
 * code, one row each with its default rail. A pair that is no corridor has none, nor has one whose fees
 * let no amount deliver what is to be received.
 */
export function priceList(
  config: PricedConfiguration,
  snapshot: RateSnapshot,
  { sources, destinations, ...locked }: PriceListRequest,
): ExchangeRate[] | TooMuch {
  const supportedCurrencies = config.supportedCurrencies.filter(({ currencyCode }) =>
    isCurrencyOf(config, currencyCode),
  )
  const origins = supportedCurrencies
    .filter(({ enabledTransactionTypes }) => enabledTransactionTypes.includes('OUTGOING'))
    .filter(({ currencyCode }) => sources === undefined || sources.includes(currencyCode))
  const targets = supportedCurrencies
    .map(({ currencyCode }) => currencyCode)
    .filter((code) => (destinations ? destinations.includes(code) : !isCrypto(code)))
    .sort()
  const rows: ExchangeRate[] = []
  for (const from of origins) {
    for (const to of targets) {
      const row = priceRow(config, snapshot, { from, to, ...locked })
      if (row && 'tooMuchFor' in row) return row
      if (row) rows.push(row)
    }
  }
  return rows
}

/** The currency of the other side, in which the amount would be more than any payment can be (conventions 4). */
export interface TooMuch {
  readonly tooMuchFor: string
}

const largestAmountMinor = 9_000_000_000_000_000n

function priceRow(
  { feeConfigs }: PricedConfiguration,
  snapshot: RateSnapshot,
  { from, to, ...locked }: LockedAmount & { from: SupportedCurrency; to: string },
): ExchangeRate | TooMuch | undefined {
  const rail = isCrypto(to) ? currencyOf(to).usualRail : defaultPayoutRail(to)
  const pair = { source: from.currencyCode, destination: to }
  if (rail === undefined || pair.source === to) return undefined
  const destination: PricedDestination = isNetworkId(rail)
    ? { kind: 'ON_CHAIN', network: rail }
    : { kind: 'ACCOUNT' }
  const platformFee = standingPlatformFee(feeConfigs, pair)
  const terms = pricingTerms({ snapshot, pair, destination, platformFee })
  if (!terms) return undefined

  const priced = priceOf(locked, terms)
  if (!priced) return undefined
  const receivable = priced.receivingAmountMinor > 0n ? priced.receivingAmountMinor : 0n
  if (receivable > largestAmountMinor) return { tooMuchFor: to }
  const fixedMinor = priced.serviceFixedMinor + priced.networkFeeMinor + priced.platformFixedMinor
  // No amount would pay them.
  if (fixedMinor >= largestAmountMinor) return undefined
  if (priced.sendingAmountMinor > largestAmountMinor || priced.feesIncludedMinor > largestAmountMinor)
    return { tooMuchFor: pair.source }
  const exchangeRate = allInExchangeRate({
    ...pair,
    sendingAmountMinor: priced.sendingAmountMinor,
    receivingAmountMinor: receivable,
    cross: terms.crossRate,
  })
  const isNothing = locked.lockedAmountMinor === 0n
  return {
    sourceCurrency: toCurrency(pair.source),
    destinationCurrency: toCurrency(to),
    destinationPaymentRail: rail,
    sendingAmount: isNothing ? 0 : toWireAmount(priced.sendingAmountMinor),
    minSendingAmount: from.minAmount,
    maxSendingAmount: from.maxAmount,
    receivingAmount: isNothing ? 0 : toWireAmount(receivable),
    exchangeRate: toWireRate(exchangeRate),
    fees: { fixed: toWireAmount(fixedMinor), total: toWireAmount(priced.feesIncludedMinor) },
    updatedAt: toTimestamp(snapshot.updatedAt),
  }
}

/**
 * What a quote comes to that locks the amount. Of one to be sent also where it would be none: what it costs can
 * be shown, and of nothing what the reference amount costs. Undefined where no amount delivers the one to be received.
 */
function priceOf({ lockedSide, lockedAmountMinor }: LockedAmount, terms: PricingTerms): Pricing | undefined {
  if (lockedSide === 'SENDING') return priceForward(lockedAmountMinor || referenceAmountMinor, terms)
  const priced = pricePayment({ ...terms, lockedSide, lockedAmountMinor })
  return priced.ok ? priced.value : undefined
}
