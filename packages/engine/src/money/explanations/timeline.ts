import { toTimestamp } from '@corridor/kernel'
import type { LoggedRequest } from '../../platform/request-log/index.ts'
import { type Interventions, noIntervention } from '../../vocabulary/interventions.ts'
import { isToldAs } from '../payments/index.ts'
import type { Explanation, ExplanationJournal } from './contract.ts'
import type { PaymentFacts } from './payment.ts'
import { endedAt, hasFailedByReturn } from './sentence.ts'
import { postedOf, rateOf, reasonOf } from './words.ts'

type Entry = Explanation['timeline'][number]

/** What happened to a payment when, by whose doing, each from a record that says so. */
export function timelineOf(
  facts: PaymentFacts,
  journals: readonly ExplanationJournal[],
): Explanation['timeline'] {
  const { quote, transaction, events, interventions, requests } = facts
  const begun = quote
    ? { at: toTimestamp(quote.createdAt), text: 'the quote was created', ref: quote.id }
    : { at: toTimestamp(transaction.createdAt), text: 'the payment was recorded', ref: transaction.id }
  const { agentId } = transaction.details
  const changes = interventions.all.map(({ entry }) => entry)
  const posted = journals.map(({ at, step, id, postings }) => ({
    at,
    kind: step === 'hold' ? ('HOLD' as const) : ('TRANSITION' as const),
    text: isConversion(step, postings) ? conversionOf(facts, step) : postedOf(step),
    ref: id,
  }))
  const rest: Entry[] = [
    ...changes.filter(({ at }) => at >= begun.at),
    ...requests.map((request) => requestEntry(request, interventions)),
    ...clockEntries(facts),
    ...posted.filter(({ ref }) => isBegun(ref)),
    ...pauseEntries(facts),
    ...railEntries(facts, journals),
    ...failureEntries(facts),
    ...posted.filter(({ ref }) => !isBegun(ref)),
    ...operatorEntries(facts),
    ...events.map(({ createdAt, type, id, status }) => ({
      at: toTimestamp(createdAt),
      kind: 'WEBHOOK' as const,
      text: `${type} ${becameOf[status]}`,
      ref: id,
    })),
  ]
  // Timestamps of one form sort as text; what happened at one moment stays in its order.
  return [
    // The request that made it was changed before.
    ...changes.filter(({ at }) => at < begun.at),
    { kind: 'REQUEST' as const, ...begun, ...(agentId ? { actor: agentId } : {}) },
    ...rest.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
  ]
}

/** Of an event since: it stands at the moment at which there was something to tell. */
const becameOf: Readonly<Record<PaymentFacts['events'][number]['status'], string>> = {
  QUEUED: 'is waiting for delivery',
  RETRYING: 'has failed so far and will be retried',
  DELIVERED: 'was delivered',
  STORED: 'was stored, because no endpoint was set',
  FAILED: 'could not be delivered',
}

/** Of what has one moment: these are posted before anything goes to a rail, others because of what it said. */
function isBegun(journal: string): boolean {
  return /\/(hold|execute|fund|convert)$/.test(journal)
}

/**
 * A request in words, with who asked, its id and the mark of its key. An operator's is told as such. One that moved the clock is
 * answered at the moment that it moved it to.
 */
export function requestEntry(request: LoggedRequest, interventions: Interventions): Entry {
  const { requestId, operation, method, path, status, idempotencyKey, actor, createdAt } = request
  const isMove = operation === 'advanceSandboxClock' && status === 200
  const moved = isMove ? 'the sandbox clock was moved to this time: ' : ''
  return {
    at: createdAt,
    kind: isMove ? 'CLOCK' : actor.startsWith('Operator:') ? 'OPERATOR' : 'REQUEST',
    text: `${moved}${method} ${path} ${outcomeOf(request, interventions)}`,
    actor,
    requestId,
    ...(idempotencyKey ? { idempotencyKey } : {}),
  }
}

