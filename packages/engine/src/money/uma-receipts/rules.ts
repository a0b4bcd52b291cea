import type { Id, Instant } from '@corridor/kernel'
import { type Customer, whileCustomerStays } from '../../people/customers/index.ts'
import {
  balanceEvents,
  hasRoomFor,
  type InternalAccount,
  whileStatusStays,
} from '../../platform/internal-accounts/index.ts'
import type { WebhookAnswer } from '../../ports/adapters.ts'
import type { Decision, NewJob } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { parseOutsideJson } from '../../vocabulary/storable.ts'
import {
  type Approval,
  amountsToText,
  endRefund,
  follow,
  journal,
  plainAmounts,
  refusedUmaReceipt,
  renderTransaction,
  settlementAccount,
  startRefund,
  suspenseRow,
  type Transaction,
  transactionRow,
  type UmaCounterparty,
  umaRail,
  umaReceiptInMsats,
  umaReceiptToAccount,
} from '../payments/index.ts'
import { isPayerField } from '../uma-peers/index.ts'
import { isMissing } from './payee-information.ts'

/**
 * From the event to the end of every wait for its answer: five seconds to answer and what sending it may take. Less
 * than a lease of the relay, so that an event whose sending was cut off is not sent a second time (webhooks 3.4).
 */
const answerWindowMs = 30_000
/** From the receipt of a 202 to /approve or /reject. */
const decisionWindowMs = 5_000

export const approvalQuestion = 'uma.approval'

export interface ReceiptPayload {
  readonly transactionId: string
}

/** A payment that a sender's institution asks to make to one of our customers. */
export interface NewReceipt {
  readonly transactionId: Id<'Transaction'>
  readonly reference: string
  readonly senderUma: string
  readonly customer: Customer
  readonly account: InternalAccount
  readonly amountMinor: bigint
  readonly requestedFields: Approval['requestedFields']
  readonly counterpartyInformation: Readonly<Record<string, string>>
  readonly settlesAfterMs?: number
  /** Of a payment that another institution brings: who owes for it, and how long it may. */
  readonly counterparty?: UmaCounterparty
  readonly expiresAfterMs?: number
  /** Refused by compliance before the platform is asked. */
  readonly isRefused: boolean
}

/** Puts the payment on record, PENDING, and asks the platform about it (accounts 11.2). No money moves yet. */
export function decideReceipt(scope: Scope, receipt: NewReceipt): Decision<Transaction> {
  const { customer, account, amountMinor, requestedFields, counterpartyInformation, isRefused } = receipt
  const { currency } = account
  const transaction: Transaction = {
    id: receipt.transactionId,
    version: 1n,
    status: 'PENDING',
    type: 'INCOMING',
    direction: 'CREDIT',
    ownerId: customer.id,
    platformCustomerId: customer.platformCustomerId,
    quoteId: null,
    sentMinor: null,
    sentCurrency: null,
    receivedMinor: amountMinor,
    receivedCurrency: currency,
    source: { sourceType: 'UMA_ADDRESS', umaAddress: receipt.senderUma },
    destination: { destinationType: 'UMA_ADDRESS', umaAddress: customer.umaAddress, currency },
    reference: receipt.reference,
    refundReference: null,
    failureReason: null,
    refund: null,
    rail: null,
    flow: {
      stage: isRefused ? 'SETTLE' : 'APPROVE',
      kind: 'UMA',
      funding: { kind: 'REALTIME', rail: umaRail, isCrypto: false },
      delivery: { kind: 'INTERNAL', accountId: account.id },
      amounts: amountsToText(plainAmounts(amountMinor)),
      isImmediate: false,
      approval: {
        requestedFields,
        decideBy: scope.now + answerWindowMs,
        ...(receipt.settlesAfterMs === undefined ? {} : { settlesAfterMs: receipt.settlesAfterMs }),
        ...(receipt.expiresAfterMs === undefined ? {} : { expiresAfterMs: receipt.expiresAfterMs }),
      },
      ...(receipt.counterparty ? { counterparty: receipt.counterparty } : {}),
    },
    details: Object.keys(counterpartyInformation).length > 0 ? { counterpartyInformation } : {},
    createdAt: scope.now,
    updatedAt: scope.now,
    settledAt: null,
  }
  const payload: ReceiptPayload = { transactionId: transaction.id }
  return {
    requires: [whileStatusStays(account), whileCustomerStays(customer)],
    inserts: [{ table: 'transactions', row: transactionRow(transaction) }],
    ...(isRefused
      ? { jobs: [{ kind: refuseJob, key: transaction.id, payload }] }
      : {
          jobs: [timerOf(transaction.id, scope.now + answerWindowMs)],
          events: [
            {
              type: 'INCOMING_PAYMENT.PENDING',
              resourceId: transaction.id,
              subjectId: customer.id,
              data: {
                ...renderTransaction(scope, transaction),
                ...(requestedFields.length > 0
                  ? { requestedReceiverCustomerInfoFields: requestedFields }
                  : {}),
              },
              question: { kind: approvalQuestion, payload },
            },
          ],
        }),
    result: () => transaction,
  }
}

