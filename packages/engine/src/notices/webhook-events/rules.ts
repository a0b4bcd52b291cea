import {
  failed,
  type Instant,
  ok,
  type Result,
  stateAfter,
  statesBefore,
  toTimestamp,
} from '@corridor/kernel'
import {
  deliveryPolicy,
  isDelivered,
  type LoggedAttempt,
  type RetryPayload,
  retryDelayMs,
  retryJobKind,
} from '../../mechanisms/outbox/delivery-policy.ts'
import { deliveryMachine } from '../../mechanisms/outbox/machine.ts'
import { isErased } from '../../mechanisms/outbox/sealed-bodies.ts'
import type { WebhookAnswer } from '../../ports/adapters.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { ListenedEvent, ListenerAttempt } from './listener-store.ts'
import { type EventRow, hearAgain, type WholeEvent } from './store.ts'

/** What goes to an endpoint again: what happened without one is not sent to one later (webhooks 3.2). */
const resendable = statesBefore(deliveryMachine, 'resend')

/** Of one platform at a time; an operator alone may send no more either. */
export const mostReplayed = 1_000
/** With two operators. */
export const mostReplayedByTwo = 10_000
export const usualRatePerSecond = 50

/**
 * One more attempt at the endpoint and at every listener. Fails with REFERENCE_NOT_FOUND, and with CONFLICT while the
 * event is being sent, where it asks something, where its customer has been erased, and where nobody would get it.
 */
export function decideResendByPlatform(
  book: Book,
  event: WholeEvent | undefined,
  { id, now, hasListener }: { id: string; now: Instant; hasListener: boolean },
): Result<Decision<Reply>, Failure> {
  if (!event) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Webhook', id }))
  if (event.asks) return failed(fail('CONFLICT', { reason: 'ASKED_ONCE', id }))
  if (isErased(event)) return failed(fail('CONFLICT', { reason: 'ERASED', id }))
  const isStored = event.status === 'STORED'
  if (!isStored && !resendable.includes(event.status)) {
    return failed(fail('CONFLICT', { id, status: event.status }))
  }
  if (isStored && !hasListener) return failed(fail('CONFLICT', { reason: 'NO_RECEIVER', id }))
  return ok({
    ...again(book, [{ event, at: now }]),
    result: () => ({ status: 202, body: { id } }),
  })
}

/** Sends these again, the first now and `ratePerSecond` of them a second. */
export function decideReplay(
  book: Book,
  events: readonly EventRow[],
  pace: { from: Instant; first: number; ratePerSecond: number },
): Decision<null> {
  const timed = events.map((event, index) => ({
    event,
    at: pace.from + Math.floor(((pace.first + index) * 1_000) / pace.ratePerSecond),
  }))
  return { ...again(book, timed), result: () => null }
}

/** The timer of a retry makes each due at the endpoint (webhooks.deliver), listeners have a time of their own. */
function again(
  book: Book,
  timed: readonly { readonly event: EventRow; readonly at: Instant }[],
): Omit<Decision, 'result'> {
  const sent = timed.filter(({ event }) => resendable.includes(event.status))
  // The timer of one that waits for another attempt has this key: it rings as early as the earlier of the two.
  const hastened = timed.filter(({ event }) => event.status === 'RETRYING')
  const payloadOf = ({ id, attempts }: EventRow): RetryPayload => ({ eventId: id, attempt: attempts + 1 })
  return {
    statements: [
      {
        statement: hearAgain,
        parameters: [
          book.platformId,
          book.environment,
          timed.map(({ event }) => event.id),
          timed.map(({ at }) => toTimestamp(at)),
          stateAfter(deliveryMachine, 'resend'),
        ],
      },
    ],
    updates: sent.map(({ event }) => ({
      table: 'events',
      id: event.id,
      from: [...resendable],
      version: event.version,
      set: { status: stateAfter(deliveryMachine, 'resend'), due_at: null },
    })),
    jobs: [...sent, ...hastened].map(({ event, at }) => ({
      kind: retryJobKind,
      payload: payloadOf(event),
      key: `${event.id} ${event.attempts + 1}`,
      runAt: at,
    })),
  }
}

/**
 * What becomes of an event at a listener after an attempt, by the policy of every webhook. One that asks something is
 * sent once.
 */
export function judgeAttempt(
  event: ListenedEvent,
  answer: WebhookAnswer,
  made: { attempt: number; milliseconds: number; now: Instant; random: number },
): ListenerAttempt {
  const { attempt, now } = made
  const retryAt = now + retryDelayMs(attempt, made.random)
  const isLast = event.asks || retryAt > event.createdAt + deliveryPolicy.giveUpAfterMs
  const delivered = event.asks ? answer.ok : isDelivered(answer)
  const status = stateAfter(deliveryMachine, delivered ? 'deliver' : isLast ? 'giveUp' : 'miss')
  const lastError = delivered ? null : answer.ok ? `HTTP_${answer.status}` : answer.reason
  const lastStatus = answer.ok ? answer.status : null
  const { milliseconds } = made
  const logged: LoggedAttempt = {
    ...{ attempt, at: toTimestamp(now), status: lastStatus, error: lastError, milliseconds },
    ...(answer.ok && answer.body === '' && !event.asks ? { isAnswerEmpty: true } : {}),
  }
  return {
    eventId: event.id,
    status: status as ListenerAttempt['status'],
    attempts: attempt,
    dueAt: status === 'RETRYING' ? retryAt : null,
    lastStatus,
    lastError,
    milliseconds,
    attemptLog: [...(event.attemptLog ?? []), logged].slice(-deliveryPolicy.keptAttempts),
  }
}
