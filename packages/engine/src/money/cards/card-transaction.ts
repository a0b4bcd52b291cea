import { assert, type Id, type Instant } from '@corridor/kernel'
import { decimalsOf } from '../../reference/currencies/lookup.ts'
import type { CardTransactionStatus } from './card-transaction-schemas.ts'
import type { CardHold } from './postings.ts'

/** A purchase, credit or return, as it is on record. Amounts are cents of the card's currency. */
export interface CardTransactionRecord {
  readonly id: Id<'CardTransaction'>
  readonly version: bigint
  readonly cardId: Id<'Card'>
  readonly customerId: Id<'Customer'>
  readonly platformCustomerId: string
  /** The account that funded it; later changes of the card do not move it. */
  readonly accountId: Id<'InternalAccount'>
  readonly token: string
  readonly status: CardTransactionStatus
  readonly direction: 'CREDIT' | 'DEBIT'
  readonly merchant: Merchant
  readonly currency: string
  readonly fundingCurrency: string
  readonly authorizedMinor: bigint
  readonly clearedMinor: bigint
  /** Reserved on the account, the charge not confirmed yet; the sum of the holds that are no reversals. */
  readonly heldMinor: bigint
  readonly holds: readonly CardHold[]
  /** Charged, net of what was given back. */
  readonly pulledMinor: bigint
  /** Paid to the network and not charged: for purchases, and for returns that were taken back. */
  readonly owedMinor: bigint
  readonly owedReturnsMinor: bigint
  readonly clearings: number
  readonly pulls: number
  readonly pendingPulls: number
  readonly returns: readonly CardReturn[]
  /** Ended without any claim. */
  readonly isExpired: boolean
  readonly lastEventAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export interface Merchant {
  readonly descriptor: string
  readonly mcc?: string
  readonly country?: string
}

/** One return of goods; digits, because amounts are exact. */
export interface CardReturn {
  readonly amount: string
  readonly isReversed?: true
  /** The item in suspense that it became, because the holder could not be given it. */
  readonly suspenseId?: Id<'Transaction'>
}

/** What stands returned, in cents. */
export function returnedMinor({ returns }: Pick<CardTransactionRecord, 'returns'>): bigint {
  return standingReturns({ returns }).reduce((sum, { amount }) => sum + BigInt(amount), 0n)
}

export function standingReturns({ returns }: Pick<CardTransactionRecord, 'returns'>): readonly CardReturn[] {
  return returns.filter(({ isReversed }) => !isReversed)
}

/** Units of the funding account in one cent of the card: exact, because both are dollars (cards 1.2). */
export function unitsPerCent(currency: string, fundingCurrency: string): bigint {
  const digits = decimalsOf(fundingCurrency) - decimalsOf(currency)
  assert(digits >= 0, 'a card is funded in units no coarser than its own')
  return 10n ** BigInt(digits)
}