export const refuseJob = 'uma.refuse'
export const timerJob = 'uma.timeOut'
export const settleJob = 'uma.settle'
export const expireJob = 'uma.expire'
export const collectJob = 'uma.collect'
const [firstLookMs, rarestLookMs] = [2_000, 30_000]

/** When to look next whether it has come over Lightning: after a tenth of the time that it is awaited. */
export function collectionOf({ id, createdAt }: Transaction, now: Instant): NewJob {
  const pauseMs = Math.min(Math.max((now - createdAt) / 10, firstLookMs), rarestLookMs)
  return { kind: collectJob, key: id, payload: { transactionId: id }, runAt: now + Math.round(pauseMs) }
}

function timerOf(transactionId: string, runAt: Instant): NewJob {
  return { kind: timerJob, key: transactionId, payload: { transactionId }, runAt }
}

/** Whether the platform may still decide. Whichever decision is committed first counts (webhooks 3.4). */
export function awaitsApproval({ flow, status }: Transaction, now: Instant): boolean {
  return status === 'PENDING' && flow.stage === 'APPROVE' && now < (flow.approval?.decideBy ?? 0)
}

/** The mandatory fields that were asked for and are not among those given. */
export function missingFields({ flow }: Transaction, given: unknown): string[] {
  const known = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {}
  const fields = flow.approval?.requestedFields ?? []
  return fields.filter(({ name, mandatory }) => mandatory && isMissing(known[name])).map(({ name }) => name)
}

type Effect = Omit<Decision, 'result'>
/** What keeps the platform's answer about the receiver (payee-information.ts). */
type Kept = Pick<Decision, 'inserts' | 'statements'>

/** What the endpoint's answer to the event comes to (webhooks 3.4). `keep`: of what it says about the receiver. */
export function decideAnswer(
  scope: Scope,
  transaction: Transaction,
  answer: WebhookAnswer,
  keep: (receiverCustomerInfo: unknown) => Kept,
): Effect {
  const isDecided = transaction.status !== 'PENDING' || transaction.flow.stage !== 'APPROVE'
  if (isDecided) return {}
  if (!answer.ok) {
    const isSilent = answer.reason === 'timeout' || answer.reason === 'NOT_AWAITED'
    return decideFailure(
      scope,
      transaction,
      isSilent ? 'PAYMENT_APPROVAL_TIMED_OUT' : 'PAYMENT_APPROVAL_WEBHOOK_ERROR',
    )
  }
  const body = parsed(answer.body)
  switch (answer.status) {
    case 200:
      return missingFields(transaction, body.receiverCustomerInfo).length > 0
        ? decideFailure(scope, transaction, 'MISSING_MANDATORY_PAYEE_DATA')
        : decideApproval(scope, transaction, keep(body.receiverCustomerInfo))
    case 202:
      return decideDelegation(scope, transaction)
    case 403:
      return decideRejection(scope, transaction, typeof body.reason === 'string' ? body.reason : undefined)
    case 422:
      return decideFailure(scope, lacking(transaction, body.requiredFields), 'PAY_REQUEST_FAILED')
    default:
      return decideFailure(scope, transaction, 'PAYMENT_APPROVAL_WEBHOOK_ERROR')
  }
}

const mostFields = 40

