import { failed, ok, type Result, statesBefore, toTimestamp, toWireAmount } from '@corridor/kernel'
import type { AgentGate } from '../../access/agents/index.ts'
import type { Asked } from '../../access/sca/index.ts'
import { balanceEvents, type InternalAccount, platformOwner } from '../../platform/internal-accounts/index.ts'
import { toWireRate } from '../../reference/rates/index.ts'
import { type Decision, refusing, type Shortage } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import { firstRefusal } from '../../vocabulary/gates.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import {
  countVolume,
  debitPrefunded,
  firstStep,
  journal,
  paymentEvent,
  type Step,
  statusAfter,
  type Transaction,
  transactionIdOf,
  transactionRow,
  type Volume,
  volumeOf,
} from '../payments/index.ts'
import type { Guards } from './guards.ts'
import { quoteMachine } from './machine.ts'
import { type Quote, quoteRow, quoteStatusAfter } from './quote.ts'
import { renderQuote, statusOf } from './render.ts'

/** What execution needs to know beside the quote. */
export interface ExecutionFacts {
  /** The agent that executes it, where one does. */
  readonly agent?: AgentGate | undefined
  readonly stepMs: number
  /** The internal account that is debited, where there is one. */
  readonly sourceAccount?: InternalAccount | undefined
  /** Why an account that is pulled from or paid cannot be used any more, found on loading it. */
  readonly accountRefusal?: Failure | undefined
  /** Why the signature of an embedded wallet does not release the quote. */
  readonly signatureRefusal?: Failure | undefined
  readonly readinessRefusal?: Failure | undefined
  /** Whether the rate is no longer to be had. */
  readonly isRateRefused?: boolean
  /** Who has to be as the facts say when the payment begins. */
  readonly guards: Guards
  /** What the customer is asked before the money moves, where it has to authorize the payment. */
  readonly authorization?: Asked | undefined
  /** Why the customer cannot be asked. */
  readonly authorizationRefusal?: Failure | undefined
  /** What the corridor may carry on one UTC day, in US cents (accounts 1.3). */
  readonly dailyUsdMinor: bigint | undefined
}

/** POST /quotes without execution: the quote, and nothing else happens (accounts 7.4). */
export function decideCreate(scope: Scope, quote: Quote): Decision<Reply> {
  return {
    inserts: [{ table: 'quotes', row: quoteRow(quote) }],
    result: () => ({ status: 201, body: renderQuote(quote, scope.now) }),
  }
}

/** Quote, debit and transaction in one commit: without enough money there is none of them (accounts 7.4). */
export function decideCreateAndExecute(
  scope: Scope,
  quote: Quote,
  facts: ExecutionFacts,
  begin: BeginPayment = startPayment,
): Result<Begun, Failure> {
  // Whoever is refused at once has no quote that could fail.
  if (facts.isRateRefused) return failed(fail('QUOTE_RATE_UNAVAILABLE', {}))
  const refusal =
    firstRefusal({
      CUSTOMER: facts.readinessRefusal,
      ACCOUNT: facts.accountRefusal,
      SCA: facts.authorizationRefusal,
    }) ?? shortOf(quote, facts)
  if (refusal) return failed(refusal)
  const { begun, transaction, changes } = begin(scope, quote, facts, { isImmediate: true })
  return ok({
    ...changes,
    leaves: transaction,
    begun,
    inserts: [{ table: 'quotes', row: quoteRow(begun) }, ...changes.inserts],
    result: () => answerAtOnce(scope, begun, transaction),
  })
}

/** A quote that is executed at once, with the payment as it begins. */
export interface Begun extends Decision<Reply>, Omit<Step, 'result'> {
  readonly begun: Quote
}

/** What whoever executes at once is answered when the payment stands like this (accounts 12.1). */
export function answerAtOnce(scope: Scope, begun: Quote, { status: transactionStatus }: Transaction): Reply {
  const status = begun.status === 'PENDING_AUTHORIZATION' ? 202 : 201
  return { status, body: renderQuote({ ...begun, transactionStatus }, scope.now) }
}