/** What a request came to, with these interventions, and what is said of it besides, as how long that took. */
export function outcomeOf(request: LoggedRequest, interventions: Interventions, more = ''): string {
  const { status, code, replayed } = request
  if (status === 0) return `got no response${more}, because the connection was closed`
  const loss = lossOf(request, interventions)
  const again = replayed ? (loss ? ', as before' : ', a replay') : ''
  const came = `${status}${code ? ` ${code}` : ''}${more}${again}`
  return `returned ${came}${loss ? `, ${loss}` : ''}`
}

/** Why its caller did not get what it came to; undefined where it was sent, as far as is known here. */
function lossOf({ requestId, operation }: LoggedRequest, { all }: Interventions): string | undefined {
  const changes = all
    .filter((each) => each.requestId === requestId && each.operationId === operation)
    .flatMap(({ response }) => (response ? [response] : []))
  // Then there was nothing to lose.
  if (changes.some(({ kind }) => kind === 'REPLACED')) return undefined
  const losses = changes.flatMap((each) => (each.kind === 'REPLACED' ? [] : [each]))
  return (losses.find(({ kind }) => kind === 'LOST') ?? losses[0])?.text
}

/** What the passing of time did: nobody asked for it. */
function clockEntries(facts: PaymentFacts): Entry[] {
  const { quote, transaction } = facts
  const { status } = transaction
  if (status !== 'EXPIRED' || !quote) return []
  return [{ at: endedAt(facts, status), kind: 'CLOCK', text: 'the payment expired', ref: quote.id }]
}

/** That the operator held it back from its rail, and until when. */
function pauseEntries({ transaction: { flow, id } }: PaymentFacts): Entry[] {
  const { held, delivery } = flow
  if (!held || delivery.kind === 'INTERNAL') return []
  const entry = (kind: 'OPERATOR' | 'TRANSITION', at: number, text: string): Entry => ({
    at: toTimestamp(at),
    kind,
    text,
    ref: id,
  })
  const paused = `the operator paused payouts (${held.reasonCode}), so Corridor does not hand the payment to ${delivery.rail} yet`
  return [
    entry('OPERATOR', held.since, paused),
    // Lifted, or cancelled meanwhile.
    ...(held.until === undefined
      ? []
      : [
          entry(
            flow.isCancelled ? 'TRANSITION' : 'OPERATOR',
            held.until,
            'the payment no longer waits for a pause',
          ),
        ]),
  ]
}

/** What went to a rail, and what it said. */
function railEntries(
  { transaction, decided }: PaymentFacts,
  journals: readonly ExplanationJournal[],
): Entry[] {
  const { flow, refund, id } = transaction
  const { funding, delivery } = flow
  // Which of the two has, or had, the instruction: money is pulled, and collected, before it is sent on.
  const isPulled = delivery.kind === 'INTERNAL' || !journals.some(({ step }) => step === 'collect')
  const rail =
    isPulled && funding.kind === 'PULL'
      ? funding.rail
      : delivery.kind === 'INTERNAL'
        ? undefined
        : delivery.rail
  const entry = (at: string, text: string): Entry => ({ at, kind: 'RAIL', text, ref: id })
  // What decides how long it takes is told where the waiting begins.
  const takesTime = decided && !decided.failsAs && !decided.isReturned && !decided.isCancelled
  const slow = takesTime ? `; ${sandboxOutcome(decided)}` : ''
  // Told from what was posted for it, which stays: a payment says no more when it was settled once it came back.
  const atOf = (posted: string) => journals.find(({ step }) => step === posted)?.at
  const settledAt = atOf(delivery.kind === 'INTERNAL' ? 'collect' : 'deliver')
  const returnedAt = atOf('return')
  // One that failed is in suspense, and never left.
  const isReturned = flow.refundRoute?.kind === 'RAIL' && refund && refund.status !== 'FAILED'
  return [
    ...(rail && flow.submittedAt !== undefined
      ? [entry(toTimestamp(flow.submittedAt), `the payment was handed to ${rail}${slow}`)]
      : []),
    ...(rail && settledAt && !flow.endedByOperator ? [entry(settledAt, `${rail} settled the payment`)] : []),
    ...(rail && returnedAt ? [entry(returnedAt, `${rail} returned the payment`)] : []),
    // Where it paid for something else. The return of a pull into an account of ours is told just above.
    ...(flow.collection?.returnedAt !== undefined && funding.kind === 'PULL' && delivery.kind !== 'INTERNAL'
      ? [entry(toTimestamp(flow.collection.returnedAt), `${funding.rail} returned the collection`)]
      : []),
    ...(isReturned ? [entry(refund.initiatedAt, 'the refund was sent on a rail')] : []),
    ...(isReturned && refund.settledAt ? [entry(refund.settledAt, `the refund is ${refund.status}`)] : []),
  ]
}

