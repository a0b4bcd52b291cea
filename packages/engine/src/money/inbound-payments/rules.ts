import { type Id, mulDivFloor, toTimestamp } from '@corridor/kernel'
import { type Customer, whileCustomerStays } from '../../people/customers/index.ts'
import { type InternalAccount, whileStatusStays } from '../../platform/internal-accounts/index.ts'
import { decimalsOf, isPegged } from '../../reference/currencies/index.ts'
import type { Decision, Insert } from '../../vocabulary/decision.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { type Deposit, decideDeposit, depositToSuspense, journal, suspenseRow } from '../payments/index.ts'
import type { BookedPayment, InboundOutcome } from './store.ts'

/** A payment as its rail tells of it. */
export interface InboundPayment {
  readonly rail: string
  /** The rail's own reference: the same payment told twice has the same one. */
  readonly railReference: string
  readonly currency: string
  readonly amountMinor: bigint
  /** What the payer gave as reference, if anything. */
  readonly reference?: string
  readonly originator?: NonNullable<Deposit['originator']>
}

export function inboundId({ rail, railReference }: InboundPayment): string {
  return `${rail}/${railReference}`
}

/** The record that makes a second telling of the payment a repetition. */
export function bookedRow(
  scope: Scope,
  payment: InboundPayment,
  outcome: InboundOutcome,
  transactionId: string | null,
): Insert {
  return {
    table: 'inbound_payments',
    row: {
      id: inboundId(payment),
      currency: payment.currency,
      amount: payment.amountMinor,
      reference: payment.reference ?? null,
      outcome,
      transaction_id: transactionId,
      created_at: toTimestamp(scope.now),
    },
  }
}

/** What an account is credited for a payment; undefined when the money is not for it (accounts 3.3). */
export function creditFor(
  account: InternalAccount,
  payment: Pick<InboundPayment, 'currency' | 'amountMinor'>,
): bigint | undefined {
  const { currency, amountMinor } = payment
  if (account.currency === currency) return amountMinor
  if (account.currency !== 'USD' || !isPegged(currency, 'USD')) return undefined
  // Down to whole cents: the dust stays with the position, never with the customer twice.
  const cents = mulDivFloor(
    amountMinor,
    10n ** BigInt(decimalsOf('USD')),
    10n ** BigInt(decimalsOf(currency)),
  )
  return cents > 0n ? cents : undefined
}

/** Credits the account that the reference names, with a record and the events of a deposit. */
export function decideCredit(
  scope: Scope,
  payment: InboundPayment,
  facts: {
    readonly account: InternalAccount
    readonly creditedMinor: bigint
    readonly transactionId: Id<'Transaction'>
    readonly reference: string
    readonly platformCustomerId: string
    readonly customer: Customer | undefined
  },
): Decision<BookedPayment> {
  const { account, creditedMinor, transactionId } = facts
  const { rail, currency, amountMinor, originator } = payment
  const { transaction, ...deposit } = decideDeposit(scope, {
    transactionId,
    account,
    platformCustomerId: facts.platformCustomerId,
    amountMinor: creditedMinor,
    rail,
    reference: facts.reference,
    ...(account.currency === currency ? {} : { arrived: { currency, amountMinor } }),
    ...(originator ? { originator } : {}),
  })
  return {
    ...deposit,
    requires: [whileStatusStays(account), ...(facts.customer ? [whileCustomerStays(facts.customer)] : [])],
    inserts: [bookedRow(scope, payment, 'CREDITED', transaction.id), ...(deposit.inserts ?? [])],
    unique: { inbound_payments_pkey: 'stale' },
    result: () => ({ id: inboundId(payment), outcome: 'CREDITED', transactionId: transaction.id }),
  }
}

/** Nobody is known to await this money: it is kept for the operator and shown to nobody (accounts 3.3). */
export function decideSuspense(
  scope: Scope,
  payment: InboundPayment,
  { transactionId, reference }: { readonly transactionId: Id<'Transaction'>; readonly reference: string },
): Decision<BookedPayment> {
  const { rail, currency, amountMinor, originator } = payment
  const suspended = toSuspense(scope, payment)
  const item = suspenseRow(scope.now, {
    id: transactionId,
    kind: 'UNMATCHED',
    internalAccountId: null,
    currency,
    amountMinor,
    deposit: {
      rail,
      reference,
      creditedMinor: amountMinor.toString(),
      ...(payment.reference === undefined ? {} : { payerReference: payment.reference }),
      ...(originator ? { originator } : {}),
    },
  })
  return { ...suspended, inserts: [...(suspended.inserts ?? []), item] }
}

function toSuspense(scope: Scope, payment: InboundPayment): Decision<BookedPayment> {
  const id = inboundId(payment)
  return {
    inserts: [bookedRow(scope, payment, 'SUSPENSE', null)],
    transfers: journal(`inbound:${id}`, 'suspense', depositToSuspense(payment, payment.rail)),
    unique: { inbound_payments_pkey: 'stale' },
    result: () => ({ id, outcome: 'SUSPENSE', transactionId: null }),
  }
}

/**
 * The account is known and cannot be credited now: it waits in suspense, without a transaction so far, and is
 * credited under the id given here once the account becomes active (accounts 3.1). What came for a customer who
 * is deleted waits for the operator.
 */
export function decideWaiting(
  scope: Scope,
  payment: InboundPayment,
  facts: {
    readonly account: InternalAccount
    readonly creditedMinor: bigint
    readonly transactionId: Id<'Transaction'>
    readonly reference: string
    readonly customer: Customer | undefined
  },
): Decision<BookedPayment> {
  const { account, creditedMinor, transactionId, reference, customer } = facts
  const { rail, currency, amountMinor, originator } = payment
  const suspended = toSuspense(scope, payment)
  const item = suspenseRow(scope.now, {
    id: transactionId,
    kind: 'DEPOSIT',
    internalAccountId: account.id,
    currency,
    amountMinor,
    deposit: {
      rail,
      reference,
      creditedMinor: creditedMinor.toString(),
      ...(originator ? { originator } : {}),
    },
  })
  return {
    ...suspended,
    requires: [whileStatusStays(account), ...(customer ? [whileCustomerStays(customer)] : [])],
    inserts: [...(suspended.inserts ?? []), item],
  }
}
