import { assert, type Id, type Instant } from '@corridor/kernel'
import {
  balanceEvents,
  hasRoomFor,
  type InternalAccount,
  owingChanges,
  whileShown,
  whileStatusStays,
} from '../../platform/internal-accounts/index.ts'
import { currencyOf } from '../../reference/currencies/index.ts'
import type { Count, Decision, NewJob } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { countCredit, type PeerPayment, tellPeer } from '../uma-peers/index.ts'
import { owedFor, takenBack } from './clawback-records.ts'
import type { ClawbackSource, FeeSource } from './clawbacks.ts'
import { creditRecords } from './credit-records.ts'
import {
  convert,
  deliverToInternalAccount,
  deliverToRail,
  type JournalStep,
  journal,
  type Payment,
  type Posting,
  partsOf,
  settleInMsats,
  settlementAccount,
} from './postings.ts'
import type { payOff, Receivable } from './receivable.ts'
import type { ReceivableCause } from './receivable-schemas.ts'
import { paymentEvent } from './render.ts'
import { follow, type Story } from './story.ts'
import { leaveSuspense, type SuspenseItem, suspenseRow } from './suspense.ts'
import { amountsFromText, type Transaction, transactionRow } from './transaction.ts'
import { releaseVolume } from './volume.ts'

/** What a step of a payment is decided from. Pure: whatever a rail said is in the outcome beside it. */
export interface StepFacts {
  readonly book: Book
  readonly now: Instant
  readonly transaction: Transaction
  /** The internal accounts that the step may move: source, destination, platform fee, refund. */
  readonly accounts: readonly InternalAccount[]
  /** Of the owner of the account that is paid, where that is another customer than the payer. */
  readonly mirrorPlatformCustomerId?: string
  /** Under which the platform's fee waits, where its account cannot be credited, and the records of other owners. */
  readonly newItemId: () => Id<'Transaction'>
  readonly newReceivableId: () => Id<'Receivable'>
  /** The platform's fee, while it waits in suspense. */
  readonly suspendedFee?: SuspenseItem
  /** What is still owed because the collection was returned; absent where it was not. */
  readonly owed?: readonly Receivable[]
  /** Pause before the next step shows; none while a caller waits for the outcome. */
  readonly stepMs: number
}

export const stepKind = 'payments.advance'
/** The job that watches a settled collection until its bank can no longer take it back. */
export const collectionKind = 'payments.watchCollection'
/** The job that stands for an operator's own question about a payment to another institution, while that is under way. */
export const askingKind = 'payments.ask'

/** The job that takes a payment's next step. One per payment at a time. */
export function nextStep(transactionId: string, runAt: Instant): NewJob {
  return { kind: stepKind, key: transactionId, payload: { transactionId }, runAt }
}

/** Asks about the collection of a payment, beside whatever its next step is. */
export function watchCollection(transactionId: string, runAt: Instant): NewJob {
  return { kind: collectionKind, key: transactionId, payload: { transactionId }, runAt }
}

/** The next step of a payment that begins with it. */
export function firstStep(transactionId: string, runAt: Instant): NewJob {
  return { ...nextStep(transactionId, runAt), isFirst: true }
}

export function paymentOf({ id, flow, sentCurrency, receivedCurrency }: Transaction): Payment {
  assert(sentCurrency && receivedCurrency, 'a payment has two currencies')
  return {
    transactionId: id,
    sendingCurrency: sentCurrency,
    receivingCurrency: receivedCurrency,
    ...amountsFromText(flow.amounts),
  }
}

export function begin({ book, transaction, now }: StepFacts): Story {
  return follow(book, transaction, now)
}

/** Marks the payment as on its way and converts its money, once. */
export function processed({ transaction }: StepFacts, story: Story): Posting[] {
  const begins = story.can('process')
  if (begins) story.move('process')
  story.change({ flow: { ...story.current.flow, isConverted: true } })
  if (begins) story.emit('PROCESSING')
  return transaction.flow.isConverted ? [] : convert(paymentOf(transaction))
}

export function delivered(facts: StepFacts, payment: Payment, routingMsats?: bigint): Posting[] {
  const { delivery, platformAccountId } = facts.transaction.flow
  const earning = { platformAccountId, isFeeSuspended: feeOf(facts).isSuspended }
  if (delivery.kind === 'INTERNAL') {
    return deliverToInternalAccount(payment, { internalAccountId: delivery.accountId, ...earning })
  }
  const { rail } = delivery
  const peer = delivery.kind === 'UMA' ? delivery.peer : undefined
  return [
    ...deliverToRail(payment, { rail, ...earning }),
    // Between two books of this installation the mirrors of UMA payments cancel out (webhooks-uma 6.6).
    ...(peer && !peer.isHosted ? settleInMsats(payment, rail, settledWith(peer, routingMsats)) : []),
  ]
}