/**
 * Executes a quote once. Refusals in the order of accounts 7.4: how it is funded, its status, its time,
 * its rate, the signature of a wallet, its accounts, the balance. The balance is checked again under lock
 * when the decision is applied.
 */
export function decideExecute(
  scope: Scope,
  quote: Quote,
  facts: ExecutionFacts,
  begin: BeginPayment = startPayment,
): Result<Decision<Reply>, Failure> {
  const { now } = scope
  if (quote.source.sourceType === 'REALTIME_FUNDING') {
    return failed(
      failFields([
        {
          field: 'source.sourceType',
          message: 'cannot be executed, because Corridor executes it when its funds arrive',
        },
      ]),
    )
  }
  const status = statusOf(quote, now)
  if (status === 'EXPIRED') {
    return failed(fail('QUOTE_EXPIRED', { quoteId: quote.id, expiresAt: toTimestamp(quote.expiresAt) }))
  }
  if (status !== 'PENDING') return failed(fail('CONFLICT', { status, quoteId: quote.id }))
  // An agent that may not execute it does not end it either.
  const denied = firstRefusal({ AGENT: facts.agent?.refusal })
  if (denied) return failed(denied)
  if (facts.isRateRefused) return ok(refuseRate(scope, quote))
  const refusal =
    firstRefusal({
      SIGNATURE: facts.signatureRefusal,
      CUSTOMER: facts.readinessRefusal,
      ACCOUNT: facts.accountRefusal,
      SCA: facts.authorizationRefusal,
    }) ?? shortOf(quote, facts)
  if (refusal) return failed(refusal)

  const { begun, changes } = begin(scope, { ...quote, updatedAt: now }, facts, { isImmediate: false })
  return ok({
    ...changes,
    updates: [
      ...changes.updates,
      {
        table: 'quotes',
        id: quote.id,
        from: ['PENDING'],
        version: quote.version,
        set: {
          status: begun.status,
          updated_at: toTimestamp(now),
          ...(begun.scaChallenge ? { sca_challenge: begun.scaChallenge } : {}),
        },
      },
    ],
    result: () => ({ status: 200, body: renderQuote(begun, now) }),
  })
}

/** The caller is refused, and the quote is over: nothing was exchanged, so nothing is posted (accounts 7.4). */
function refuseRate(scope: Scope, quote: Quote): Decision<never> {
  const { now } = scope
  const pending = transactionOf(quote, now, { stage: 'DONE', isImmediate: false })
  // Incoming payments have no reason of that name (conventions 12.6).
  const failureReason = pending.type === 'INCOMING' ? 'QUOTE_EXECUTION_FAILED' : 'QUOTE_RATE_UNAVAILABLE'
  const transaction: Transaction = { ...pending, status: statusAfter(pending, 'fail'), failureReason }
  const expiresAt = toTimestamp(quote.expiresAt)
  return refusing(fail('QUOTE_RATE_UNAVAILABLE', { quoteId: quote.id, expiresAt }), {
    updates: [
      {
        table: 'quotes',
        id: quote.id,
        from: statesBefore(quoteMachine, 'refuseRate'),
        version: quote.version,
        set: { status: quoteStatusAfter('refuseRate'), updated_at: toTimestamp(now) },
      },
    ],
    inserts: [{ table: 'transactions', row: transactionRow(transaction) }],
    events: [paymentEvent(scope, transaction, 'FAILED')],
  })
}

/** How a payment begins once nothing refuses it: at once, or held until it is authorized (authorization.ts). */
export type BeginPayment = (
  scope: Scope,
  quote: Quote,
  facts: ExecutionFacts,
  options: { readonly isImmediate: boolean },
) => {
  readonly begun: Quote
  readonly transaction: Transaction
  readonly changes: Omit<Decision, 'result'> & Required<Pick<Decision, 'updates' | 'inserts'>>
}

