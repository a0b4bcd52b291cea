import { type Instant, toTimestamp } from '@corridor/kernel'
import { ledgerAccountKind, ledgerAccountKinds } from '../../mechanisms/ledger/chart.ts'
import type { LoggedRequest } from '../../platform/request-log/index.ts'
import type { DecidedOutcome } from '../../ports/rail.ts'
import type { Interventions } from '../../vocabulary/interventions.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { inOrder, type PostingRow, stepOf } from '../ledger/index.ts'
import type { Due, Transaction } from '../payments/index.ts'
import { type Quote, quoteStatusOf } from '../quotes/index.ts'
import { mayBeCancelled } from '../transactions/index.ts'
import type { Explanation, ExplanationJournal } from './contract.ts'
import { derivationOf } from './derivation.ts'
import { type Parties, sentenceOf, waitsFor } from './sentence.ts'
import { isRecomputed, renderSteps } from './steps.ts'
import type { PaymentEventRow } from './store.ts'
import { timelineOf } from './timeline.ts'

export interface PaymentFacts {
  readonly type: 'Quote' | 'Transaction'
  readonly transaction: Transaction
  readonly quote: Quote | undefined
  readonly postings: readonly PostingRow[]
  readonly events: readonly PaymentEventRow[]
  /** What the sandbox changed on its way. */
  readonly interventions: Interventions
  /** What was asked to change it, as far as the log still has it and whoever asks may see it. */
  readonly requests: readonly LoggedRequest[]
  /** Whether more happened meanwhile than was looked through. */
  readonly isCut: boolean
  /** By when it is to be over; undefined of what is not under way. */
  readonly due: Due | undefined
  /** When its next step is taken by itself; null: nobody takes it. */
  readonly nextAt: Instant | null
  /** Whether that step has failed before. */
  readonly isTriedAgain: boolean
  /** Whether it is among those that wait at a pause: one that was let go on is not, whatever has become of its step since. */
  readonly isHeld: boolean
  /** That it went to a Lightning invoice, which one payment alone may pay. */
  readonly isToInvoice: boolean
  readonly parties: Parties
  /** What of the account of the recipient or payer decides how it goes, in a sandbox that decided nothing else. */
  readonly decided: (DecidedOutcome & { readonly side: 'PAYOUT' | 'PULL' }) | undefined
}

type Status = Explanation['status']
type Waiting = Pick<Status, 'waitingFor' | 'paused'> & {
  readonly by?: Instant | undefined
  readonly doNow?: string
  /** What comes next, where that is more than who is waited for. */
  readonly what?: string
}

