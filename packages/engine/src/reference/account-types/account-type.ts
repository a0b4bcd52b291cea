import type { FieldError, Instant } from '@corridor/kernel'
import type { TSchema } from 'typebox'
import type { PaymentRail } from '../rails/index.ts'

/** Decides what an account can do: be pulled from, have its holder's name verified, need an ownership proof. */
export type AccountKind = 'BANK' | 'MOBILE_MONEY' | 'BANK_OR_MOBILE_MONEY' | 'WALLET' | 'LIGHTNING'

/**
 * How much of an account is believed (accounts 4.4). SHAPE: presence, length, characters and
 * combinations. FULL: also check digits, checksums, directories and the beneficiary data that payout
 * partners demand. Which one applies is the caller's business; nothing here knows about environments.
 */
export type Strictness = 'SHAPE' | 'FULL'

export const CRYPTO_NETWORKS = [
  'BITCOIN',
  'ETHEREUM',
  'SOLANA',
  'BASE',
  'POLYGON',
  'TRON',
  'PLASMA',
  'SPARK',
] as const
export type CryptoNetwork = (typeof CRYPTO_NETWORKS)[number]

/**
 * One variant's fields as they travel and as they are stored. Which fields there are is data (the
 * variant's schema), so the static type stays open; read text with `textOf`.
 */
export interface AccountInfo {
  readonly accountType: string
  readonly [field: string]: unknown
}

export interface CheckContext {
  readonly strictness: Strictness
  /** Calendar date `YYYY-MM-DD`: a birth date must lie before it. */
  readonly today: string
  /** An invoice must expire after it. */
  readonly now: Instant
  /** The bank names payouts in this currency know. Absent where no directory exists. */
  readonly bankNames?: readonly string[]
}

/** Field paths are relative to the request body: `accountInfo.beneficiary.birthDate`. */
export interface CheckResult {
  /** Refused as `INVALID_INPUT`. */
  readonly shape: readonly FieldError[]
  /** Refused as `INVALID_BANK_ACCOUNT`; always empty under SHAPE. */
  readonly bank: readonly FieldError[]
}

/** One `accountType`, as data: everything that schemas, routing and documentation read. */
export interface AccountType {
  readonly name: string
  /** Other values of `accountType` meaning the same; echoed as sent (accounts 4.3). */
  readonly aliases: readonly string[]
  readonly kind: AccountKind
  readonly currencies: readonly string[]
  /** An operator may enable further fiat currencies (SWIFT). */
  readonly isCurrencyConfigurable: boolean
  /** ISO 3166 alpha-2; empty means anywhere. */
  readonly countries: readonly string[]
  /** The chain of a wallet. */
  readonly network?: CryptoNetwork
  /** Whether money may be pulled from such an account, per strictness (accounts 7.1). */
  readonly isPullable: Readonly<Record<Strictness, boolean>>
  readonly schemas: {
    /** `accountInfo` of a creation request. Says nothing that depends on normalised text. */
    readonly create: TSchema
    /** `accountInfo` of a response. */
    readonly response: TSchema
    /** `accountOrWalletInfo` of funding instructions. */
    readonly funding: TSchema
  }
  /** A valid request under FULL: the published example, and the first row of the tests. */
  readonly example: AccountInfo
  /** Cleans what was sent, drops what is unknown, fills in what can be derived (accounts 4.3). */
  normalize(sent: AccountInfo): AccountInfo
  /**
   * Judges normalised input (accounts 4.4 to 4.6). Presence, types and enums are the create schema's
   * part. Tolerates input which that schema refused, so that both lists of errors can be shown at once.
   */
  check(info: AccountInfo, context: CheckContext): CheckResult
  /** The identifier that names the account: duplicates and simulated outcomes read it (accounts 4.5). */
  primaryId(info: AccountInfo): string
  /** Equal for two spellings of the same account of one owner (accounts 4.7). */
  duplicateKey(info: AccountInfo, currency: string): string
  /** Rails this very account can be reached over, default first (accounts 1.1). */
  rails(info: AccountInfo): readonly PaymentRail[]
  /** A wallet whose keys its owner holds: only these need an ownership proof (accounts 4.9). */
  isSelfCustody(info: AccountInfo): boolean
}

/** Whether such accounts are paid over rails, to a named beneficiary; the others are paid on their network. */
export function isRailed(kind: AccountKind): boolean {
  return kind !== 'WALLET' && kind !== 'LIGHTNING'
}

/** The text of a field, or undefined when it is absent, empty or not text. */
export function textOf(info: object, field: string): string | undefined {
  const value = (info as Readonly<Record<string, unknown>>)[field]
  return typeof value === 'string' && value !== '' ? value : undefined
}