/** Whether a journal changes one currency into another, forth and not back. */
function isConversion(step: string, postings: ExplanationJournal['postings']): boolean {
  const isFx = (account: string) => account.startsWith('fx:')
  const isBack = step === 'unwind' || step === 'return' || step === 'clawback'
  return !isBack && postings.some(({ to }) => isFx(to)) && postings.some(({ from }) => isFx(from))
}

/** At which rate, which is sure since the quote was made, as another entry says: `converted at 0.86 EUR for one USD`. */
function conversionOf({ quote }: PaymentFacts, step: string): string {
  const pricing = quote?.options.pricing
  return quote && pricing ? `the money was converted at ${rateOf(pricing.crossRate, quote)}` : postedOf(step)
}

/** The end of what was not delivered, with its reason, and that the sandbox decided so by what it was sent to. */
function failureEntries(facts: PaymentFacts): Entry[] {
  const { transaction, quote } = facts
  const { status, id, flow, refund } = transaction
  const cause = causeOf(facts)
  const decided = cause ? `; ${cause}` : ''
  if (flow.isCancelled) {
    return refund && decided
      ? [{ at: refund.initiatedAt, kind: 'RAIL', text: `the rail cancelled the payment${decided}`, ref: id }]
      : []
  }
  // A reserved payment has the status of its quote, whose end is told by the clock.
  const isOver = status === 'FAILED' || status === 'REJECTED'
  if (!isOver || quote?.status === 'PENDING') return []
  const why = reasonOf(transaction.failureReason, { isTakenBack: hasFailedByReturn(facts) })
  const text = `the payment is ${status}${why ? `: ${why}` : ''}${decided}`
  return [{ at: endedAt(facts, status), kind: 'TRANSITION', text, ref: id }]
}

/** By what a sandbox decided the end that came. */
function causeOf({ transaction, decided }: PaymentFacts): string | undefined {
  if (!decided) return undefined
  const { failureReason, flow } = transaction
  const isSo = flow.isCancelled
    ? decided.isCancelled && flow.cancelAskedAt === undefined
    : failureReason === 'PAYOUT_RETURNED'
      ? decided.isReturned
      : decided.failsAs !== undefined && isToldAs(decided.failsAs, decided.side, failureReason)
  return isSo ? sandboxOutcome(decided) : undefined
}

const sandboxOutcome = ({ by, meaning }: NonNullable<PaymentFacts['decided']>) =>
  `sandbox outcome: ${by} (${meaning}), ${noIntervention}`

/** That the operator ended it, at the moment that its end left behind. */
function operatorEntries({ transaction }: PaymentFacts): Entry[] {
  const { flow, settledAt, refund, id } = transaction
  const at = settledAt === null ? refund?.initiatedAt : toTimestamp(settledAt)
  if (!flow.endedByOperator || at === undefined) return []
  return [{ at, kind: 'OPERATOR', text: 'the operator ended the payment', ref: id }]
}
