import { assert, assertNever, ok, type Result } from '@corridor/kernel'
import { isUnavailable } from '../../mechanisms/db/availability.ts'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { messageOf } from '../../mechanisms/jobs/claims.ts'
import { TriedAgain } from '../../mechanisms/jobs/postpone.ts'
import type { Attempt } from '../../mechanisms/jobs/runner.ts'
import { pauseOf } from '../../mechanisms/pauses/pauses.ts'
import { loadCustomer } from '../../people/customers/index.ts'
import {
  type InternalAccount,
  loadInternalAccounts,
  loadOwnedInternalAccount,
  platformOwner,
} from '../../platform/internal-accounts/index.ts'
import type { PayoutInstruction, Submission } from '../../ports/rail.ts'
import { readInvoice } from '../../reference/account-types/index.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { withStepsDueNow } from './ahead.ts'
import { isCancelAsked, withoutWish } from './cancel-wish.ts'
import { takeCollectionStep } from './collection-steps.ts'
import { isCollectionWatched } from './collections.ts'
import { decideHold, goesOn, noLongerHeld, sinceHeld } from './held.ts'
import { decideWithin } from './internal-steps.ts'
import { claimInvoice, hasInvoice } from './invoice-claims.ts'
import { decideCancelled, decidePayoutOutcome, decidePayoutSubmission } from './payment-steps.ts'
import {
  isOverLightning,
  isPaidByProof,
  pauseOfProof,
  payoutRails,
  submitOverLightning,
} from './peer-rail.ts'
import { decideCancelledPull, decidePullOutcome, decidePullSubmission } from './pull-steps.ts'
import { instructionFor } from './rail-calls.ts'
import { loadOpenReceivables } from './receivable-store.ts'
import { begin, finish, nextStep, type Step, type StepFacts, stepKind, waitUntil } from './step.ts'
import { loadTransaction } from './store.ts'
import { loadSuspenseItem } from './suspense-store.ts'
import { change, type Transaction } from './transaction.ts'

/**
 * Takes the next step of a payment: asks the rail what there is to ask, then decides. Whatever is said to a rail
 * about a payment is said here, one thing after the other, a wish to cancel it included.
 */
export const advancePayment = jobHandler<{ transactionId: string }>({
  kind: stepKind,
  async run(engine, scope, { transactionId }, attempted) {
    const transaction = await loadTransaction(engine, scope, transactionId)
    assert(transaction, 'a payment in progress has a transaction')
    const attempt = sinceHeld(attempted, transaction)
    const facts = await loadStepFacts(engine, scope, transaction)
    // Whoever asked for it to be stopped is shown its refund as that begins (accounts 10.4).
    if (isCancelAsked(transaction)) return takeCancellation(engine, scope, facts, attempt)
    const first = await takeStep(engine, scope, facts, attempt)
    if (!first.ok || !attempt.mayGoOn) return first
    const take = async (next: StepFacts) => {
      // Nothing is handed to a rail before what it is paid from is on record.
      if (next.transaction.flow.stage.startsWith('SUBMIT')) return undefined
      // What cannot be asked this time its own job asks again.
      const taken = await takeStep(engine, scope, next).catch(() => undefined)
      // One that is taken off those that wait, and put among them again, is no sequel of what put it there.
      return taken?.ok && taken.value.deletes?.length ? undefined : taken
    }
    return ok(await withStepsDueNow(first.value, facts, take))
  },
})

/** Answers a wish to cancel with what the rail says, once the rail is sure to know the payment. */
async function takeCancellation(
  engine: Engine,
  scope: Scope,
  facts: StepFacts,
  attempt: Attempt,
): Promise<Result<Step, Failure>> {
  const { transaction, now } = facts
  const side = transaction.flow.stage.endsWith('PULL') ? 'PULL' : 'PAYOUT'
  const cancelled = () => {
    const ended = { ...facts, transaction: goesOn(transaction, now) }
    return ok(
      noLongerHeld(side === 'PULL' ? decideCancelledPull(ended) : decideCancelled(ended), transaction),
    )
  }
  if (transaction.flow.stage.startsWith('SUBMIT')) {
    // No rail has heard of it, and none will.
    if (await attempt.isFirst()) return cancelled()
    // It may be on its way to the rail, which would truthfully know nothing of it and receive it afterwards.
    const submitted = await takeStep(engine, scope, facts)
    if (!submitted.ok) return submitted
    const jobs = submitted.value.jobs?.length ? [nextStep(transaction.id, now)] : []
    return ok({ ...submitted.value, jobs })
  }
  const { rail, instruction } = await instructionFor(engine, scope, transaction, side)
  if (rail.requestCancel && (await rail.requestCancel(instruction, now))) return cancelled()
  // It is not stopped, so callers are told what has become of it instead.
  const flow = withoutWish(transaction.flow)
  const polled = await takeStep(engine, scope, { ...facts, transaction: { ...transaction, flow } })
  if (!polled.ok || polled.value.updates?.length) return polled
  return ok({ ...polled.value, updates: [change(transaction, now, { flow }).update] })
}

