import { type ExchangeTimes, type Instant, stateAfter, toTimestamp } from '@corridor/kernel'
import type { WebhookAnswer } from '../../ports/adapters.ts'
import type { Decision, Question } from '../../vocabulary/decision.ts'
import type { Signed } from './attempt.ts'
import type { AnswerKeeping } from './kept-answers.ts'
import { deliveryMachine } from './machine.ts'

/** How events are delivered: every number of webhooks 3.2. */
export const deliveryPolicy = {
  timeoutMs: 30_000,
  /** The same for an event whose answer decides something (webhooks 3.4). */
  answerTimeoutMs: 5_000,
  firstRetryMs: 5_000,
  maxRetryMs: 30 * 60_000,
  /** After this long an event that still fails is given up. */
  giveUpAfterMs: 7 * 24 * 60 * 60_000,
  /** Attempts under way at a time, of one book in all processes. */
  concurrencyPerBook: 16,
  /** Beside these, how many may ask something: they never wait for an endpoint that hangs. */
  questionsPerBook: 16,
  /** Of the former, how many may be retries, so that a failing past leaves room for the present. */
  retriesPerBook: 8,
  keptResponseCharacters: 64 * 1024,
  /** Attempts of one event that are listed; about the last nine hours of one that fails all the time. */
  keptAttempts: 20,
} as const

/** The job that makes an event due again. */
export const retryJobKind = 'webhooks.deliver'

export interface RetryPayload {
  readonly eventId: string
  /** Which attempt it leads to, counted from 1. */
  readonly attempt: number
}

/** One attempt as it is listed. */
export interface LoggedAttempt {
  readonly attempt: number
  readonly at: string
  /** Of the answer; null where none came. */
  readonly status: number | null
  readonly error: string | null
  /** From when it was made to its answer, or to the end of waiting for one; absent in those of before. */
  readonly milliseconds?: number | undefined
  /** Of its parts, where the network measured them. */
  readonly times?: ExchangeTimes | undefined
  /** Of one whose answer would be kept, and was empty. */
  readonly isAnswerEmpty?: true | undefined
  /** Who made it, where that was a listener: `listen:<name>`. */
  readonly via?: string | undefined
  /** Of the last one: what the next is sent with. Nobody is shown it. */
  readonly signed?: Signed | undefined
}

/** What an attempt must know of its event. */
export interface AttemptedEvent {
  readonly id: string
  readonly version: bigint
  readonly attempts: number
  readonly maxAttempts: number | null
  readonly createdAt: Instant
  /** What its answer decides, if anything. */
  readonly question: Question | null
  readonly attemptLog: readonly LoggedAttempt[] | null
}

/**
 * The pause after the n-th failed attempt: 5 s, doubled each time, give or take a fifth, never more than
 * half an hour. `random` is uniform from 0 to 1.
 */
export function retryDelayMs(failedAttempts: number, random: number): number {
  const { firstRetryMs, maxRetryMs } = deliveryPolicy
  const doubled = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(failedAttempts - 1, 20))
  return Math.min(maxRetryMs, Math.round(doubled * (0.8 + 0.4 * random)))
}

/** The shortest pause before what the attempt that a timer leads to may leave to be done. */
export function leastDelayAfterMs({ attempt }: RetryPayload): number {
  return retryDelayMs(attempt, 0)
}

/** 409 says that the receiver has processed the event already: there is nothing left to deliver. */
export function isDelivered(answer: WebhookAnswer): boolean {
  return answer.ok && ((answer.status >= 200 && answer.status < 300) || answer.status === 409)
}

/** Why nothing is sent, and never will be, of an event whose customer has been erased. */
export const nothingLeft = 'ERASED'

/** Answers that decide a question; any other says that the endpoint is broken. */
const decidingStatuses: ReadonlySet<number> = new Set([200, 202, 403, 422])

/** Whether an answer decides a question. */
export function isDeciding(answer: WebhookAnswer): boolean {
  return answer.ok && decidingStatuses.has(answer.status)
}

