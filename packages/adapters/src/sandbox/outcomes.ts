import type { FactorLivenessOutcome } from '@corridor/engine/ports/factors.ts'
import type { IdentityStatus, IdentityVerdict } from '@corridor/engine/ports/identity.ts'
import type { OneTimeCodeUse } from '@corridor/engine/ports/messenger.ts'
import type { RailFailure } from '@corridor/engine/ports/rail.ts'

/**
 * Magic endings of an account's primary identifier (accounts 12.2 to 12.4, 4.10). These tables drive the
 * scripted rails and generate the guide, so the guide cannot be wrong.
 */
export interface ScriptedOutcome {
  readonly meaning: string
  /** Refused at submission, before anything is converted. */
  readonly refusedAs?: RailFailure
  /** Accepted, then failed. */
  readonly failsAs?: RailFailure
  /** Waits this long before its outcome; `isAccepted` says whether the rail has taken it on meanwhile. */
  readonly delayMs?: number
  readonly isAccepted?: boolean
  readonly isTimeout?: true
  /** Delivered, then given back after this long. */
  readonly returnsAfterMs?: number
  readonly isCancelled?: true
  readonly isRefundImpossible?: true
}

const success: ScriptedOutcome = { meaning: 'the payment succeeds' }

/** Pulls, transfers out, and onward payouts of incoming UMA payments. */
export const transferOutcomes: Readonly<Record<string, ScriptedOutcome>> = {
  '002': {
    meaning: 'the payment fails immediately, because the account has insufficient funds',
    refusedAs: 'INSUFFICIENT_FUNDS',
  },
  '003': {
    meaning: 'the payment fails immediately, because the account is closed or invalid',
    refusedAs: 'ACCOUNT_INVALID',
  },
  '004': { meaning: 'the bank rejects the payment', failsAs: 'ACCOUNT_CANNOT_RECEIVE' },
  '005': {
    meaning: 'the payment stays pending for about 30 seconds, then fails',
    failsAs: 'INTERNAL',
    delayMs: 30_000,
    isAccepted: false,
    isTimeout: true,
  },
}

/** Destinations of quotes. */
export const quoteOutcomes: Readonly<Record<string, ScriptedOutcome>> = {
  '002': { meaning: 'the execution of the quote fails', refusedAs: 'INTERNAL' },
  '003': { meaning: 'the payment completes after about 6 minutes', delayMs: 360_000, isAccepted: true },
  '004': { meaning: 'the delivery to the receiver fails', failsAs: 'ACCOUNT_CANNOT_RECEIVE' },
  '005': { meaning: 'the payment completes, then is returned by the receiving bank', returnsAfterMs: 2_000 },
  '006': { meaning: 'the user cancels the payment', isCancelled: true },
  '007': {
    meaning: 'the payout and its refund fail',
    failsAs: 'ACCOUNT_CANNOT_RECEIVE',
    isRefundImpossible: true,
  },
}

/** Beneficiary name checks at the creation of an account. */
export const beneficiaryOutcomes = {
  '102': { status: 'NOT_MATCHED', meaning: 'the names differ' },
  '103': { status: 'PARTIAL_MATCH', meaning: 'the names are similar' },
  '104': { status: 'PENDING', meaning: 'the check stays pending' },
  '105': { status: 'INVALID_ACCOUNT', meaning: 'Corridor rejects the account with 400 INVALID_BANK_ACCOUNT' },
  '106': { status: 'UNSUPPORTED', meaning: 'the rail cannot check names' },
  '107': { status: 'CHECKED_BY_RECEIVING_FI', meaning: 'the receiving institution checks the name' },
} as const

/** Users of the simulated UMA institution, without the dollar sign (accounts 12.5). */
export const umaUsers: Readonly<Record<string, ScriptedUmaUser>> = {
  'success.usd': { currency: 'USD', meaning: 'the payment completes' },
  'success.eur': { currency: 'EUR', meaning: 'the payment completes' },
  'success.mxn': { currency: 'MXN', meaning: 'the payment completes' },
  'pending.long.usd': {
    currency: 'USD',
    delayMs: 360_000,
    meaning: 'the payment completes after about 6 minutes',
  },
  'fail.compliance.usd': {
    currency: 'USD',
    isRefused: true,
    meaning: 'the payment fails with COMPLIANCE_REJECTED',
  },
}

