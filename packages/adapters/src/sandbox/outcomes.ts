import type { IdentityStatus } from '@corridor/engine/ports/adapters.ts'
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

const success: ScriptedOutcome = { meaning: 'successful payment' }

/** Pulls, transfers out, and onward payouts of incoming UMA payments. */
export const transferOutcomes: Readonly<Record<string, ScriptedOutcome>> = {
  '002': { meaning: 'insufficient funds; fails immediately', refusedAs: 'INSUFFICIENT_FUNDS' },
  '003': { meaning: 'account closed or invalid; fails immediately', refusedAs: 'ACCOUNT_INVALID' },
  '004': { meaning: 'transfer rejected by the bank', failsAs: 'ACCOUNT_CANNOT_RECEIVE' },
  '005': {
    meaning: 'stays pending about 30 seconds, then fails',
    failsAs: 'INTERNAL',
    delayMs: 30_000,
    isAccepted: false,
    isTimeout: true,
  },
}

/** Destinations of quotes. */
export const quoteOutcomes: Readonly<Record<string, ScriptedOutcome>> = {
  '002': { meaning: 'quote execution failed', refusedAs: 'INTERNAL' },
  '003': { meaning: 'completes after about 6 minutes', delayMs: 360_000, isAccepted: true },
  '004': { meaning: 'counterparty delivery failed', failsAs: 'ACCOUNT_CANNOT_RECEIVE' },
  '005': { meaning: 'completes, then the receiving bank returns the payment', returnsAfterMs: 2_000 },
  '006': { meaning: 'cancelled by the user', isCancelled: true },
  '007': { meaning: 'payout and refund failed', failsAs: 'ACCOUNT_CANNOT_RECEIVE', isRefundImpossible: true },
}

/** Beneficiary name checks at the creation of an account. */
export const beneficiaryOutcomes = {
  '102': { status: 'NOT_MATCHED', meaning: 'another name' },
  '103': { status: 'PARTIAL_MATCH', meaning: 'a similar name' },
  '104': { status: 'PENDING', meaning: 'never answers' },
  '105': { status: 'INVALID_ACCOUNT', meaning: 'refused: 400 INVALID_BANK_ACCOUNT' },
  '106': { status: 'UNSUPPORTED', meaning: 'the rail cannot check names' },
  '107': { status: 'CHECKED_BY_RECEIVING_FI', meaning: 'left to the receiving institution' },
} as const

/** Users of the simulated UMA institution, without the dollar sign (accounts 12.5). */
export const umaReceivers: Readonly<Record<string, { currency: string }>> = {
  'success.usd': { currency: 'USD' },
  'success.eur': { currency: 'EUR' },
  'success.mxn': { currency: 'MXN' },
  'pending.long.usd': { currency: 'USD' },
  'fail.compliance.usd': { currency: 'USD' },
}

/** Names of individuals; every other ending is approved (customers 10.2, 10.3). */
export const identityOutcomes: Readonly<Record<string, { status: IdentityStatus; meaning: string }>> = {
  '001': { status: 'PENDING', meaning: 'waits for a review' },
  '002': { status: 'REJECTED', meaning: 'refused for good' },
  '003': { status: 'UNVERIFIED', meaning: 'never gets past the check of the documents' },
}

/** The last three characters of a name, blanks at its end aside. */
export function nameSuffix(fullName: string): string {
  return [...fullName.trimEnd()].slice(-3).join('')
}

/** The codes that people would read from their e-mail or phone (customers 9.1). */
export const oneTimeCodes: Readonly<Record<OneTimeCodeUse, string>> = { CONTACT_VERIFICATION: '123456' }

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
