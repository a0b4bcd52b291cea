import { toTimestamp, toWireAmount } from '@corridor/kernel'
import { type Configuration, isCurrencyOf, type SupportedCurrency } from '../../platform/platforms/index.ts'
import { currencyOf, defaultPayoutRail, isCrypto, toCurrency } from '../../reference/currencies/index.ts'
import { isNetworkId } from '../../reference/rails/index.ts'
import { allInExchangeRate, type RateSnapshot, toWireRate } from '../../reference/rates/index.ts'
import { type PricedDestination, priceForward, pricingTerms, standingPlatformFee } from '../quotes/index.ts'
import type { ExchangeRate } from './contract.ts'

/** The amount that a price of nothing is shown for (accounts 6.1). */
const referenceAmountMinor = 10_000n

/** The part of a platform's configuration that prices depend on. */
export type PricedConfiguration = Pick<Configuration, 'supportedCurrencies' | 'coins' | 'feeConfigs'>

export interface PriceListRequest {
  /** Every configured source when undefined. */
  readonly sources: readonly string[] | undefined
  /** Every configured fiat currency when undefined; crypto only when it is named. */
  readonly destinations: readonly string[] | undefined
  readonly sendingAmountMinor: bigint
}

/**
 * The rows of GET /exchange-rates (accounts 6.1): configured sources in their order, destinations by
 * code, one row each with its default rail. A pair that is no corridor has none.
 */
export function priceList(
  config: PricedConfiguration,
  snapshot: RateSnapshot,
  { sources, destinations, sendingAmountMinor }: PriceListRequest,
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
      const row = priceRow(config, snapshot, { from, to, sendingAmountMinor })
      if (row && 'tooMuchFor' in row) return row
      if (row) rows.push(row)
    }
  }
  return rows
}

/** The currency in which an amount would be more than any payment can be (conventions 4). */
export interface TooMuch {
  readonly tooMuchFor: string
}

const largestAmountMinor = 9_000_000_000_000_000n

function priceRow(
  { feeConfigs }: PricedConfiguration,
  snapshot: RateSnapshot,
  { from, to, sendingAmountMinor }: { from: SupportedCurrency; to: string; sendingAmountMinor: bigint },
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

  // Nothing can be sent, but what it would cost can be shown.
  const priced = priceForward(sendingAmountMinor === 0n ? referenceAmountMinor : sendingAmountMinor, terms)
  const receivable = priced.receivingAmountMinor > 0n ? priced.receivingAmountMinor : 0n
  if (receivable > largestAmountMinor) return { tooMuchFor: to }
  const exchangeRate = allInExchangeRate({
    ...pair,
    sendingAmountMinor: priced.sendingAmountMinor,
    receivingAmountMinor: receivable,
    cross: terms.crossRate,
  })
  const fixedMinor = priced.serviceFixedMinor + priced.networkFeeMinor + priced.platformFixedMinor
  return {
    sourceCurrency: toCurrency(pair.source),
    destinationCurrency: toCurrency(to),
    destinationPaymentRail: rail,
    sendingAmount: toWireAmount(sendingAmountMinor),
    minSendingAmount: from.minAmount,
    maxSendingAmount: from.maxAmount,
    receivingAmount: sendingAmountMinor === 0n ? 0 : toWireAmount(receivable),
    exchangeRate: toWireRate(exchangeRate),
    fees: { fixed: toWireAmount(fixedMinor), total: toWireAmount(priced.feesIncludedMinor) },
    updatedAt: toTimestamp(snapshot.updatedAt),
  }
}