/** A payment and the quote that it was made from, told from their records alone. */
export function explainPayment(scope: Scope, facts: PaymentFacts): Explanation {
  const { type, transaction, quote, events } = facts
  const derivation = quote ? derivationOf(quote) : { steps: [], unknown: [] }
  const journals = journalsOf(facts.postings)
  const isQuote = type === 'Quote' && quote !== undefined
  const now = isQuote ? quoteStatusOf(quote, scope.now) : transaction.status
  const waiting = waitingOf(scope, facts)
  const expectedBy = waiting.by === undefined ? null : toTimestamp(waiting.by)
  const isOverdue = facts.due?.isOverdue || (waiting.by !== undefined && scope.now > waiting.by)
  const since = isQuote ? Math.max(quote.updatedAt, transaction.updatedAt) : transaction.updatedAt
  return {
    subject: {
      id: isQuote ? quote.id : transaction.id,
      type,
      environment: scope.environment,
      asOf: toTimestamp(scope.now),
    },
    sentence: sentenceOf(facts, now, {
      who: `${waitsFor[waiting.waitingFor]}${waiting.paused ? `, which has paused payouts (${waiting.paused.reasonCode})` : ''}`,
      expectedBy,
      isOverdue,
    }),
    status: {
      now,
      since: toTimestamp(since),
      waitingFor: waiting.waitingFor,
      ...(waiting.paused ? { paused: waiting.paused } : {}),
      expectedBy,
      overdue: isOverdue,
      cancellable: mayBeCancelled(transaction),
      safeToRetry: safeToRetryOf(scope, facts),
    },
    derivation: renderSteps(derivation.steps),
    ...(quote?.options.pricing
      ? {
          rate: {
            exact: quote.options.pricing.crossRate,
            source: 'the rates when the quote was created (their id is not stored)',
            lockedAt: toTimestamp(quote.createdAt),
            expiresAt: toTimestamp(quote.expiresAt),
          },
        }
      : {}),
    journals,
    timeline: timelineOf(facts, journals),
    webhooks: events.map(({ id, type: told, status, attempts, createdAt }) => ({
      id,
      type: told,
      status,
      attempts,
      createdAt: toTimestamp(createdAt),
    })),
    next:
      waiting.waitingFor === 'NOBODY'
        ? []
        : [
            {
              what: waiting.paused
                ? 'the operator lifts the pause'
                : (waiting.what ?? meanings[waiting.waitingFor]),
              when: nextAtOf(scope, facts, waiting),
              ...(waiting.doNow ? { doNow: waiting.doNow } : {}),
            },
          ],
    checks: [
      ...(derivation.steps.length > 0
        ? [{ name: 'recomputed amounts match the stored ones', holds: isRecomputed(derivation.steps) }]
        : []),
      ...sumsOf(facts.postings),
      ...(isOver(transaction) && journals.length > 0
        ? [{ name: 'clearing empty', holds: isClearingEmpty(facts.postings) }]
        : []),
    ],
    unknown: [
      ...derivation.unknown,
      ...(facts.isCut ? ['some events (this payment has too many events)'] : []),
      ...facts.interventions.unknown,
    ],
  }
}

const meanings: Readonly<Record<Status['waitingFor'], string>> = {
  NOBODY: '',
  CUSTOMER: 'the customer authorizes the payment or sends the funds',
  PLATFORM: 'the platform decides about the payment',
  RAIL: 'the rail reports the outcome',
  OPERATOR: 'the operator decides about the payment',
  CLOCK: 'Corridor takes the next step',
}

/** When what is waited for comes, in a step or by what is expected; null where no moment that is still to come is known. */
function nextAtOf(
  { now }: Scope,
  { nextAt }: PaymentFacts,
  { waitingFor, by }: Waiting,
): Explanation['next'][number]['when'] {
  // One that was due before is being taken.
  if (nextAt !== null && (waitingFor === 'RAIL' || waitingFor === 'CLOCK')) {
    return toTimestamp(Math.max(nextAt, now))
  }
  return by === undefined || by < now ? null : toTimestamp(by)
}

/** Stages that end with a step that is taken by itself. */
const ofSteps: ReadonlySet<Transaction['flow']['stage']> = new Set([
  'SUBMIT_PULL',
  'SUBMIT_PAYOUT',
  'CONVERT_INTERNAL',
  'DELIVER_INTERNAL',
  'POLL_PULL',
  'POLL_PAYOUT',
  'REFUND',
])

/** A refund that failed stays so for good: whether its money is still in suspense is told by what was posted. */
function isInSuspense({ transaction, postings }: PaymentFacts): boolean {
  const isResolved = postings.some((posting) => stepOf(posting).step === 'resolve')
  return transaction.refund?.status === 'FAILED' && !isResolved
}

