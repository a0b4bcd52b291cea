import { failed, type Id, largestWireMinor, ok, type Result } from '@corridor/kernel'
import { type Customer, whileCustomerStays } from '../../people/customers/index.ts'
import {
  balanceEvents,
  hasRoomFor,
  type InternalAccount,
  owingChanges,
  whileStatusStays,
} from '../../platform/internal-accounts/index.ts'
import type { Decision, NewEvent, NewJob, Requirement } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields, outOfRange } from '../../vocabulary/errors.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import { cardNetworkRail, owe, type SuspenseItem, suspenseRow, takeFromSuspense } from '../payments/index.ts'
import {
  type AuthorizationFacts,
  type AuthorizationKind,
  type DeclineReason,
  declineReason,
} from './authorization.ts'
import type { Card } from './card.ts'
import { type CardTransactionRecord, type Merchant, returnedMinor, unitsPerCent } from './card-transaction.ts'
import { authorize, authorizeCredit, type CardStep, clear } from './lifecycle.ts'
import { chargedMinor, givenMinor, takenFromSuspenseMinor, toTransfers } from './postings.ts'
import { renderCardTransaction } from './render.ts'
import { attemptRow, transactionRow } from './store.ts'

export const pullJob = 'cards.pull'
export const expiryJob = 'cards.expire'
const authorizationLifeMs = 7 * 24 * 60 * 60 * 1000

/** What a network asks for; amounts in cents of the card. */
export interface AuthorizationRequest {
  readonly kind: AuthorizationKind
  readonly token: string
  readonly amountMinor: bigint
  readonly currency: string | null
  readonly merchant: Merchant
}

export interface Verdict {
  readonly declined: DeclineReason | null
  readonly transaction: CardTransactionRecord | null
}

/**
 * Decides about an authorization (cards 1.5). An approval reserves the money in the same transaction; a
 * refusal leaves nothing but the record of the attempt. Money that goes elsewhere in the same moment makes the
 * facts stale, and it is decided again.
 */
