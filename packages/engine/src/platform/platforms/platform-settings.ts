import Type, { type Static } from 'typebox'
import type { EnvironmentRules } from '../../ports/adapters.ts'
import {
  CustomerInfoFieldName,
  countryCode,
  currencyCode,
  enumOf,
  nameText,
  unsignedMinor,
  url,
} from '../../vocabulary/shapes.ts'

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
    maxLiveCards: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000_000,
        description: 'Cards that are not closed, at the most.',
      }),
    ),
    oneCardPerCardholder: Type.Optional(
      Type.Boolean({ description: 'Whether a customer may have one card at a time.' }),
    ),
    invitations: Type.Optional(
      Type.Object(
        {
          name: nameText({ examples: ['Example Pay'] }),
          logoUrl: url({ examples: ['https://pay.example.com/logo.png'] }),
          countries: Type.Array(countryCode(), { minItems: 1, maxItems: 300, examples: [['US', 'MX']] }),
          onboardingUrl: url({ examples: ['https://pay.example.com/join'] }),
        },
        { description: 'What an invitation shows of the platform, and where those whom it reaches sign up.' },
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
                description: 'How much it may owe us, in millisatoshi: what it settles bilaterally.',
              }),
            ),
            isBlocked: Type.Optional(Type.Boolean()),
          },
          { $id: 'UmaPeer' },
        ),
        {
          maxItems: 1000,
          description: 'Institutions outside this installation that UMA payments may reach.',
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
        { description: "The pages on which the platform's customers use their passkeys." },
      ),
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
