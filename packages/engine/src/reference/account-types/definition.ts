import type { FieldConstraint } from '@corridor/kernel'
import type { PaymentRail } from '../rails/index.ts'
import type { AccountInfo, AccountKind, AccountType, CheckContext, CryptoNetwork } from './account-type.ts'
import type { BeneficiaryNeeds } from './beneficiary-schemas.ts'
import type { Field } from './fields.ts'

/** One way to name the account: a field, what must come with it, and the rails it opens. */
export interface Identifier {
  readonly field: string
  readonly needs?: readonly string[]
  readonly rails: readonly PaymentRail[]
  /** Fields without which the number is not unique: routing number, branch, country (accounts 4.7). */
  readonly uniqueWithin?: readonly string[]
  /** The form in which two spellings of one identifier are equal. */
  readonly canonical?: (id: string) => string
}

/** Collects an error about one field of `accountInfo`; an empty field name is the whole of it. */
export type Refuse = (field: string, message: string, constraint?: FieldConstraint) => void

/** How the variant differs when it is shown to somebody who pays in (accounts 3.3). */
export interface FundingShape {
  /** Values of `accountType`; the type's own name when absent. */
  readonly names?: readonly string[]
  /** Further fields, required or not as each says. */
  readonly fields?: Readonly<Record<string, Field>>
  /** Whether the account's own fields are left out because another coordinate replaces them. */
  readonly replacesFields?: true
  readonly reference: 'REQUIRED' | 'OPTIONAL' | 'NONE'
}

/** What one account type declares; `defineAccountType` makes the rest of it. */
export interface Definition {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly kind: AccountKind
  readonly currencies: readonly string[]
  readonly isCurrencyConfigurable?: true
  readonly countries: readonly string[]
  readonly network?: CryptoNetwork
  readonly isPullable?: AccountType['isPullable']
  readonly fields: Readonly<Record<string, Field>>
  /** In order of preference; the first one given is the primary id. */
  readonly identifiers: readonly Identifier[]
  /** Whether giving two identifiers is a contradiction. */
  readonly takesExactlyOne?: true
  /** Wallets and Lightning have rules of their own and give none. */
  readonly beneficiary?: BeneficiaryNeeds
  /** Fills in what can be concluded from the rest. */
  readonly derive?: (info: AccountInfo) => AccountInfo
  /** Rules over several fields; shape. */
  readonly refuseShape?: (info: AccountInfo, refuse: Refuse) => void
  /** Rules over several fields that compare with a checksum or a directory; FULL only. */
  readonly refuseBank?: (info: AccountInfo, context: CheckContext, refuse: Refuse) => void
  /** The account's own fields with a required reference, when absent. */
  readonly funding?: FundingShape
  readonly example: Readonly<Record<string, unknown>>
}