/**
 * The platform's fee, and whether it waits in suspense: what is delivered is told, whatever has become of the account that
 * the platform earns with (accounts 3.1).
 */
function feeOf({ transaction, accounts }: StepFacts) {
  const { platformAccountId } = transaction.flow
  const account = accounts.find(({ id }) => id === platformAccountId)
  const amountMinor = partsOf(paymentOf(transaction)).platformFees
  const isSuspended =
    account !== undefined && (account.status !== 'ACTIVE' || !hasRoomFor(account, amountMinor))
  return { account, amountMinor, isSuspended }
}

/** What the step that gives the platform its fee does besides: the account stays as it was found to be. */
function earningOf(
  facts: StepFacts,
  postings: readonly Posting[],
): Required<Pick<Decision, 'requires' | 'inserts'>> & { readonly feeItemId?: string } {
  const { transaction, now, newItemId } = facts
  const { sentCurrency: currency, reference } = transaction
  const isEarned = postings.some(
    ({ debit, credit }) => debit.startsWith('pfee:') && !credit.startsWith('refund:'),
  )
  if (!isEarned || !currency) return { requires: [], inserts: [] }
  const { account, amountMinor, isSuspended } = feeOf(facts)
  if (!account) return { requires: [], inserts: [] }
  const requires = [whileStatusStays(account)]
  if (!isSuspended) return { requires, inserts: [] }
  const id = newItemId()
  const item = suspenseRow(now, {
    id,
    kind: 'DEPOSIT',
    internalAccountId: account.id,
    currency,
    amountMinor,
    deposit: { rail: currencyOf(currency).usualRail, reference, creditedMinor: amountMinor.toString() },
  })
  return { requires, inserts: [item], feeItemId: id }
}

/** Where the return of a payment takes the platform's fee from. */
export function feeSource({ transaction, accounts, suspendedFee }: StepFacts): FeeSource | undefined {
  if (suspendedFee) return 'SUSPENSE'
  return clawbackFrom(accounts.find(({ id }) => id === transaction.flow.platformAccountId))
}

/** A fee that was taken from suspense no longer waits there. If it was credited meanwhile, the step is decided again. */
export function withoutSuspendedFee({ suspendedFee, now }: StepFacts, step: Step): Step {
  if (!suspendedFee) return step
  const left = leaveSuspense(suspendedFee, 'SENT_BACK', { now, by: `job:${stepKind}` })
  return { ...step, updates: [...(step.updates ?? []), left] }
}

function settledWith(peer: PeerPayment, routingMsats: bigint | undefined) {
  const { peerDomain: domain, amountMsats, lightning } = peer
  const settled = settlementAccount({ domain, isLightning: lightning !== undefined })
  return { account: settled, msats: BigInt(amountMsats), routingMsats }
}

/** What a payment to a peer takes off what the peer owes (webhooks-uma 6.7). */
function creditGivenBack({ flow: { delivery } }: Transaction): Count[] {
  const peer = delivery.kind === 'UMA' ? delivery.peer : undefined
  if (!peer || peer.isHosted || peer.lightning) return []
  return [countCredit(peer.peerDomain, -BigInt(peer.amountMsats))]
}

/** The peer is told that its customer's payment is over, where it wants to be. */
function tellingOf({ flow: { delivery } }: Transaction): NewJob[] {
  const peer = delivery.kind === 'UMA' ? delivery.peer : undefined
  if (!peer) return []
  const { peerDomain, isHosted = false, ownDomain, utxoCallback, paymentHash, lightning } = peer
  const overLightning = lightning && { paymentHash, direction: 'SENT' as const }
  return tellPeer({
    url: utxoCallback,
    peerDomain,
    isHosted,
    ownDomain,
    ...(overLightning ? { overLightning } : {}),
  })
}

export function soon({ now, stepMs, transaction }: StepFacts): Instant {
  return transaction.flow.isImmediate ? now : now + stepMs
}

/** What a step comes to, with the transaction as it leaves it: what the step after it is decided from. */
export interface Step extends Decision {
  readonly leaves: Transaction
}

