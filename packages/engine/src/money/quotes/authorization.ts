import { assert, statesBefore, toTimestamp } from '@corridor/kernel'
import type { Asked, Challenge } from '../../access/sca/index.ts'
import { challengeMs, moveChallenge } from '../../access/sca/index.ts'
import { balanceEvents, type InternalAccount, whileShown } from '../../platform/internal-accounts/index.ts'
import type { Decision, NewJob, Shortage, Update } from '../../vocabulary/decision.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import {
  captureHold,
  countVolume,
  follow,
  hold,
  holdStep,
  journal,
  nextStep,
  paymentEvent,
  releaseHold,
  releaseVolume,
  statusAfter,
  type Transaction,
  transactionRow,
} from '../payments/index.ts'
import type { Guards } from './guards.ts'
import { quoteMachine } from './machine.ts'
import { type Quote, quoteRow, quoteStatusAfter } from './quote.ts'
import { isUnauthorized, renderQuote } from './render.ts'
import { type BeginPayment, firstStage, insufficientBalance, transactionOf, volumeOfQuote } from './rules.ts'

/** Payments that their customer has to authorize (customers 13.7, accounts 7.4). */

export type Purpose = 'CURRENCY_CONVERSION' | 'PAYOUT'

/** What a customer authorizes, one after the other (customers 13.7). */
export function purposesOf({ options, sendingCurrency, receivingCurrency }: Quote): readonly Purpose[] {
  const isRealtime = options.funding.kind === 'REALTIME'
  return isRealtime && sendingCurrency !== receivingCurrency ? ['CURRENCY_CONVERSION', 'PAYOUT'] : ['PAYOUT']
}

/** Until when an answer is awaited: a realtime quote has to be funded in its own time (customers 13.7). */
export function answerBy({ options, expiresAt }: Quote, now: number): number {
  const by = now + challengeMs
  return options.funding.kind === 'REALTIME' ? Math.min(by, expiresAt) : by
}

/** The first question and the changes that ask it. */
function changesOf({ changes, challenge }: Asked, quote: Quote) {
  return { ...changes, jobs: [...changes.jobs, expiry(quote, challenge)] }
}

export const expireAuthorizationKind = 'quotes.expireAuthorization'

/** Ends a payment that nobody has authorized; a read after that time does the same (customers 13.7). */
function expiry({ id: quoteId }: Quote, { id, expiresAt }: Challenge): NewJob {
  return { kind: expireAuthorizationKind, key: id, payload: { quoteId }, runAt: expiresAt }
}

/**
 * A payment that waits for its customer: the money is held, nothing leaves (accounts 13, row 3). A pull into an
 * account of ours is an incoming payment, which has no such status; it stays PENDING meanwhile.
 */
export const holdPayment: BeginPayment = (scope, quote, facts) => {
  const { now } = scope
  const { authorization: asked, sourceAccount, dailyUsdMinor, guards, agent } = facts
  assert(asked, 'who has to authorize a payment is asked')
  const volume = volumeOfQuote(quote, now)
  const started = transactionOf(quote, now, { stage: 'AUTHORIZE', isImmediate: false, agent })
  const flow = { ...started.flow, authorizeBy: asked.challenge.expiresAt, ...(volume ? { volume } : {}) }
  const story = follow(scope, { ...started, flow }, now).emit('PENDING')
  if (started.type === 'OUTGOING') {
    story.move('requireAuthorization').emit('PENDING_AUTHORIZATION')
  }
  const transaction = story.current
  const postings = sourceAccount ? hold(sendingOf(quote, transaction), sourceAccount.id) : []
  const changes = changesOf(asked, quote)
  return {
    begun: { ...quote, status: quoteStatusAfter('requireAuthorization'), scaChallenge: asked.wire },
    transaction,
    changes: {
      ...changes,
      requires: guards.requires,
      updates: changes.updates,
      inserts: [{ table: 'transactions', row: transactionRow(transaction) }, ...changes.inserts],
      transfers: journal(transaction.id, holdStep, postings),
      counts: volume ? [countVolume(now, volume, dailyUsdMinor)] : [],
      uncovered: (shortage: Shortage) => insufficientBalance(sourceAccount?.id, shortage),
      events: [...story.events, ...balanceEvents(sourceAccount ? [sourceAccount] : [], postings)],
    },
  }
}

/** A realtime quote that waits for its customer: nobody is told where to pay before (accounts 7.4). */
export function decideCreateUnauthorized(scope: Scope, quote: Quote, asked: Asked): Decision<Reply> {
  const status = quoteStatusAfter('requireAuthorization')
  const waiting: Quote = { ...quote, status, scaChallenge: asked.wire }
  const changes = changesOf(asked, quote)
  return {
    ...changes,
    inserts: [{ table: 'quotes', row: quoteRow(waiting) }, ...changes.inserts],
    events: [paymentEvent(scope, waitingTransactionOf(quote), 'PENDING_AUTHORIZATION')],
    result: () => ({ status: 202, body: renderQuote(waiting, scope.now) }),
  }
}

/** The transaction that a realtime quote reserves, as it is shown while its customer is asked. */
export function waitingTransactionOf(quote: Quote): Transaction {
  const reserved = transactionOf(quote, quote.createdAt, { stage: 'DONE', isImmediate: false })
  return { ...reserved, status: statusAfter(reserved, 'requireAuthorization') }
}

/** What of a proof that was right is committed with its effect. */
export interface Proved {
  /** The challenge as accepted, and the customer as the proof leaves it. */
  readonly proof: Required<Pick<Decision, 'updates' | 'inserts'>> & Pick<Decision, 'unique'>
}