async function takeStep(
  engine: Engine,
  scope: Scope,
  facts: StepFacts,
  attempt?: Attempt,
): Promise<Result<Step, Failure>> {
  const { transaction, now } = facts
  const { stage, delivery } = transaction.flow
  switch (stage) {
    case 'SUBMIT_PULL': {
      const { rail, instruction } = await instructionFor(engine, scope, transaction, 'PULL')
      assert(rail.submitPull, 'a rail that is pulled from declares so')
      return ok(decidePullSubmission(facts, await rail.submitPull(instruction, now)))
    }
    case 'POLL_PULL': {
      const { rail, instruction } = await instructionFor(engine, scope, transaction, 'PULL')
      assert(rail.fetchPull, 'a rail that is pulled from declares so')
      return ok(decidePullOutcome(facts, await rail.fetchPull(instruction, now)))
    }
    case 'SUBMIT_PAYOUT':
      return handOver(engine, scope, facts, attempt)
    case 'POLL_PAYOUT':
      return pollPayout(engine, scope, facts)
    // Collected, and nobody could be credited. An earlier release watches its collection by this job.
    case 'SUSPENDED':
      return takeCollectionStep(engine, scope, facts)
    case 'WATCH_RETURN':
      return delivery.kind === 'INTERNAL'
        ? takeCollectionStep(engine, scope, facts)
        : watched(() => pollPayout(engine, scope, facts))
    case 'CONVERT_INTERNAL':
    case 'DELIVER_INTERNAL':
    case 'REFUND':
    case 'AUTHORIZE':
    case 'APPROVE':
    case 'SETTLE':
    case 'DONE':
      return ok(decideWithin(facts) ?? waitUntil(facts, undefined))
    default:
      return assertNever(stage)
  }
}

/** A bank that cannot be asked for hours may still give the payout back, so the watch is not given up. */
async function watched<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (isUnavailable(error)) throw error
    throw new TriedAgain(messageOf(error), { cause: error })
  }
}

/**
 * Hands a payout to its rail, unless the operator has paused that: read after the job was claimed and right before anything is
 * said to anybody, so that whoever pauses knows of each hand-over that did not see it (mechanisms/pauses).
 */
async function handOver(
  engine: Engine,
  scope: Scope,
  facts: StepFacts,
  attempt?: Attempt,
): Promise<Result<Step, Failure>> {
  const { transaction, now } = facts
  const { rail, instruction, isGone } = await instructionFor(engine, scope, transaction, 'PAYOUT')
  const freed = { ...facts, transaction: goesOn(transaction, now) }
  const outcome = (submission: Submission) =>
    ok(noLongerHeld(decidePayoutSubmission(freed, submission), transaction))
  if (isGone) return outcome({ status: 'FAILED', reason: 'ACCOUNT_INVALID' })
  const hash = invoiceHash(transaction, instruction)
  const pause = await pauseOf(engine.database, scope, payoutRails(transaction))
  if (pause) {
    const hasBegun = hash === undefined ? undefined : await hasInvoice(engine, scope, transaction, hash)
    const isFirst = hasBegun === undefined ? ((await attempt?.isFirst()) ?? false) : !hasBegun
    // Of what was begun over Lightning only the outcome is asked for.
    if (isFirst || !isOverLightning(transaction)) return ok(decideHold(facts, pause, isFirst))
  }
  // The bank may take back what pays for it: that it is handed over stands on record before its rail hears of it, and so does
  // the end of a pause.
  if (!isPaidByProof(transaction)) {
    const begun = beginHandOver(facts)
    if (begun) return ok(begun)
  }
  const claim = hash === undefined ? undefined : await claimInvoice(engine, scope, transaction, hash)
  if (claim === 'TAKEN') return outcome({ status: 'FAILED', reason: 'ACCOUNT_CANNOT_RECEIVE' })
  const submitted = await submitOverLightning(engine, scope, facts, claim)
  return outcome(submitted ?? (await rail.submitPayout(instruction, now)))
}

