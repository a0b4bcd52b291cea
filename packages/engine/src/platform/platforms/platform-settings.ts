import Type, { type Static } from 'typebox'
import type { EnvironmentRules } from '../../ports/adapters.ts'
import {
  CustomerInfoFieldName,
  countryCode,
  currencyCode,
  enumOf,
  httpsUrl,
  nameText,
  unsignedMinor,
} from '../../vocabulary/shapes.ts'

function byCurrency<S extends Type.TSchema>(value: S) {
  return Type.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: value })
}

/** What the operator decides about one book of a platform; the platform itself cannot change it. */
export const PlatformSettings = Type.Object(
  {
    customerGate: Type.Optional(
      enumOf(['REJECTED_ONLY', 'STRICT'], {
        description:
          'Customers who may move money: all customers except rejected customers, or only approved customers.',
      }),
    ),
    requiresTermsConsent: Type.Optional(
      Type.Boolean({ description: 'True if customers must accept the terms before they can move money.' }),
    ),
    providerRequiredCustomerFields: Type.Optional(
      byCurrency(Type.Array(CustomerInfoFieldName, { maxItems: 100 })),
    ),
    maxTransactionAmounts: Type.Optional(
      byCurrency(unsignedMinor({ description: 'Maximum amount of a single payment, in the smallest unit.' })),
    ),
    counterpartyRules: Type.Optional(
      Type.Boolean({
        description: 'True if self-custody wallets need a named owner and a proof of ownership.',
      }),
    ),
    swiftCurrencies: Type.Optional(
      Type.Array(currencyCode(), {
        maxItems: 100,
        description: 'Currencies in addition to US dollars that accounts can receive over SWIFT.',
      }),
    ),
    maxDailyUsdAmount: Type.Optional(
      unsignedMinor({ description: 'Daily volume of one corridor (UTC), in US cents.' }),
    ),
    maxLiveCards: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000_000,
        description: 'Maximum number of cards that are not closed.',
      }),
    ),
    oneCardPerCardholder: Type.Optional(
      Type.Boolean({ description: 'True if a customer can have only one card at a time.' }),
    ),
    invitations: Type.Optional(
      Type.Object(
        {
          name: nameText({ examples: ['Example Pay'] }),
          logoUrl: httpsUrl({ examples: ['https://pay.example.com/logo.png'] }),
          countries: Type.Array(countryCode(), { minItems: 1, maxItems: 300, examples: [['US', 'MX']] }),
          onboardingUrl: httpsUrl({ examples: ['https://pay.example.com/join'] }),
        },
        { description: 'Details of the platform in invitations, and the sign-up page for invited people.' },
      ),
    ),
    umaPeers: Type.Optional(
      Type.Array(
        Type.Object(
          {
            domain: Type.String({
              pattern: '^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?(:[1-9][0-9]{0,4})?$',
              examples: ['wallet.example.com'],
            }),
            creditLineMsats: Type.Optional(
              unsignedMinor({
                description:
                  'Maximum amount that an institution with bilateral settlement can owe, in millisatoshi.',
              }),
            ),
            isBlocked: Type.Optional(Type.Boolean()),
          },
          { $id: 'UmaPeer' },
        ),
        {
          maxItems: 1000,
          description: 'Institutions outside this installation that UMA payments can reach.',
        },
      ),
    ),
    passkeys: Type.Optional(
      Type.Object(
        {
          relyingPartyId: Type.String({ minLength: 1, maxLength: 255, examples: ['app.example.com'] }),
          origins: Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
            minItems: 1,
            maxItems: 20,
            examples: [['https://app.example.com']],
          }),
        },
        { description: "Pages where the platform's customers use their passkeys." },
      ),
    ),
    refusesQuotedRates: Type.Optional(
      Type.Boolean({
        description: 'If true, executing any quote fails with QUOTE_RATE_UNAVAILABLE.',
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
