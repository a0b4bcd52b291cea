import Type, { type Static } from 'typebox'
import { CustomerInfoFieldName, currencyCode, enumOf, unsignedMinor } from '../http/shapes.ts'
import type { EnvironmentRules } from '../ports/adapters.ts'

function byCurrency<S extends Type.TSchema>(value: S) {
  return Type.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: value })
}

/** What the operator decides about one book of a platform; the platform itself cannot change it. */
export const PlatformSettings = Type.Object(
  {
    customerGate: Type.Optional(
      enumOf(['REJECTED_ONLY', 'STRICT'], {
        description: 'Which customers may move money: all but the rejected ones, or the approved ones.',
      }),
    ),
    requiresTermsConsent: Type.Optional(
      Type.Boolean({ description: 'Whether customers must have accepted the terms to move money.' }),
    ),
    providerRequiredCustomerFields: Type.Optional(
      byCurrency(Type.Array(CustomerInfoFieldName, { maxItems: 100 })),
    ),
    maxTransactionAmounts: Type.Optional(
      byCurrency(unsignedMinor({ description: 'Largest single payment, in the smallest unit.' })),
    ),
    counterpartyRules: Type.Optional(
      Type.Boolean({
        description: 'Whether self-custody wallets must say whose they are and have their owner proved.',
      }),
    ),
    swiftCurrencies: Type.Optional(
      Type.Array(currencyCode(), {
        maxItems: 100,
        description: 'Currencies besides US dollars that accounts may receive over SWIFT.',
      }),
    ),
    maxDailyUsdAmount: Type.Optional(
      unsignedMinor({ description: 'Volume of one corridor per UTC day, as its equivalent in US cents.' }),
    ),
    refusesQuotedRates: Type.Optional(
      Type.Boolean({
        description: 'Whether execution refuses every quote: its rate is no longer to be had.',
      }),
    ),
  },
  { $id: 'PlatformSettings' },
)
export type PlatformSettings = Static<typeof PlatformSettings>

/** Who may move money, once the operator's settings are laid over the rules of the environment. */
export interface MoneyGates {
  readonly customerGate: 'REJECTED_ONLY' | 'STRICT'
  readonly requiresTermsConsent: boolean
}

/** The gates of a book (customers 1.2, 7). */
export function moneyGates(
  rules: Pick<EnvironmentRules, 'customerGate' | 'termsGate'>,
  settings: PlatformSettings,
  platform: { readonly isRegulated: boolean },
): MoneyGates {
  return {
    customerGate: settings.customerGate ?? rules.customerGate,
    requiresTermsConsent:
      settings.requiresTermsConsent ??
      (rules.termsGate === 'CUSTOMERS_OF_UNREGULATED' && !platform.isRegulated),
  }
}
