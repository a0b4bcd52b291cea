import { assert, type Id, type Instant, step, toTimestamp, toWireAmount } from '@corridor/kernel'
import { ledgerAccount } from '../../mechanisms/ledger/accounts.ts'
import { platformOwner } from '../../platform/internal-accounts/index.ts'
import { toCurrency } from '../../reference/currencies/index.ts'
import type { Insert, NewEvent, Requirement, Update } from '../../vocabulary/decision.ts'
import { subjectOfOwner } from '../../vocabulary/subject.ts'
import { receivableMachine } from './machine.ts'
import type { ReceivableCause, ReceivableStatus, Receivable as ReceivableWire } from './receivable-schemas.ts'

/**
 * Amount that an owner owes in one currency. The outstanding amounts of an owner's receivables sum up to the balance of its receivable
 * account in the ledger, with the opposite sign. A Decision that posts to that account therefore also changes a receivable.
 */
export interface Receivable {
  readonly id: Id<'Receivable'>
  readonly version: bigint
  readonly ownerId: string
  readonly currency: string
  readonly status: ReceivableStatus
  readonly cause: ReceivableCause
  readonly transactionId: Id<'Transaction'> | Id<'CardTransaction'>
  /** Counter account, which the transaction of a collection names as its destination. */
  readonly counterAccountId: string | null
  readonly amountMinor: bigint
  readonly remainingMinor: bigint
  /** Amount that the operator wrote off. */
  readonly writtenOffMinor: bigint
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly settledAt: Instant | null
}

export type NewReceivable = Pick<
  Receivable,
  'id' | 'ownerId' | 'currency' | 'cause' | 'transactionId' | 'counterAccountId' | 'amountMinor'
>

/**
 * Creates a receivable. The caller makes the posting and `owingChanges`. A customer cannot be deleted at the same moment: either
 * the deletion finds the receivable, or the receivable finds the customer deleted.
 */
export function owe(
  now: Instant,
  owed: NewReceivable,
): { insert: Insert; event: NewEvent; requires: Requirement[] } {
  const { id, ownerId, currency, cause, transactionId, counterAccountId, amountMinor } = owed
  assert(amountMinor > 0n, 'a receivable is of something')
  const at = toTimestamp(now)
  const receivable: Receivable = {
    ...owed,
    version: 1n,
    status: 'OPEN',
    remainingMinor: amountMinor,
    writtenOffMinor: 0n,
    createdAt: now,
    updatedAt: now,
    settledAt: null,
  }
  return {
    insert: {
      table: 'receivables',
      row: {
        id,
        owner_id: ownerId,
        currency,
        status: 'OPEN',
        cause,
        transaction_id: transactionId,
        counter_account_id: counterAccountId,
        amount: amountMinor,
        remaining: amountMinor,
        created_at: at,
        updated_at: at,
      },
    },
    event: receivableEvent(receivable, 'CREATED'),
    requires: ownerId === platformOwner ? [] : [{ table: 'customers', id: ownerId }],
  }
}

interface ReceivableChange {
  readonly next: Receivable
  readonly update: Update
  readonly event: NewEvent
}

/** Reduces a receivable by a payment. The caller makes the posting to `account.receivable`. */
export function payOff(receivable: Receivable, paidMinor: bigint, now: Instant): ReceivableChange {
  const remainingMinor = receivable.remainingMinor - paidMinor
  assert(paidMinor > 0n && remainingMinor >= 0n, 'no more is paid than is owed')
  return change(receivable, remainingMinor === 0n ? 'settle' : 'pay', { remainingMinor }, now)
}

/** Gives up what is left of a receivable. The caller makes the posting to `account.receivable`. */
export function writeOff(receivable: Receivable, now: Instant): ReceivableChange {
  const { remainingMinor } = receivable
  assert(remainingMinor > 0n, 'something is left')
  return change(receivable, 'writeOff', { remainingMinor: 0n, writtenOffMinor: remainingMinor }, now)
}

function change(
  receivable: Receivable,
  on: 'pay' | 'settle' | 'writeOff',
  amounts: { readonly remainingMinor: bigint; readonly writtenOffMinor?: bigint },
  now: Instant,
): ReceivableChange {
  const moved = step(receivableMachine, receivable.status, on)
  assert(moved.ok, `${receivable.id} is ${receivable.status}`)
  const updatedAt = Math.max(now, receivable.updatedAt + 1)
  const settledAt = moved.to === 'OPEN' ? null : updatedAt
  const next = { ...receivable, ...amounts, status: moved.to, updatedAt, settledAt }
  const { id, version } = receivable
  const set = {
    status: moved.to,
    remaining: next.remainingMinor,
    written_off: next.writtenOffMinor,
    updated_at: toTimestamp(updatedAt),
    ...(settledAt === null ? {} : { settled_at: toTimestamp(settledAt) }),
  }
  return {
    next,
    update: { table: 'receivables', id, version, from: ['OPEN'], set },
    event: receivableEvent(next, 'UPDATED'),
  }
}

export function receivableAccountOf({ ownerId, currency }: Pick<Receivable, 'ownerId' | 'currency'>): string {
  return ledgerAccount.receivable(ownerId, currency)
}

export function renderReceivable(receivable: Receivable): ReceivableWire {
  const {
    id,
    ownerId,
    status,
    cause,
    transactionId,
    amountMinor,
    remainingMinor,
    writtenOffMinor,
    settledAt,
  } = receivable
  const currency = toCurrency(receivable.currency)
  return {
    id,
    ...(ownerId === platformOwner ? {} : { customerId: ownerId as Id<'Customer'> }),
    status,
    cause,
    transactionId,
    amount: { amount: toWireAmount(amountMinor), currency },
    remainingAmount: { amount: toWireAmount(remainingMinor), currency },
    ...(writtenOffMinor === 0n
      ? {}
      : { writtenOffAmount: { amount: toWireAmount(writtenOffMinor), currency } }),
    createdAt: toTimestamp(receivable.createdAt),
    updatedAt: toTimestamp(receivable.updatedAt),
    ...(settledAt === null ? {} : { settledAt: toTimestamp(settledAt) }),
  }
}

function receivableEvent(receivable: Receivable, what: 'CREATED' | 'UPDATED'): NewEvent {
  return {
    type: `RECEIVABLE.${what}`,
    resourceId: receivable.id,
    subjectId: subjectOfOwner(receivable.ownerId),
    data: renderReceivable(receivable),
  }
}