export function decideAuthorization(
  scope: Scope,
  request: AuthorizationRequest,
  facts: AuthorizationFacts & {
    readonly customer: Customer
    readonly attemptId: string
    readonly transactionId: Id<'CardTransaction'>
  },
): Decision<Verdict> {
  const { kind, token, amountMinor, currency, merchant } = request
  const { card, account } = facts
  const declined = declineReason(kind, facts) ?? null
  const attempt = attemptRow({
    id: facts.attemptId,
    cardId: card.id,
    token,
    kind,
    amountMinor,
    currency,
    merchant,
    declineReason: declined,
    createdAt: scope.now,
  })
  if (declined || kind === 'balance_inquiry' || !account) {
    return { inserts: [attempt], result: () => ({ declined, transaction: null }) }
  }
  const fresh: CardTransactionRecord = {
    id: facts.transactionId,
    // Before the first version: the ids of its postings come from it.
    version: 0n,
    cardId: card.id,
    customerId: card.cardholderId,
    platformCustomerId: facts.customer.platformCustomerId,
    accountId: account.id,
    token,
    status: 'AUTHORIZED',
    direction: kind.includes('credit') ? 'CREDIT' : 'DEBIT',
    merchant,
    currency: card.currency,
    fundingCurrency: card.fundingCurrency,
    authorizedMinor: amountMinor,
    clearedMinor: 0n,
    heldMinor: 0n,
    holds: [],
    pulledMinor: 0n,
    owedMinor: 0n,
    owedReturnsMinor: 0n,
    clearings: 0,
    pulls: 0,
    pendingPulls: 0,
    returns: [],
    isExpired: false,
    lastEventAt: null,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
  const authorized = fresh.direction === 'CREDIT' ? authorizeCredit(fresh) : authorize(fresh)
  const steps = kind.startsWith('financial')
    ? [
        authorized,
        clear(authorized.transaction, amountMinor, scope.now, { availableMinor: 0n, course: 'AT_ONCE' }),
      ]
    : [authorized]
  const { transfers, holds } = toTransfers(
    fresh,
    steps.flatMap((each) => each.postings),
  )
  const last = { ...steps.at(-1)!.transaction, holds }
  return {
    requires: [
      whileStatusStays(account),
      whileCardStays(card),
      whileCustomerStays(facts.customer),
      ...(facts.signing ?? []),
    ],
    inserts: [attempt, { table: 'card_transactions', row: transactionRow(last) }],
    transfers,
    jobs: [
      ...(authorized.awaitsPull ? [pullCheck(fresh.id, scope.now)] : []),
      ...(last.status === 'AUTHORIZED' ? [expiryOf(fresh.id, scope.now)] : []),
    ],
    events: [...steps.flatMap((each) => statusEvents(each)), ...balanceEvents([account], transfers)],
    result: () => ({ declined, transaction: last }),
  }
}

export function pullCheck(id: string, runAt: number): NewJob {
  return { kind: pullJob, payload: { id }, runAt, key: `${pullJob} ${id}` }
}

/**
 * Makes a decision stale when the card is changed meanwhile: its state, its limit or its accounts. It is left as it is,
 * for a version with each charge would keep whoever freezes it waiting.
 */
export function whileCardStays({ id, version }: Card): Requirement {
  return { table: 'cards', id, version }
}

/** An authorization that nobody claims ends by itself (cards 1.6). */
function expiryOf(id: string, authorizedAt: number): NewJob {
  return { kind: expiryJob, payload: { id }, runAt: authorizedAt + authorizationLifeMs }
}

/** Whether it is authorized again after its seven days: there is nothing left that would end it. */
function isRevived(scope: Scope, before: CardTransactionRecord, after: CardTransactionRecord): boolean {
  const isRestored = before.status === 'EXCEPTION' && after.status === 'AUTHORIZED'
  return isRestored && scope.now >= before.createdAt + authorizationLifeMs
}

function statusEvents({ transaction, emits }: CardStep): NewEvent[] {
  return emits.map((status) => ({
    type: `CARD_TRANSACTION.${status}`,
    resourceId: transaction.id,
    subjectId: transaction.customerId,
    data: renderCardTransaction({ ...transaction, status }),
  }))
}

/** Whose money a transaction moves, and under which id what they cannot be given waits in suspense. */
export interface Holder {
  readonly account: InternalAccount
  readonly customer: Customer
  readonly suspenseId: Id<'Transaction'>
  /** Of what the account cannot be charged because it is frozen. */
  readonly receivableId: Id<'Receivable'>
  /** The item that the last return became, if it became one. */
  readonly suspended?: SuspenseItem | undefined
}

/**
 * Commits a step of a transaction that is on record: its row, its postings, its events, and what is due next.
 * What is given to an account that is not active or full, or to a customer who is deleted, waits in suspense (accounts 3.1).
 * What a frozen account is charged its owner owes.
 */
export function decideStep(
  scope: Scope,
  before: CardTransactionRecord,
  { account, customer, suspenseId, receivableId, suspended }: Holder,
  step: CardStep,
): Decision<CardTransactionRecord> {
  const at = changedAt(scope, before.updatedAt)
  const units = unitsPerCent(before.currency, before.fundingCurrency)
  const amountMinor = givenMinor(step.postings) * units
  const takenMinor = takenFromSuspenseMinor(step.postings) * units
  const isGiven = amountMinor > 0n
  const isSuspended =
    isGiven &&
    (account.status !== 'ACTIVE' || customer.deletedAt !== null || !hasRoomFor(account, amountMinor))
  const chargedOf = chargedMinor(step.postings) * units
  // What the network was paid cannot be refused, and nothing is taken from a frozen account.
  const isOwed = chargedOf > 0n && account.status === 'FROZEN'
  const owed = isOwed
    ? owe(scope.now, {
        id: receivableId,
        ownerId: account.ownerId,
        currency: before.fundingCurrency,
        cause: isReversal(before, step) ? 'CARD_RETURN_REVERSED' : 'CARD_CLEARING',
        transactionId: before.id,
        counterAccountId: null,
        amountMinor: chargedOf,
      })
    : undefined
  const owedBy = isOwed ? account.ownerId : undefined
  const { transfers, holds } = toTransfers(before, step.postings, { isSuspended, owedBy })
  const item = () =>
    suspenseRow(scope.now, {
      id: suspenseId,
      kind: 'DEPOSIT',
      internalAccountId: account.id,
      currency: before.fundingCurrency,
      amountMinor,
      deposit: { rail: cardNetworkRail, reference: before.id, creditedMinor: amountMinor.toString() },
    })
  const { returns } = step.transaction
  const isReturn = returns.length > before.returns.length
  const transaction = {
    ...step.transaction,
    holds,
    returns:
      isSuspended && isReturn ? [...returns.slice(0, -1), { ...returns.at(-1)!, suspenseId }] : returns,
    updatedAt: Date.parse(at),
  }
  const { id, created_at: _, ...set } = transactionRow(transaction)
  const balances = balanceEvents([account], transfers)
  const owing = owingChanges([account], transfers)
  return {
    updates: [
      { table: 'card_transactions', id: before.id, version: before.version, from: [before.status], set },
      ...(suspended && takenMinor > 0n ? [takeFromSuspense(scope, suspended, takenMinor)] : []),
      ...owing.updates,
    ],
    changes: owing.changes,
    requires: [
      // What is given depends on it, and who is told of a balance is shown it.
      ...(isGiven || isOwed || balances.length > 0 ? [whileStatusStays(account)] : []),
      ...(isGiven ? [whileCustomerStays(customer)] : []),
      ...(owed ? owed.requires : []),
    ],
    inserts: [...(isSuspended ? [item()] : []), ...(owed ? [owed.insert] : [])],
    transfers,
    jobs: [
      ...(step.awaitsPull ? [pullCheck(before.id, scope.now)] : []),
      ...(isRevived(scope, before, transaction) ? [expiryOf(before.id, scope.now)] : []),
    ],
    events: [...statusEvents({ ...step, transaction }), ...(owed ? [owed.event] : []), ...balances],
    result: () => transaction,
  }
}

const isReversal = (before: CardTransactionRecord, { transaction }: CardStep) =>
  transaction.returns.filter(({ isReversed }) => isReversed).length >
  before.returns.filter(({ isReversed }) => isReversed).length

const isOpen = ({ status }: CardTransactionRecord) =>
  status === 'AUTHORIZED' || status === 'PARTIALLY_SETTLED'

const wrongStatus = ({ status: currentStatus }: CardTransactionRecord) =>
  fail('INVALID_INPUT', { reason: 'WRONG_STATUS', currentStatus })

/** Whether a claim or a change of the authorized amount is in order (cards 1.7). */
export function openRefusal(before: CardTransactionRecord, authorizedMinor?: bigint): Failure | undefined {
  if (!isOpen(before)) return wrongStatus(before)
  if (authorizedMinor === undefined || authorizedMinor >= before.clearedMinor) return undefined
  const field = 'amount'
  const errors = [{ field, message: 'is less than the cleared amount' }]
  return fail('INVALID_INPUT', { errors, field, currentStatus: before.status })
}

/** Whether goods worth this may come back (cards 1.7): INVALID_INPUT, AMOUNT_OUT_OF_RANGE. */
export function returnRefusal(before: CardTransactionRecord, amountMinor: bigint): Failure | undefined {
  const { direction, status, clearedMinor } = before
  const canReturn = direction === 'DEBIT' && (status === 'SETTLED' || status === 'PARTIALLY_SETTLED')
  if (!canReturn || clearedMinor === 0n) return wrongStatus(before)
  const most = clearedMinor - returnedMinor(before)
  return amountMinor > most ? outOfRange(before.currency, { most }) : undefined
}

/** Whether there is a return to take back. */
export function reversalRefusal(before: CardTransactionRecord): Failure | undefined {
  return before.status === 'REFUNDED' ? undefined : wrongStatus(before)
}

/**
 * INVALID_AMOUNT where one of these amounts, in cents, is more than can be told in units of the account that funds the card
 * (conventions 4).
 */
export function sizeRefusal(
  { currency, fundingCurrency }: Pick<CardTransactionRecord, 'currency' | 'fundingCurrency'>,
  amountsMinor: readonly bigint[],
): Failure | undefined {
  const units = unitsPerCent(currency, fundingCurrency)
  if (amountsMinor.every((amountMinor) => amountMinor * units <= largestWireMinor)) return undefined
  return failFields([{ field: 'amount', message: 'would make the amount too large' }], 'INVALID_AMOUNT')
}

/** A decision, or the refusal to make it. */
export function unless<T>(
  refusal: Failure | undefined,
  decide: () => Decision<T>,
): Result<Decision<T>, Failure> {
  return refusal ? failed(refusal) : ok(decide())
}