/** Puts on record that a payout is handed over from now on, where its collection may come back and that does not stand there. */
function beginHandOver(facts: StepFacts): Step | undefined {
  const { transaction, now } = facts
  const { handOverAt, held } = transaction.flow
  const isOnRecord = handOverAt !== undefined && (held === undefined || held.until !== undefined)
  if (!isCollectionWatched(transaction) || isOnRecord) return undefined
  const freed = { ...facts, transaction: goesOn(transaction, now) }
  const flow = { ...freed.transaction.flow, handOverAt: now }
  return noLongerHeld(finish(facts, begin(freed).change({ flow }), { next: now }), transaction)
}

/** Of a payment that ends in a Lightning invoice. */
function invoiceHash({ flow: { delivery } }: Transaction, { accountInfo }: PayoutInstruction) {
  if (delivery.kind === 'UMA') return delivery.peer?.lightning && delivery.peer.paymentHash
  return typeof accountInfo.invoice === 'string' ? readInvoice(accountInfo.invoice)?.paymentHash : undefined
}

async function pollPayout(engine: Engine, scope: Scope, facts: StepFacts): Promise<Result<Step, Failure>> {
  const { transaction, now } = facts
  const { rail, instruction } = await instructionFor(engine, scope, transaction, 'PAYOUT')
  const pause = await pauseOfProof(engine, scope, transaction)
  const isAsked = !isCollectionWatched(transaction) || transaction.flow.handOverAt !== undefined
  if (pause) return ok(decideHold(facts, pause, !isAsked))
  // To ask for the proof is what hands it over.
  const begun = isPaidByProof(transaction) ? beginHandOver(facts) : undefined
  if (begun) return ok(begun)
  const freed = { ...facts, transaction: goesOn(transaction, now) }
  const outcome = await rail.fetchPayout(instruction, now)
  return ok(noLongerHeld(decidePayoutOutcome(freed, outcome), transaction))
}

/** The account that shows what its owner owes once a collection comes back. */
async function owingAccounts(
  { database }: Engine,
  scope: Scope,
  { ownerId, sentCurrency, flow }: Transaction,
  named: readonly InternalAccount[],
): Promise<InternalAccount[]> {
  const isNamed = named.some((each) => each.ownerId === ownerId && each.currency === sentCurrency)
  if (flow.funding.kind !== 'PULL' || isNamed || !sentCurrency) return []
  const account = await loadOwnedInternalAccount(database, scope, ownerId, sentCurrency)
  return account ? [account] : []
}

export async function loadStepFacts(
  engine: Engine,
  scope: Scope,
  transaction: Transaction,
): Promise<StepFacts> {
  const { funding, delivery, platformAccountId, refundRoute } = transaction.flow
  const ids = new Set<string>()
  if (funding.kind === 'INTERNAL') ids.add(funding.accountId)
  if (delivery.kind === 'INTERNAL') ids.add(delivery.accountId)
  if (platformAccountId) ids.add(platformAccountId)
  if (refundRoute?.kind === 'INTERNAL') ids.add(refundRoute.accountId)
  const named = await loadInternalAccounts(engine.database, scope, [...ids])
  const accounts = [...named, ...(await owingAccounts(engine, scope, transaction, named))]
  const receiver =
    delivery.kind === 'INTERNAL' ? accounts.find(({ id }) => id === delivery.accountId) : undefined
  const isForAnother =
    receiver && receiver.ownerId !== transaction.ownerId && receiver.ownerId !== platformOwner
  const customer = isForAnother ? await loadCustomer(engine, scope, receiver.ownerId) : undefined
  const isReturned = transaction.flow.collection?.returnedAt !== undefined
  const { feeItemId } = transaction.flow
  const fee = feeItemId ? await loadSuspenseItem(engine.database, scope, feeItemId) : undefined
  const owed = isReturned ? await loadOpenReceivables(engine.database, scope, transaction.id) : undefined
  return {
    book: { platformId: scope.platformId, environment: scope.environment },
    now: scope.now,
    transaction,
    accounts,
    newItemId: () => engine.world.id('Transaction'),
    newReceivableId: () => engine.world.id('Receivable'),
    ...(fee?.status === 'WAITING' ? { suspendedFee: fee } : {}),
    ...(owed ? { owed } : {}),
    ...(customer ? { mirrorPlatformCustomerId: customer.platformCustomerId } : {}),
    stepMs: engine.adapters[scope.environment].rules.stepMs,
  }
}