interface ScriptedUmaUser {
  readonly currency: string
  readonly meaning: string
  readonly delayMs?: number
  readonly isRefused?: true
}

/**
 * Names of individuals: the status where it is decided at creation, and what a complete submission comes
 * to. Every other ending is approved (customers 10.2, 10.3).
 */
export const identityOutcomes: Readonly<
  Record<string, { status: IdentityStatus; submitted: IdentityVerdict; meaning: string }>
> = {
  '001': {
    status: 'PENDING',
    submitted: 'PENDING_MANUAL_REVIEW',
    meaning: 'the verification goes to manual review',
  },
  '002': { status: 'REJECTED', submitted: 'REJECTED', meaning: 'the verification is rejected permanently' },
  '003': {
    status: 'UNVERIFIED',
    submitted: 'POOR_QUALITY_DOCUMENT',
    meaning: 'the document check always fails',
  },
}

/** Registration numbers of businesses; every other ending, and none at all, is approved (customers 10.3). */
export const businessOutcomes: Readonly<Record<string, { submitted: IdentityVerdict; meaning: string }>> = {
  '001': { submitted: 'PENDING_MANUAL_REVIEW', meaning: 'the verification goes to manual review' },
  '002': { submitted: 'REJECTED', meaning: 'the verification is rejected permanently' },
  '003': { submitted: 'PENDING_MANUAL_REVIEW', meaning: 'the verification goes to manual review' },
}

/** Last names of owners, once their business is decided; every other ending is approved (customers 10.3). */
export const ownerOutcomes: Readonly<Record<string, { status: IdentityStatus; meaning: string }>> = {
  '001': { status: 'PENDING', meaning: 'the verification goes to manual review' },
  '002': { status: 'REJECTED', meaning: 'the verification is rejected permanently' },
}

/** The last three characters of a name or number, blanks at its end aside. */
export function nameSuffix(fullName: string): string {
  return [...fullName.trimEnd()].slice(-3).join('')
}

/** The codes that people would read from their e-mail or phone (customers 9.1, 13.3). */
export const oneTimeCodes: Readonly<Record<OneTimeCodeUse, string>> = {
  CONTACT_VERIFICATION: '123456',
  STRONG_AUTHENTICATION: '123456',
  WALLET: '000000',
}

/** What stands for a signature by a passkey (wallets 10); `validSignature` below stands for one by a session. */
export const walletOutcomes = { validPasskeySignature: 'sandbox-valid-passkey-signature' } as const

/** Strong authentication without a phone, an app or an authenticator (customers 13.3, 13.6). */
export const factorOutcomes: {
  readonly totpCode: string
  readonly liveness: Readonly<Record<string, { outcome: FactorLivenessOutcome; meaning: string }>>
} = {
  totpCode: '123456',
  /** By the ending of the customer's name; every other ending passes. */
  liveness: {
    '001': { outcome: 'PENDING_REVIEW', meaning: 'the verification goes to manual review' },
    '002': { outcome: 'REJECTED', meaning: 'the reset is rejected' },
  },
}

/** Proofs of who owns a wallet (accounts 4.9). */
export const ownershipOutcomes = {
  validSignature: 'sandbox-valid-signature',
  invalidSignature: 'sandbox-invalid-signature',
  /** How long a liveness session takes. */
  livenessMs: 2_000,
  /** The ending of a wallet address whose liveness session fails. */
  failingSuffix: '002',
} as const

export function outcomeOf(
  table: Readonly<Record<string, ScriptedOutcome>>,
  primaryId: string,
): ScriptedOutcome {
  return table[magicSuffix(primaryId)] ?? success
}

/** The last three characters of an identifier, before its `@` if it has one; empty unless all digits. */
export function magicSuffix(primaryId: string): string {
  const [name = ''] = primaryId.split('@')
  const ending = name.slice(-3)
  return /^\d{3}$/.test(ending) ? ending : ''
}