/**
 * What becomes of an event after an attempt: delivered, waiting for its next retry on the book's clock,
 * or given up (webhooks 3.2). Only one outcome counts when two processes attempted it.
 */
export function decideAfterAttempt(
  event: AttemptedEvent,
  answer: WebhookAnswer,
  {
    now,
    random,
    signed,
    via,
    milliseconds,
    times,
    keeping,
  }: {
    now: Instant
    random: number
    signed?: Signed | undefined
    via?: string | undefined
    milliseconds?: number | undefined
    times?: ExchangeTimes | undefined
    /** Where what was answered is kept; nowhere when absent. */
    keeping?: AnswerKeeping | undefined
  },
): Decision<keyof (typeof deliveryMachine)['states']> {
  const attempts = event.attempts + 1
  const retryAt = now + retryDelayMs(attempts, random)
  const isLast =
    (event.maxAttempts !== null && attempts >= event.maxAttempts) ||
    retryAt > event.createdAt + deliveryPolicy.giveUpAfterMs ||
    (!answer.ok && answer.reason === nothingLeft)
  const delivered = event.question ? isDeciding(answer) : isDelivered(answer)
  const status = stateAfter(deliveryMachine, delivered ? 'deliver' : isLast ? 'giveUp' : 'miss')
  const lastStatus = answer.ok ? answer.status : null
  const lastError = delivered ? null : answer.ok ? `HTTP_${answer.status}` : answer.reason
  // The answer to a question is about a person, and whoever asked keeps what it needs of it.
  const kept = keeping && answer.ok && !event.question ? storable(answer.body) : undefined
  const logged: LoggedAttempt = {
    attempt: attempts,
    at: toTimestamp(now),
    status: lastStatus,
    error: lastError,
    ...(milliseconds === undefined ? {} : { milliseconds }),
    ...(times === undefined ? {} : { times }),
    ...(kept === '' ? { isAnswerEmpty: true as const } : {}),
    ...(via === undefined ? {} : { via }),
    ...(status === 'RETRYING' ? { signed: signed ?? event.attemptLog?.at(-1)?.signed } : {}),
  }
  const before = (event.attemptLog ?? []).map(({ signed: _, ...attempt }) => attempt)
  const payload: RetryPayload = { eventId: event.id, attempt: attempts + 1 }
  return {
    updates: [
      {
        table: 'events',
        id: event.id,
        version: event.version,
        from: ['QUEUED', 'RETRYING'],
        set: {
          status,
          attempts,
          due_at: null,
          last_status: lastStatus,
          last_error: lastError,
          attempt_log: [...before, logged].slice(-deliveryPolicy.keptAttempts),
          // Kept to find out what is wrong.
          last_response: answer.ok && !delivered && !event.question ? storable(answer.body) : null,
          delivered_at: delivered ? toTimestamp(now) : null,
        },
      },
    ],
    jobs:
      status === 'RETRYING'
        ? [{ kind: retryJobKind, payload, key: `${event.id} ${attempts + 1}`, runAt: retryAt }]
        : [],
    statements: kept ? [keeping!({ via: via ?? 'endpoint', attempt: attempts, body: kept, at: now })] : [],
    result: () => status,
  }
}

/** An event that the sandbox delays is sent when its timer rings, as its first attempt. */
export function decideHold(event: AttemptedEvent, until: Instant): Decision<null> {
  const attempt = event.attempts + 1
  const payload: RetryPayload = { eventId: event.id, attempt }
  return {
    updates: [
      {
        table: 'events',
        id: event.id,
        version: event.version,
        from: ['QUEUED'],
        set: { status: stateAfter(deliveryMachine, 'hold'), due_at: null },
      },
    ],
    jobs: [{ kind: retryJobKind, payload, key: `${event.id} ${attempt}`, runAt: until }],
    result: () => null,
  }
}

/** The endpoint's text in the form that a text column takes: it knows no NUL. */
export function storable(text: string): string {
  return text.slice(0, deliveryPolicy.keptResponseCharacters).replaceAll('\u0000', '\ufffd')
}
