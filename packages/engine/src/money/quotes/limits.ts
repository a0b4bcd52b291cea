import { type Configuration, isCurrencyOf } from '../../platform/platforms/index.ts'
import { type Failure, fail, outOfRange } from '../../vocabulary/errors.ts'

/** What the platform and its operator allow, for quotes and transfers alike (accounts 1.3). */
type Limits = Pick<Configuration, 'supportedCurrencies' | 'settings'>
type Currencies = Pick<Configuration, 'supportedCurrencies' | 'coins'>

/** Why one of the currencies cannot be used in this direction: unknown to the platform, or not enabled. */
export function currencyRefusal(
  configuration: Currencies,
  { currencies, direction }: { readonly currencies: readonly string[]; readonly direction: Direction },
): Failure | undefined {
  const supported = configuration.supportedCurrencies
    .filter(({ enabledTransactionTypes }) => enabledTransactionTypes.includes(direction))
    .filter(({ currencyCode }) => isCurrencyOf(configuration, currencyCode))
    .map(({ currencyCode }) => currencyCode)
  const currency = currencies.find((code) => !supported.includes(code))
  return currency === undefined ? undefined : fail('INVALID_CURRENCY', { currency, supported })
}

type Direction = 'INCOMING' | 'OUTGOING'

/** Why the amount that is sent is too small or too large: the platform's bounds first, then the operator's. */
export function amountRefusal(
  { supportedCurrencies, settings }: Limits,
  { currency, amountMinor }: { readonly currency: string; readonly amountMinor: bigint },
): Failure | undefined {
  const { least, most } = amountBounds(supportedCurrencies, currency)
  if (amountMinor < least || amountMinor > most) return outOfRange(currency, { least, most })
  const largest = settings.maxTransactionAmounts?.[currency]
  if (largest === undefined || amountMinor <= BigInt(largest)) return undefined
  return fail('TRANSACTION_SIZE_LIMIT_EXCEEDED', { max: largest, currency })
}

/** The bounds that the platform sets for what it sends in a currency; nothing can be sent in one that it has not. */
export function amountBounds(
  supportedCurrencies: Limits['supportedCurrencies'],
  currency: string,
): { readonly least: bigint; readonly most: bigint } {
  const entry = supportedCurrencies.find(({ currencyCode }) => currencyCode === currency)
  return { least: BigInt(entry?.minAmount ?? 1), most: BigInt(entry?.maxAmount ?? 0) }
}
