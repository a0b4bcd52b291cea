import { assert, type Id, toTimestamp } from '@corridor/kernel'
import {
  balanceEvents,
  type InternalAccount,
  whileStatusStays,
} from '../../platform/internal-accounts/index.ts'
import type { Decision, Insert, Update } from '../../vocabulary/decision.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { type Deposit, decideDeposit } from './deposits.ts'
import { journal } from './postings.ts'
import { suspenseToAccount, suspenseToRail } from './receipts.ts'

/**
 * Money in suspense: its owner is known and cannot be given it now (accounts 3.1, 13 row 17), or nobody is known
 * to await it (3.3).
 */
export interface SuspenseItem {
  /** The transaction that a deposit will be credited with, or the one that was collected or whose refund failed. */
  readonly id: Id<'Transaction'>
  readonly version: bigint
  readonly kind: 'DEPOSIT' | 'PULL' | 'REFUND' | 'UNMATCHED'
  readonly status: 'WAITING' | 'CREDITED' | 'SENT_BACK'
  /** The account whose activation credits it; null where only the operator decides. */
  readonly internalAccountId: string | null
  readonly currency: string
  readonly amountMinor: bigint
  readonly deposit: SuspendedDeposit | null
}

/** How a deposit came, and what it is credited as. */
interface SuspendedDeposit {
  readonly rail: string
  readonly reference: string
  /** Minor units of the account's currency as text. */
  readonly creditedMinor: string
  readonly originator?: NonNullable<Deposit['originator']>
  /** What the payer wrote, where that names nobody. */
  readonly payerReference?: string
}

type NewItem = Omit<SuspenseItem, 'version' | 'status'>

/** The record of money that is put into suspense; the posting is the caller's. */
export function suspenseRow(now: number, item: NewItem): Insert {
  const { id, kind, internalAccountId, currency, amountMinor, deposit } = item
  return {
    table: 'suspense_items',
    row: {
      id,
      kind,
      status: 'WAITING',
      internal_account_id: internalAccountId,
      currency,
      amount: amountMinor,
      deposit,
      created_at: toTimestamp(now),
    },
  }
}

/** Credits a deposit that waited, as an ordinary one; a refund as what it is (accounts 3.1). */
export function decideReplay(
  scope: Scope,
  item: SuspenseItem,
  account: InternalAccount,
  platformCustomerId: string,
  reason?: string,
): Decision<void> {
  if (!item.deposit) return decideCredit(scope, item, account, reason)
  const { rail, reference, creditedMinor, originator } = item.deposit
  const { currency, amountMinor } = item
  const { transaction: _, ...deposit } = decideDeposit(scope, {
    transactionId: item.id,
    account,
    platformCustomerId,
    amountMinor: BigInt(creditedMinor),
    rail,
    reference,
    ...(account.currency === currency ? {} : { arrived: { currency, amountMinor } }),
    ...(originator ? { originator } : {}),
    isFromSuspense: true,
  })
  return {
    ...deposit,
    updates: [decided(scope, item, 'CREDITED', reason)],
    requires: [whileStatusStays(account)],
    result: () => undefined,
  }
}

/** Gives a failed refund to an account of its owner after all. */
export function decideCredit(
  scope: Scope,
  item: SuspenseItem,
  account: InternalAccount,
  reason?: string,
): Decision<void> {
  const postings = suspenseToAccount(item, account.id)
  return {
    updates: [decided(scope, item, 'CREDITED', reason)],
    requires: [whileStatusStays(account)],
    transfers: journal(item.id, 'resolve', postings),
    events: balanceEvents([account], postings),
    result: () => undefined,
  }
}

/** The operator paid it out by other means. */
export function decideSendBack(
  scope: Scope,
  item: SuspenseItem,
  rail: string,
  reason?: string,
): Decision<void> {
  return {
    updates: [decided(scope, item, 'SENT_BACK', reason)],
    transfers: journal(item.id, 'resolve', suspenseToRail(item, rail)),
    result: () => undefined,
  }
}

function decided(
  { now, actor }: Scope,
  item: SuspenseItem,
  status: SuspenseItem['status'],
  reason?: string,
): Update {
  return leaveSuspense(item, status, { now, by: actor.id, reason })
}

/** Takes an amount out of suspense because its rail takes it back: the item is over, or waits with the rest. */
export function takeFromSuspense({ now, actor }: Scope, item: SuspenseItem, amountMinor: bigint): Update {
  const { id, version, deposit } = item
  const rest = item.amountMinor - amountMinor
  if (rest === 0n) return leaveSuspense(item, 'SENT_BACK', { now, by: actor.id })
  assert(rest > 0n && deposit, 'no more is taken out of suspense than an item is worth')
  const set = { amount: rest, deposit: { ...deposit, creditedMinor: rest.toString() } }
  return { table: 'suspense_items', id, version, from: ['WAITING'], set }
}

/** Takes an item out of suspense, once; who paid is forgotten. The posting is the caller's. */
export function leaveSuspense(
  { id, version, deposit }: Pick<SuspenseItem, 'id'> & Partial<SuspenseItem>,
  status: SuspenseItem['status'],
  { now, by, reason }: { readonly now: number; readonly by: string; readonly reason?: string | undefined },
): Update {
  const { originator: _, ...kept } = deposit ?? {}
  return {
    table: 'suspense_items',
    id,
    ...(version === undefined ? {} : { version }),
    from: ['WAITING'],
    set: {
      status,
      decided_at: toTimestamp(now),
      decided_by: by,
      ...(reason === undefined ? {} : { decided_reason: reason }),
      ...(deposit?.originator ? { deposit: kept } : {}),
    },
  }
}
