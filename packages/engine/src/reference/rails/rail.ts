import type { BankCalendar } from './holidays.ts'

export type RailKind = 'BANK' | 'MOBILE_MONEY' | 'UMA' | 'LIGHTNING' | 'CHAIN'

/**
 * What a rail can do beyond the obvious. `CANCEL`: a payment under way can still be called back on the
 * real network (accounts 10.4). Adapters implement exactly the optional methods claimed here.
 */
export type RailCapability =
  | 'PAYOUT'
  | 'PULL'
  | 'FUNDING_INSTRUCTIONS'
  | 'BENEFICIARY_VERIFICATION'
  | 'CANCEL'

/** When money arrives after it was handed to the rail (accounts 1.1). */
export type Settlement =
  | { readonly kind: 'INSTANT' }
  | { readonly kind: 'HOURS'; readonly hours: number }
  | { readonly kind: 'SAME_BUSINESS_DAY'; readonly cutOffUtcHour: number }
  | { readonly kind: 'BUSINESS_DAYS'; readonly days: number }

/** Which characters survive in the text that travels with a payment. */
export type RemittanceCharacters = 'SWIFT_X' | 'PRINTABLE_ASCII' | 'ALPHANUMERIC' | 'ANY'

/** A rail as data: documentation, discoveries, routing and adapters read this and nothing else. */
export interface Rail {
  readonly id: string
  readonly name: string
  readonly kind: RailKind
  readonly currencies: readonly string[]
  /** An operator may enable further fiat currencies (SWIFT). */
  readonly mayCarryAnyFiat?: true
  /** ISO 3166 alpha-2 codes, or `ANY` for a rail that knows no borders. */
  readonly countries: readonly string[] | 'ANY'
  /** Smallest and largest payment by currency, in minor units; a currency not listed has no bound. */
  readonly minAmountMinor?: Readonly<Record<string, bigint>>
  readonly maxAmountMinor?: Readonly<Record<string, bigint>>
  /** The rail that takes over above the maximum when it is not simply the account's next one. */
  readonly aboveMaximum?: string
  readonly settlement: Settlement
  /** The holidays of its settlement system; absent where they are not known. */
  readonly holidays?: BankCalendar
  /** Absent when no text travels with the payment. */
  readonly remittance?: { readonly maxLength: number; readonly characters: RemittanceCharacters }
  readonly capabilities: readonly RailCapability[]
}

/** Declares a rail and checks what the types cannot: a bound is of a currency that the rail carries. */
export function defineRail<const R extends Rail>(rail: R): R {
  const { currencies, minAmountMinor, maxAmountMinor, mayCarryAnyFiat }: Rail = rail
  for (const currency of Object.keys({ ...minAmountMinor, ...maxAmountMinor })) {
    if (!mayCarryAnyFiat && !currencies.includes(currency)) {
      throw new Error(`rail ${rail.id} bounds ${currency}, which it does not carry`)
    }
  }
  return rail
}