/** The first commit of a payment: its transaction, the debit of a prefunded source, and the next step. */
const startPayment: BeginPayment = (
  scope,
  quote,
  { sourceAccount, stepMs, dailyUsdMinor, guards, agent },
  { isImmediate },
) => {
  const { now } = scope
  const volume = volumeOfQuote(quote, now)
  const started = transactionOf(quote, now, { stage: firstStage(quote), isImmediate, agent })
  const transaction = volume ? { ...started, flow: { ...started.flow, volume } } : started
  const postings = sourceAccount
    ? debitPrefunded(
        { transactionId: transaction.id, currency: quote.sendingCurrency, amountMinor: quote.sendingMinor },
        sourceAccount.id,
      )
    : []
  const accounts = sourceAccount ? [sourceAccount] : []
  const changes = {
    ...guards,
    updates: [],
    inserts: [{ table: 'transactions' as const, row: transactionRow(transaction) }],
    transfers: journal(transaction.id, 'execute', postings),
    counts: volume ? [countVolume(now, volume, dailyUsdMinor)] : [],
    uncovered: (shortage: Shortage) => insufficientBalance(sourceAccount?.id, shortage),
    events: [paymentEvent(scope, transaction, 'PENDING'), ...balanceEvents(accounts, postings)],
    jobs: [firstStep(transaction.id, isImmediate ? now : now + stepMs)],
  }
  return { begun: { ...quote, status: quoteStatusAfter('execute') }, transaction, changes }
}

/** What the background work does first for a payment that is not funded by a receipt. */
export function firstStage({ options: { funding, delivery } }: Quote): Transaction['flow']['stage'] {
  if (funding.kind === 'PULL') return 'SUBMIT_PULL'
  return delivery.kind === 'INTERNAL' ? 'CONVERT_INTERNAL' : 'SUBMIT_PAYOUT'
}

/** What the quote counts for when it is executed now; nothing where its value in dollars is not known. */
export function volumeOfQuote(quote: Quote, now: number): Volume | undefined {
  const { sendingUsdMinor } = quote.options
  return sendingUsdMinor === undefined ? undefined : volumeOf(now, quote, BigInt(sendingUsdMinor))
}