function waitingOf(scope: Scope, facts: PaymentFacts): Waiting {
  const { transaction, quote, nextAt, isTriedAgain, isHeld } = facts
  const hasStep = nextAt !== null
  const status = quote && quoteStatusOf(quote, scope.now)
  if (quote && status === 'PENDING') {
    const by = quote.expiresAt
    return quote.options.funding.kind === 'REALTIME'
      ? { waitingFor: 'CUSTOMER', by }
      : { waitingFor: 'PLATFORM', by, doNow: `POST /quotes/${quote.id}/execute` }
  }
  if (quote && status === 'PENDING_AUTHORIZATION') {
    const by = quote.scaChallenge ? Date.parse(quote.scaChallenge.expiresAt) : undefined
    return { waitingFor: 'CUSTOMER', by, doNow: `POST /quotes/${quote.id}/authorize` }
  }
  const { flow } = transaction
  const by = facts.due?.expectedBy ?? undefined
  if (isHeld && isHeldBack(transaction) && !hasStep) {
    const { since, reasonCode } = flow.held!
    return { waitingFor: 'OPERATOR', paused: { since: toTimestamp(since), reasonCode } }
  }
  // Given up after too many failures: nobody asks the rail any more until an operator has it done again.
  if (ofSteps.has(flow.stage) && !hasStep) return { waitingFor: 'OPERATOR' }
  switch (flow.stage) {
    case 'AUTHORIZE':
      // Past its time nobody can authorize it any more: it ends by itself.
      return flow.authorizeBy !== undefined && scope.now >= flow.authorizeBy
        ? { waitingFor: 'CLOCK' }
        : { waitingFor: 'CUSTOMER', by: flow.authorizeBy }
    case 'SUBMIT_PULL':
    case 'SUBMIT_PAYOUT':
      // Its rail has not taken it, as far as is known here.
      return isTriedAgain
        ? { waitingFor: 'RAIL', by, what: 'Corridor hands the payment to the rail again' }
        : { waitingFor: 'CLOCK', by }
    case 'CONVERT_INTERNAL':
    case 'DELIVER_INTERNAL':
      return { waitingFor: 'CLOCK', by }
    case 'POLL_PULL':
    case 'POLL_PAYOUT':
      return { waitingFor: 'RAIL', by, what: 'Corridor asks the rail for the outcome' }
    case 'SETTLE':
      return { waitingFor: 'RAIL', by }
    case 'REFUND':
      return { waitingFor: flow.isRefundImpossible ? 'OPERATOR' : 'RAIL' }
    case 'SUSPENDED':
      return { waitingFor: 'OPERATOR' }
    case 'APPROVE':
      return {
        waitingFor: 'PLATFORM',
        by: flow.approval?.decideBy,
        doNow: `POST /transactions/${transaction.id}/approve`,
      }
    // A return may come for a while; nothing waits for it.
    case 'WATCH_RETURN':
    case 'DONE':
      return { waitingFor: isInSuspense(facts) ? 'OPERATOR' : 'NOBODY' }
  }
}

function isHeldBack({ flow: { stage, held } }: Transaction): boolean {
  // Another institution is handed a payment by being asked for its proof.
  const isBefore = stage === 'SUBMIT_PAYOUT' || stage === 'POLL_PAYOUT'
  return isBefore && held !== undefined && held.until === undefined
}

function isOver({ status, flow, refund }: Transaction): boolean {
  const isEnded = ['COMPLETED', 'FAILED', 'REJECTED', 'EXPIRED'].includes(status)
  return isEnded && refund?.status !== 'PENDING' && (flow.stage === 'DONE' || flow.stage === 'WATCH_RETURN')
}