/** A right proof, and one more that is needed: the next question has an id of its own (customers 13.7). */
export function decideAskNext(scope: Scope, quote: Quote, { proof }: Proved, asked: Asked): Decision<Reply> {
  const waiting: Quote = { ...quote, scaChallenge: asked.wire, updatedAt: scope.now }
  const changes = changesOf(asked, quote)
  return {
    ...changes,
    updates: [
      ...proof.updates,
      ...changes.updates,
      updateOf(quote, scope.now, { sca_challenge: asked.wire }),
    ],
    inserts: [...proof.inserts, ...changes.inserts],
    unique: { ...proof.unique, ...changes.unique },
    events: [paymentEvent(scope, waitingTransactionOf(quote), 'PENDING_AUTHORIZATION')],
    result: () => ({ status: 200, body: renderQuote(waiting, scope.now) }),
  }
}

/** The last right proof of a realtime quote: now it may be funded (accounts 7.4). */
export function decideOpenFunding(scope: Scope, quote: Quote, { proof }: Proved): Decision<Reply> {
  const status = quoteStatusAfter('authorizeFunding')
  const open: Quote = { ...quote, status, scaChallenge: null, updatedAt: scope.now }
  return {
    ...proof,
    updates: [...proof.updates, updateOf(quote, scope.now, { sca_challenge: null }, 'authorizeFunding')],
    result: () => ({ status: 200, body: renderQuote(open, scope.now) }),
  }
}

/** The last right proof of every other payment: the hold is taken, and it goes on as executed (accounts 7.4). */
export function decideRelease(
  scope: Scope,
  quote: Quote,
  { proof }: Proved,
  facts: {
    readonly transaction: Transaction
    readonly sourceAccount: InternalAccount | undefined
    readonly guards: Guards
    readonly stepMs: number
  },
): Decision<Reply> {
  const { now } = scope
  const { transaction, sourceAccount, guards } = facts
  const { authorizeBy: _, ...flow } = transaction.flow
  const released = { flow: { ...flow, stage: firstStage(quote) } }
  const story = follow(scope, transaction, now)
  if (transaction.status === 'PENDING_AUTHORIZATION') story.move('authorize', released)
  else story.change(released)
  const postings = sourceAccount ? captureHold(sendingOf(quote, transaction), sourceAccount.id) : []
  const status = quoteStatusAfter('execute')
  const executed: Quote = { ...quote, status, scaChallenge: null, updatedAt: now }
  return {
    ...proof,
    requires: guards.requires,
    updates: [...proof.updates, story.update, updateOf(quote, now, { sca_challenge: null }, 'execute')],
    transfers: journal(transaction.id, 'capture', postings),
    events: balanceEvents(sourceAccount ? [sourceAccount] : [], postings),
    jobs: [nextStep(transaction.id, now + facts.stepMs)],
    result: () => ({ status: 200, body: renderQuote(executed, now) }),
  }
}

/**
 * Nobody answered in time: the payment failed, and what was held can be spent again (accounts 7.4). No refund,
 * for nothing was taken, and no second chance.
 */
export function decideNotAuthorized(
  scope: Scope,
  quote: Quote,
  facts: {
    readonly transaction: Transaction | undefined
    readonly challenge: Challenge | undefined
    readonly sourceAccount: InternalAccount | undefined
  },
): Decision {
  const { now } = scope
  if (!isUnauthorized(quote, now)) return { result: () => undefined }
  const { transaction, challenge, sourceAccount } = facts
  const story = follow(scope, transaction ?? { ...waitingTransactionOf(quote), updatedAt: now }, now)
  const { authorizeBy: _, ...flow } = story.current.flow
  // Incoming payments have no reason of that name (conventions 12.6).
  const failureReason = story.current.type === 'INCOMING' ? 'QUOTE_EXECUTION_FAILED' : 'SCA_NOT_COMPLETED'
  story.move('fail', { failureReason, flow: { ...flow, stage: 'DONE' } }).emit('FAILED')
  const { current } = story
  const postings = sourceAccount ? releaseHold(sendingOf(quote, current), sourceAccount.id) : []
  return {
    updates: [
      ...(transaction ? [story.update] : []),
      ...(challenge ? [moveChallenge(challenge, 'expire')] : []),
      updateOf(quote, now, { sca_challenge: null }, 'expireChallenge'),
    ],
    requires: whileShown(sourceAccount ? [sourceAccount] : [], postings),
    inserts: transaction ? [] : [{ table: 'transactions', row: transactionRow({ ...current, version: 1n }) }],
    transfers: journal(current.id, 'release', postings),
    counts: releaseVolume(flow.volume),
    events: [...story.events, ...balanceEvents(sourceAccount ? [sourceAccount] : [], postings)],
    result: () => undefined,
  }
}

function sendingOf({ sendingCurrency, sendingMinor }: Quote, { id }: Transaction) {
  return { transactionId: id, currency: sendingCurrency, amountMinor: sendingMinor }
}

type AuthorizationEvent = 'execute' | 'authorizeFunding' | 'expireChallenge'

function updateOf({ id, version }: Quote, now: number, set: Update['set'], on?: AuthorizationEvent): Update {
  const from = on ? statesBefore(quoteMachine, on) : []
  assert(!on || from.includes('PENDING_AUTHORIZATION'), 'a quote that waits for its customer moves so')
  return {
    table: 'quotes',
    id,
    version,
    from: ['PENDING_AUTHORIZATION'],
    set: { ...set, ...(on ? { status: quoteStatusAfter(on) } : {}), updated_at: toTimestamp(now) },
  }
}