/** The transaction of a quote. Before execution it is shown, but not yet on record (accounts 7.2). */
export function transactionOf(
  quote: Quote,
  now: number,
  {
    stage,
    isImmediate,
    agent,
  }: { stage: Transaction['flow']['stage']; isImmediate: boolean; agent?: AgentGate | undefined },
): Transaction {
  const { options } = quote
  const { funding, delivery, payerId, paysAnother } = options
  // A pull into an account of its owner is money coming in; everything else goes out (accounts 9).
  const isIncoming = funding.kind === 'PULL' && delivery.kind === 'INTERNAL' && !paysAnother
  return {
    id: transactionIdOf(quote.id),
    version: 1n,
    status: 'PENDING',
    type: isIncoming ? 'INCOMING' : 'OUTGOING',
    direction: isIncoming ? 'CREDIT' : 'DEBIT',
    // It belongs to the owner of the account that pays.
    ownerId: payerId ?? quote.ownerId,
    platformCustomerId: payerId === undefined ? options.platformCustomerId : platformOwner,
    quoteId: quote.id,
    sentMinor: quote.sendingMinor,
    sentCurrency: quote.sendingCurrency,
    receivedMinor: quote.receivingMinor,
    receivedCurrency: quote.receivingCurrency,
    source:
      quote.source.sourceType === 'ACCOUNT'
        ? { sourceType: 'ACCOUNT', accountId: quote.source.accountId, currency: quote.sendingCurrency }
        : { sourceType: 'REALTIME_FUNDING', currency: quote.sendingCurrency },
    destination:
      quote.destination.destinationType === 'ACCOUNT'
        ? {
            destinationType: 'ACCOUNT',
            accountId: quote.destination.accountId,
            currency: quote.receivingCurrency,
          }
        : {
            destinationType: 'UMA_ADDRESS',
            umaAddress: quote.destination.umaAddress,
            currency: quote.receivingCurrency,
          },
    reference: options.transactionReference,
    refundReference: null,
    failureReason: null,
    refund: null,
    rail: options.shownRail ?? null,
    flow: {
      stage,
      kind: 'QUOTE',
      funding,
      delivery,
      amounts: quote.amounts,
      ...(options.platformAccountId ? { platformAccountId: options.platformAccountId } : {}),
      ...(payerId === platformOwner && quote.ownerId !== platformOwner ? { onBehalfOf: quote.ownerId } : {}),
      isImmediate,
      refundRoute: options.refundRoute,
      ...(options.remittanceInformation ? { remittanceInformation: options.remittanceInformation } : {}),
    },
    details: {
      ...(agent ? { agentId: agent.id } : {}),
      ...(options.description === undefined ? {} : { description: options.description }),
      exchangeRate: toWireRate(quote.exchangeRate),
      rateDetails: quote.rateDetails,
      feesMinor: options.feesIncludedMinor,
      platformFeesMinor: options.platformFeesIncludedMinor,
      railSelectionMode: options.railSelectionMode,
      // What an embedded wallet signs is no way to pay in.
      ...(quote.paymentInstructions && quote.source.sourceType === 'REALTIME_FUNDING'
        ? { paymentInstructions: quote.paymentInstructions }
        : {}),
      ...(options.settlement ?? {}),
    },
    createdAt: now,
    updatedAt: now,
    settledAt: null,
  }
}

/** What a quote that nobody executed leaves behind: only outgoing payments can be EXPIRED (accounts 10.1). */
export function expiredTransactionOf(quote: Quote): Transaction {
  const pending: Transaction = {
    ...transactionOf(quote, quote.createdAt, { stage: 'DONE', isImmediate: false }),
    type: 'OUTGOING',
    direction: 'DEBIT',
  }
  return { ...pending, status: statusAfter(pending, 'expire') }
}

/** An unexecuted quote ends: told once, with a transaction that appears in lists as EXPIRED (accounts 7.3). */
export function decideExpire(scope: Scope, quote: Quote): Decision {
  const { now } = scope
  if (quote.status !== 'PENDING' || now < quote.expiresAt) return { result: () => undefined }
  const transaction: Transaction = { ...expiredTransactionOf(quote), updatedAt: now }
  return {
    updates: [
      {
        table: 'quotes',
        id: quote.id,
        from: statesBefore(quoteMachine, 'expire'),
        version: quote.version,
        set: { status: quoteStatusAfter('expire'), updated_at: toTimestamp(now) },
      },
    ],
    inserts: [{ table: 'transactions', row: transactionRow(transaction) }],
    events: [paymentEvent(scope, transaction, 'EXPIRED')],
    result: () => undefined,
  }
}

function shortOf(quote: Quote, { sourceAccount }: ExecutionFacts): Failure | undefined {
  if (!sourceAccount || sourceAccount.availableMinor >= quote.sendingMinor) return undefined
  return insufficientBalance(sourceAccount.id, {
    availableMinor: sourceAccount.availableMinor,
    requiredMinor: quote.sendingMinor,
    currency: quote.sendingCurrency,
  })
}

export function insufficientBalance(
  accountId: string | undefined,
  { availableMinor, requiredMinor, currency }: Omit<Shortage, 'ledgerAccount'>,
): Failure {
  return fail('INSUFFICIENT_BALANCE', {
    accountId,
    available: toWireAmount(availableMinor),
    required: toWireAmount(requiredMinor),
    shortfall: toWireAmount(requiredMinor - availableMinor),
    currency,
  })
}
