import { largestWireMinor, toWireAmount } from '@corridor/kernel'
import type { InternalAccount } from '../../platform/internal-accounts/index.ts'
import type { Configuration } from '../../platform/platforms/index.ts'
import type { EnvironmentRules } from '../../ports/adapters.ts'
import type { UmaReceiver } from '../../ports/uma.ts'
import { toCurrency } from '../../reference/currencies/index.ts'
import {
  crossRate,
  equivalentMinor,
  lookupExchangeRate,
  type RateSnapshot,
  toWireRate,
} from '../../reference/rates/index.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { CurrencyPreference, ReceiverExternalAccountLookup } from './contract.ts'

/** Countries whose authorities want to know what a payment is for (accounts 5.2). */
const currenciesWithPurpose: ReadonlySet<string> = new Set(['INR', 'CNY'])

export function requiredPayerFields(
  currency: string,
  { isMandatory }: { readonly isMandatory: boolean },
): ReceiverExternalAccountLookup['requiredPayerDataFields'] {
  return currenciesWithPurpose.has(currency) ? [{ name: 'PURPOSE_OF_PAYMENT', mandatory: isMandatory }] : []
}

/** Why a payment lacks what those authorities want to know; asked where payer data is enforced (accounts 7.2). */
export function purposeRefusal(
  {
    currency,
    purposeOfPayment,
  }: { readonly currency: string; readonly purposeOfPayment?: string | undefined },
  { requiresPayerData }: Pick<EnvironmentRules, 'requiresPayerData'>,
): Failure | undefined {
  const isMissing = requiresPayerData && currenciesWithPurpose.has(currency) && purposeOfPayment === undefined
  if (!isMissing) return undefined
  return fail('MISSING_MANDATORY_USER_INFO', {
    field: 'purposeOfPayment',
    missingFields: ['PURPOSE_OF_PAYMENT'],
  })
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
  const inReceiving = (amount: number) => {
    const minor = equivalentMinor(snapshot, { amountMinor: BigInt(amount), ...pair }) ?? 0n
    // Nothing larger can be sent, and of a weak currency a large bound would be.
    return minor > largestWireMinor ? largestWireMinor : minor
  }
  const min = inReceiving(bounds.minAmount)
  return {
    currency: toCurrency(pair.destination),
    estimatedExchangeRate: toWireRate(lookupExchangeRate(cross, pair)),
    // One smallest unit of a strong currency is many of a weak one, and the other way round less than one.
    min: toWireAmount(min > 0n ? min : 1n),
    max: toWireAmount(inReceiving(bounds.maxAmount)),
  }
}

/**
 * What a customer of ours can be sent (accounts 5.1, 11.1): the currencies of its active accounts that its
 * platform receives, the primary one first.
 */
export function offeredCurrencies(
  { currencies }: { readonly currencies: readonly string[] },
  accounts: readonly Pick<InternalAccount, 'currency' | 'status'>[],
  { supportedCurrencies }: Pick<Configuration, 'supportedCurrencies'>,
): UmaReceiver['currencies'] {
  const rank = (code: string) => (currencies.includes(code) ? currencies.indexOf(code) : currencies.length)
  return accounts
    .filter(({ status }) => status === 'ACTIVE')
    .toSorted((a, b) => rank(a.currency) - rank(b.currency))
    .flatMap(({ currency }) => {
      const entry = supportedCurrencies.find(({ currencyCode }) => currencyCode === currency)
      if (!entry?.enabledTransactionTypes.includes('INCOMING')) return []
      return [{ currency, minMinor: BigInt(entry.minAmount), maxMinor: BigInt(entry.maxAmount) }]
    })
}

/** A receiver's currencies as a sender sees them; one without a rate cannot be sent (accounts 5.1). */
export function umaPreferences(
  { currencies }: UmaReceiver,
  snapshot: RateSnapshot,
  source: string | undefined,
): CurrencyPreference[] {
  if (source === undefined) return []
  return currencies.flatMap(({ currency, minMinor, maxMinor }) => {
    const pair = { source, destination: currency }
    const cross = crossRate(snapshot, pair)
    if (!cross) return []
    const estimatedExchangeRate = toWireRate(lookupExchangeRate(cross, pair))
    return [
      {
        currency: toCurrency(currency),
        estimatedExchangeRate,
        min: toWireAmount(minMinor),
        max: toWireAmount(maxMinor),
      },
    ]
  })
}