/** With the fields about the sender that the platform names; what is no field's name is left out. */
function lacking(transaction: Transaction, named: unknown): Transaction {
  const given: readonly unknown[] = Array.isArray(named) ? named.slice(0, mostFields) : []
  const names = [...new Set(given)].filter(isPayerField)
  const { flow } = transaction
  return { ...transaction, flow: { ...flow, approval: { ...flow.approval!, requiredFields: names } } }
}

/** An object, whatever was answered: an empty or unreadable body gives nothing. */
function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parseOutsideJson(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** 202: five seconds more, in which only /approve and /reject decide. */
function decideDelegation(scope: Scope, transaction: Transaction): Effect {
  const { flow } = transaction
  const decideBy = scope.now + decisionWindowMs
  const approval = { ...flow.approval!, decideBy }
  const story = follow(scope, transaction, scope.now).change({ flow: { ...flow, approval } })
  return { updates: [story.update], jobs: [timerOf(transaction.id, decideBy)] }
}

/** The money may come: it is still PENDING until it has (accounts 11.4). */
export function decideApproval(
  scope: Scope,
  transaction: Transaction,
  kept: Kept,
): Effect & { approved: Transaction } {
  const { flow, id } = transaction
  const story = follow(scope, transaction, scope.now).change({ flow: { ...flow, stage: 'SETTLE' } })
  const { settlesAfterMs = 0, expiresAfterMs } = flow.approval ?? {}
  const [kind, afterMs] =
    expiresAfterMs === undefined ? [settleJob, settlesAfterMs] : [expireJob, expiresAfterMs]
  return {
    ...kept,
    approved: story.current,
    updates: [story.update],
    jobs: [
      flow.counterparty?.lightningHash === undefined
        ? { kind, key: id, payload: { transactionId: id }, runAt: scope.now + afterMs }
        : collectionOf(transaction, scope.now),
    ],
  }
}

const longestReason = 512

export function decideRejection(
  scope: Scope,
  transaction: Transaction,
  reason: string | undefined,
): Effect & { rejected: Transaction } {
  const { flow, details } = transaction
  const story = follow(scope, transaction, scope.now)
    .move('reject', {
      flow: { ...flow, stage: 'DONE' },
      ...(reason === undefined
        ? {}
        : { details: { ...details, rejectionReason: reason.slice(0, longestReason) } }),
    })
    .emit('FAILED')
  return { rejected: story.current, updates: [story.update], events: story.events }
}

type Reason =
  | 'PAYMENT_APPROVAL_TIMED_OUT'
  | 'PAYMENT_APPROVAL_WEBHOOK_ERROR'
  | 'MISSING_MANDATORY_PAYEE_DATA'
  | 'PAY_REQUEST_FAILED'
  | 'COMPLIANCE_REJECTED'
  | 'QUOTE_EXPIRED'
  | 'OFFRAMP_FAILED'

export function decideFailure(scope: Scope, transaction: Transaction, failureReason: Reason): Effect {
  const { flow } = transaction
  const story = follow(scope, transaction, scope.now)
    .move('fail', { failureReason, flow: { ...flow, stage: 'DONE' } })
    .emit('FAILED')
  return { updates: [story.update], events: story.events }
}

/** Nobody has decided in time; a timer that is early waits for the rest. */
export function decideTimeout(scope: Scope, transaction: Transaction): Effect {
  if (transaction.status !== 'PENDING' || transaction.flow.stage !== 'APPROVE') return {}
  const decideBy = transaction.flow.approval?.decideBy ?? 0
  if (scope.now < decideBy) return { jobs: [timerOf(transaction.id, decideBy)] }
  return decideFailure(scope, transaction, 'PAYMENT_APPROVAL_TIMED_OUT')
}

/** Whether its money may come: the platform has agreed, and the time is not over. */
export function isAwaited({ status, flow }: Transaction): boolean {
  return status === 'PENDING' && flow.stage === 'SETTLE'
}

export interface SettlementFacts {
  readonly account: InternalAccount | undefined
  readonly customer: Customer | undefined
  /** Where the customer wants incoming UMA payments paid on to. */
  readonly hasDepositAccount: boolean
}

/**
 * The money is here: it is credited, or goes back where the account cannot take it any more, or is full (accounts 11.4,
 * webhooks 3.4).
 */
export function decideSettlement(
  scope: Scope,
  transaction: Transaction,
  facts: SettlementFacts,
  arrivedMsats?: bigint,
): Effect {
  if (!isAwaited(transaction)) return {}
  const { account, customer, hasDepositAccount } = facts
  const { amountMinor } = receivedOf(transaction)
  const isTaken = account?.status === 'ACTIVE' && hasRoomFor(account, amountMinor)
  if (!isTaken || !customer || customer.deletedAt !== null) {
    if (arrivedMsats !== undefined) return keep(scope, transaction, account, arrivedMsats)
    // Another institution keeps what it was not asked for.
    return transaction.flow.counterparty ? {} : giveBack(scope, transaction, account)
  }
  const { flow, id } = transaction
  const { counterparty } = flow
  const received = receivedOf(transaction)
  const postings =
    counterparty && !counterparty.isHosted
      ? umaReceiptInMsats(received, {
          settlement: settlementOf(counterparty),
          msats: arrivedMsats ?? BigInt(counterparty.msats),
          internalAccountId: account.id,
        })
      : umaReceiptToAccount(
          { ...received, serviceFeeMinor: 0n },
          { rail: umaRail, internalAccountId: account.id },
        )
  const story = follow(scope, transaction, scope.now)
    .move('complete', { settledAt: scope.now, flow: { ...flow, stage: 'DONE' } })
    .emit('COMPLETED')
  return {
    updates: [story.update],
    requires: [whileStatusStays(account), whileCustomerStays(customer)],
    transfers: journal(id, 'receive', postings),
    events: [...story.events, ...balanceEvents([account], postings)],
    jobs: hasDepositAccount ? [{ kind: payOnJob, key: id, payload: { transactionId: id } }] : [],
  }
}

function settlementOf({ domain, lightningHash }: UmaCounterparty): string {
  return settlementAccount({ domain, isLightning: lightningHash !== undefined })
}

/** Lightning gives nothing back: what has come and cannot be credited waits for its account or the operator. */
function keep(
  scope: Scope,
  transaction: Transaction,
  account: InternalAccount | undefined,
  msats: bigint,
): Effect {
  const { counterparty } = transaction.flow
  if (!counterparty) throw new Error('what comes over Lightning comes from a counterparty')
  const story = follow(scope, transaction, scope.now)
    .move('fail', { failureReason: 'OFFRAMP_FAILED', flow: { ...transaction.flow, stage: 'DONE' } })
    .emit('FAILED')
  startRefund(story, scope.now, { reason: 'TRANSACTION_FAILED' })
  endRefund(story, scope.now, 'fail')
  const received = receivedOf(transaction)
  const settlement = settlementOf(counterparty)
  const { currency, amountMinor } = received
  return {
    updates: [story.update],
    requires: account ? [whileStatusStays(account)] : [],
    transfers: journal(
      transaction.id,
      'receive',
      umaReceiptInMsats(received, { settlement, msats, internalAccountId: undefined }),
    ),
    inserts: [
      suspenseRow(scope.now, {
        id: transaction.id,
        kind: 'REFUND',
        internalAccountId: account?.id ?? null,
        currency,
        amountMinor,
        deposit: null,
      }),
    ],
    events: story.events,
  }
}

export const payOnJob = 'uma.payOn'

function giveBack(scope: Scope, transaction: Transaction, account: InternalAccount | undefined): Effect {
  const story = follow(scope, transaction, scope.now)
    .move('fail', { failureReason: 'OFFRAMP_FAILED' })
    .emit('FAILED')
  startRefund(story, scope.now, { reason: 'TRANSACTION_FAILED' })
  endRefund(story, scope.now, 'complete')
  return {
    // An account that is closed or frozen meanwhile stays so: nothing is required of it.
    updates: [story.update],
    requires: account ? [whileStatusStays(account)] : [],
    transfers: journal(transaction.id, 'refuse', refusedUmaReceipt(receivedOf(transaction), umaRail)),
    events: story.events,
  }
}

function receivedOf({ id, receivedMinor, receivedCurrency }: Transaction) {
  return { transactionId: id, currency: receivedCurrency ?? '', amountMinor: receivedMinor ?? 0n }
}

/** The refusal of /approve and /reject outside the window (webhooks 3.4). */
export function notAwaiting({ status }: Pick<Transaction, 'status'>): Failure {
  return fail('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', { status })
}
