import { toWireAmount } from '@corridor/kernel'
import { toCurrency } from '../currencies/index.ts'
import {
  crossRate,
  equivalentMinor,
  lookupExchangeRate,
  type RateSnapshot,
  toWireRate,
} from '../exchange-rates/index.ts'
import type { Configuration } from '../platforms/index.ts'
import type { CurrencyPreference, ReceiverExternalAccountLookup } from './contract.ts'

/** Countries whose authorities want to know what a payment is for (accounts 5.2). */
const currenciesWithPurpose: ReadonlySet<string> = new Set(['INR', 'CNY'])

export function requiredPayerFields(
  currency: string,
  { isMandatory }: { readonly isMandatory: boolean },
): ReceiverExternalAccountLookup['requiredPayerDataFields'] {
  return currenciesWithPurpose.has(currency) ? [{ name: 'PURPOSE_OF_PAYMENT', mandatory: isMandatory }] : []
}

/**
 * A receiving currency as a sender sees it (accounts 5.1): the indicative rate without fees, and the
 * platform's bounds on what is sent, turned into the receiving currency. Undefined without a rate.
 */
export function currencyPreference(
  { supportedCurrencies }: Pick<Configuration, 'supportedCurrencies'>,
  snapshot: RateSnapshot,
  pair: { readonly source: string; readonly destination: string },
): CurrencyPreference | undefined {
  const cross = crossRate(snapshot, pair)
  const bounds = supportedCurrencies.find(({ currencyCode }) => currencyCode === pair.source)
  if (!cross || !bounds) return undefined
  const inReceiving = (amount: number) =>
    equivalentMinor(snapshot, { amountMinor: BigInt(amount), ...pair }) ?? 0n
  const min = inReceiving(bounds.minAmount)
  return {
    currency: toCurrency(pair.destination),
    estimatedExchangeRate: toWireRate(lookupExchangeRate(cross, pair)),
    // One smallest unit of a strong currency is many of a weak one, and the other way round less than one.
    min: toWireAmount(min > 0n ? min : 1n),
    max: toWireAmount(inReceiving(bounds.maxAmount)),
  }
}