/** Unknown is pending: ask again later, about the payment or its collection, and change nothing. */
export function waitUntil(
  { transaction }: StepFacts,
  checkAt: Instant | undefined,
  watch: Instant | undefined = undefined,
): Step {
  const jobs = [
    ...(checkAt === undefined ? [] : [nextStep(transaction.id, checkAt)]),
    ...(watch === undefined ? [] : [watchCollection(transaction.id, watch)]),
  ]
  return { leaves: transaction, ...(jobs.length > 0 ? { jobs } : {}), result: () => undefined }
}

/** What a step does beside its story. */
interface StepEffects {
  readonly step?: JournalStep
  readonly postings?: readonly Posting[]
  readonly next?: Instant
  /** When the collection is asked about next. */
  readonly watch?: Instant | undefined
  /** Why the owner of an account owes what is posted to a receivable account. */
  readonly cause?: ReceivableCause
  /** What is paid of receivables that there are. */
  readonly paidOff?: readonly ReturnType<typeof payOff>[]
}

/** The decision that a step comes to. */
export function finish(
  facts: StepFacts,
  story: Story,
  { step, postings = [], next, watch, cause, paidOff = [] }: StepEffects,
): Step {
  assert(step || postings.length === 0, 'what is posted belongs to a step')
  const { book, transaction, accounts } = facts
  const hasFailed = story.current.status === 'FAILED' && transaction.status !== 'FAILED'
  const earning = earningOf(facts, postings)
  const { feeItemId } = earning
  if (feeItemId) story.change({ flow: { ...story.current.flow, feeItemId } })
  const owed = cause ? owedFor(facts, postings, cause) : []
  const records = [...creditRecords(facts, postings), ...(cause ? takenBack(facts, postings) : [])]
  const isStopped = story.current.refund?.reason === 'USER_CANCELLATION' && !transaction.refund
  const { leaves, update } = withRecords(story, records)
  const owing = owingChanges(accounts, postings)
  return {
    leaves,
    updates: [update, ...owing.updates, ...paidOff.map(({ update }) => update)],
    inserts: [
      ...earning.inserts,
      ...owed.map(({ insert }) => insert),
      ...records.map((record) => ({ table: 'transactions' as const, row: transactionRow(record) })),
    ],
    requires: [
      ...whileShown(accounts, postings),
      ...owed.flatMap(({ requires }) => requires),
      ...earning.requires,
    ],
    changes: owing.changes,
    transfers: step ? journal(transaction.id, step, postings) : [],
    counts: [
      ...(hasFailed || isStopped ? releaseVolume(transaction.flow.volume) : []),
      ...(step === 'deliver' ? creditGivenBack(transaction) : []),
    ],
    // Payments before balances (accounts 14).
    events: [
      ...story.events,
      ...records.map((record) => paymentEvent(book, record, 'COMPLETED')),
      ...owed.map(({ event }) => event),
      ...paidOff.map(({ event }) => event),
      ...balanceEvents(accounts, postings),
    ],
    jobs: [
      ...(next === undefined ? [] : [nextStep(transaction.id, next)]),
      ...(watch === undefined ? [] : [watchCollection(transaction.id, watch)]),
      ...(step === 'deliver' ? tellingOf(transaction) : []),
    ],
    result: () => undefined,
  }
}

/** The payment knows the records of other owners: its postings are theirs as well. */
function withRecords({ current, update }: Story, records: readonly Transaction[]) {
  if (records.length === 0) return { leaves: current, update }
  const all = { records: [...(current.flow.records ?? []), ...records.map(({ id }) => id)] }
  // As it is written, without what is sealed of it.
  const { flow } = update.set
  assert(flow, 'a step that moves other accounts says where the payment is')
  return {
    leaves: { ...current, flow: { ...current.flow, ...all } },
    update: { ...update, set: { ...update.set, flow: { ...flow, ...all } } },
  }
}

/** An internal account as what a clawback takes from: from one that is not in use nothing can be taken. */
export function clawbackFrom(account: InternalAccount): ClawbackSource
export function clawbackFrom(account: InternalAccount | undefined): ClawbackSource | undefined
export function clawbackFrom(account: InternalAccount | undefined): ClawbackSource | undefined {
  return (
    account && {
      internalAccountId: account.id,
      owner: account.ownerId,
      availableMinor: account.status === 'ACTIVE' ? account.availableMinor : 0n,
    }
  )
}