function safeToRetryOf(scope: Scope, facts: PaymentFacts): Status['safeToRetry'] {
  const { transaction, quote, isToInvoice } = facts
  if (quote && quoteStatusOf(quote, scope.now) === 'PENDING') {
    const why = 'a quote is executed only once, and a retry with the same key gets the same response'
    return { answer: 'YES_SAME_KEY', why }
  }
  const { status, refund, direction, flow } = transaction
  // Its end is written a moment after its time; what was asked for in time may be written before.
  const isEnded = status === 'EXPIRED' || status === 'FAILED'
  if (isEnded && (quote?.status === 'PENDING' || quote?.status === 'PENDING_AUTHORIZATION')) {
    return { answer: 'NO', why: 'the outcome is not recorded yet; try again in a moment' }
  }
  if (status === 'EXPIRED' && !isInSuspense(facts)) {
    const why = refund
      ? 'the quote expired; late funds are refunded'
      : 'the quote expired before any money moved'
    return { answer: 'YES_NEW_QUOTE', why }
  }
  if (direction === 'CREDIT' && status === 'FAILED' && flow.funding.kind === 'PULL')
    return { answer: 'YES_NEW_QUOTE', why: 'no money was collected, or the bank returned the collection' }
  if (direction === 'CREDIT') return { answer: 'NO', why: whyNotAgain(status) }
  const isKept = isInSuspense(facts) || (flow.isRefundImpossible && refund?.status === 'PENDING')
  if (status === 'FAILED' && !isKept) {
    if (flow.endedByOperator?.ifUnknown) {
      return { answer: 'NO', why: 'the other institution never reported the outcome; ask the operator' }
    }
    if (isToInvoice) return { answer: 'NO', why: 'an invoice can be paid only once; request a new one' }
    const what =
      transaction.failureReason === 'PAYOUT_RETURNED'
        ? 'the receiving bank returned the payment'
        : 'the payment was not delivered'
    const why = refund?.status === 'PENDING' ? `${what}, and the refund is in progress` : what
    return { answer: 'YES_NEW_QUOTE', why }
  }
  if (status === 'COMPLETED' && !flow.isCancelled)
    return { answer: 'NO', why: 'the payment was delivered; another payment would pay twice' }
  if (status === 'COMPLETED' && !isKept)
    return { answer: 'YES_NEW_QUOTE', why: 'the payment was cancelled and refunded' }
  if (status === 'FAILED' || status === 'COMPLETED' || status === 'EXPIRED')
    return { answer: 'NO', why: 'the refund has not succeeded yet' }
  return { answer: 'NO', why: 'the payment may still be delivered' }
}

/** Of what comes from others: to try again is theirs. */
function whyNotAgain(status: Transaction['status']): string {
  if (status === 'COMPLETED') return 'the payment is an incoming payment'
  if (status === 'PENDING' || status === 'PROCESSING') return 'the payment may still arrive'
  return 'no money arrived; the sender has to start again'
}

/** What was posted, journal by journal, in its order. */
export function journalsOf(postings: readonly PostingRow[]): ExplanationJournal[] {
  const journals = new Map<string, ExplanationJournal>()
  for (const posting of inOrder(postings)) {
    const { subjectId, step } = stepOf(posting)
    const id = `${subjectId}/${step}`
    const journal = journals.get(id) ?? {
      id,
      step,
      at: toTimestamp(posting.createdAt),
      reverses: posting.pendingId,
      postings: [],
    }
    journals.set(id, journal)
    const { kind, from, to, currency, amountMinor } = posting
    const why = ledgerAccountKinds[ledgerAccountKind(to)].meaning
    journal.postings.push({ kind, from, to, value: { amount: `${amountMinor}`, currency }, why })
  }
  return [...journals.values()]
}

/**
 * Whether what was posted comes to nothing in each currency, by the currencies of the accounts: a posting from an account of
 * one currency to an account of another would not.
 */
export function sumsOf(
  postings: readonly Pick<PostingRow, 'kind' | 'currency' | 'fromCurrency' | 'toCurrency' | 'amountMinor'>[],
): Explanation['checks'] {
  const sums = new Map<string, bigint>()
  const add = (currency: string, minor: bigint) => sums.set(currency, (sums.get(currency) ?? 0n) + minor)
  for (const { kind, currency, fromCurrency, toCurrency, amountMinor } of postings) {
    if (kind === 'PENDING' || kind === 'VOID_PENDING') continue
    add(fromCurrency ?? currency, -amountMinor)
    add(toCurrency ?? currency, amountMinor)
  }
  return [...sums].sort().map(([currency, sum]) => ({ name: `${currency} sums to 0`, holds: sum === 0n }))
}

/** Whether what went through the accounts of this transaction alone has left them. */
function isClearingEmpty(postings: readonly PostingRow[]): boolean {
  const balances = new Map<string, bigint>()
  for (const { kind, from, to, amountMinor } of postings) {
    if (kind === 'PENDING' || kind === 'VOID_PENDING') continue
    balances.set(from, (balances.get(from) ?? 0n) - amountMinor)
    balances.set(to, (balances.get(to) ?? 0n) + amountMinor)
  }
  return [...balances].every(([id, minor]) => minor === 0n || !/^(txn|refund|pfee):/.test(id))
}
