import { createHmac } from 'node:crypto'
import type { Instant } from '@corridor/kernel'

/** What fails on purpose in a sandbox book: a rule of its owner (docs/adr/0039). */
export interface Fault {
  readonly id: string
  readonly kind: FaultKind
  readonly target: FaultTarget
  readonly match: FaultMatch
  /** Of 0 to 1. */
  readonly probability: number
  /** Hits after which it is over; absent: none. */
  readonly times: number | undefined
  /** How many that it fits are let pass first. */
  readonly after: number
  readonly until: Instant | undefined
  readonly seed: string
  readonly params: FaultParams
  readonly isHidden: boolean
  /** Of a hit that changes places with others: until when nothing is heard of what it hit. */
  readonly silentUntil?: Instant
}

/** Which kinds each part of the world can have, and what they do, for the guide. */
export const faultKinds = {
  API: {
    LOST_ANSWER: 'the request takes effect, but Corridor closes the connection without a response',
    REFUSED: 'the request has no effect, and Corridor closes the connection',
    ERROR: 'the request has no effect, and the response is an error with `status` or `code`',
    RATE_LIMITED:
      'the request has no effect, and the response is 429 with a Retry-After of `retryAfter` seconds',
    LATENCY: 'the response arrives `ms` later, in real time',
    SLOW_BODY: 'the response arrives at `bytesPerSecond` and takes at most half a minute',
    TRUNCATED: 'Corridor sends half of the response, then closes the connection',
  },
  RAIL: {
    LOST_ANSWER:
      'the rail makes the payment, but the response is lost, so Corridor repeats the request with the same id',
    REFUSED: 'the rail does nothing, and Corridor retries later',
    ERROR: 'the same',
    RATE_LIMITED: 'the same',
    DUPLICATE:
      'the rail receives the payment `copies` times with the same id, one after the other or at the same time (`order`)',
    REORDER:
      'the rail reports the next `n` payments in a different order, one second apart; the first payment waits at most `seconds` (default 10)',
    DELAY: 'the rail reports after `seconds` on the sandbox clock',
    OUTAGE:
      'the rail does nothing while the fault lasts, and Corridor retries with growing delays of up to half an hour',
    PARTIAL_OUTAGE: 'the outage affects each call with the given `probability`',
    SILENCE: 'the rail accepts the payment and reports nothing until you delete the fault',
    OUTCOME:
      'any account behaves like an account with this ending; with `seconds`, the bank returns the payment after that time',
  },
  WEBHOOK: {
    DUPLICATE: 'Corridor sends the event `copies` times, one after the other or at the same time (`order`)',
    SLOW_BODY: 'Corridor sends the event at `bytesPerSecond`, in real time, for at most half a minute',
    TRUNCATED: 'Corridor sends half of the event, then closes the connection',
    BAD_SIGNATURE: 'one bit of the signature is wrong',
    REFUSED: 'one attempt fails as if the endpoint refused the connection',
    ERROR: 'one attempt fails as if the endpoint had responded with `status` (default 500)',
    RATE_LIMITED: 'one attempt fails as if the endpoint had responded with 429',
    LATENCY: 'Corridor sends the event `ms` later, on the sandbox clock',
    DELAY: 'Corridor sends the event `seconds` later, on the sandbox clock',
    REORDER:
      'Corridor sends the next `n` events in a different order, one second apart; the first event waits at most `seconds` (default 10)',
    STALE_KEY:
      'Corridor signs the event with the last retired key, or with an unpublished key if no key is retired',
  },
  RATES: {
    RATE_SHOCK: 'a quote uses rates that are `bps` higher for each currency other than the US dollar',
    RATE_UNAVAILABLE: 'the execution of a quote fails with `QUOTE_RATE_UNAVAILABLE`',
    REFUSED: 'the creation of a quote fails with `QUOTE_REQUEST_FAILED`',
    ERROR: 'the same',
    RATE_LIMITED: 'the same',
    OUTAGE: 'no quote can be created while the fault lasts',
    SILENCE: 'no quote can be created until you delete the fault',
    PARTIAL_OUTAGE: 'the outage affects each call with the given `probability`',
  },
  IDENTITY: {
    REFUSED:
      'a submission or document upload fails with 503 and changes nothing; customers whose verification is decided at creation are not affected',
    ERROR: 'the same',
    RATE_LIMITED: 'the same',
    OUTAGE: 'submissions and document uploads fail with 503 while the fault lasts',
    PARTIAL_OUTAGE: 'the outage affects each call with the given `probability`',
    SILENCE: 'a submission is accepted and waits in the review queue',
  },
  UMA: {
    REFUSED:
      'another institution is unreachable once; a lookup then fails with `LNURLP_REQUEST_FAILED`, and a quote with `PAYREQ_REQUEST_FAILED`',
    ERROR: 'another institution responds with `status` once (default 500)',
    RATE_LIMITED: 'another institution responds with 429 once',
    LOST_ANSWER:
      'the institution agrees to a payment, but its response is lost; the quote fails with `PAYREQ_REQUEST_FAILED`, and no payment is made',
    OUTAGE: 'no institution is reachable while the fault lasts',
    PARTIAL_OUTAGE: 'the outage affects each call with the given `probability`',
  },
  MESSAGING: {
    REFUSED: 'the provider rejects an e-mail or SMS permanently',
    ERROR: 'an e-mail or SMS fails once, and Corridor sends it again later',
    RATE_LIMITED: 'the same',
    OUTAGE:
      'the provider accepts no messages while the fault lasts, and Corridor retries each message with growing delays until it expires',
    PARTIAL_OUTAGE: 'the outage affects each call with the given `probability`',
  },
} as const

export type FaultTarget = keyof typeof faultKinds
export type FaultKind = { [T in FaultTarget]: keyof (typeof faultKinds)[T] }[FaultTarget]

/** All that is named must be so. */
export interface FaultMatch {
  readonly operationId?: string
  readonly railId?: string
  readonly eventType?: string
  readonly customerId?: string
  readonly accountId?: string
  readonly minAmount?: number
}

/** What can be matched in each part. */
export const faultMatches = {
  API: ['operationId', 'customerId', 'accountId', 'minAmount'],
  RAIL: ['railId', 'customerId', 'accountId', 'minAmount'],
  WEBHOOK: ['eventType', 'customerId'],
  RATES: ['customerId', 'accountId', 'minAmount'],
  IDENTITY: ['customerId'],
  UMA: ['customerId'],
  MESSAGING: ['customerId'],
} as const satisfies Record<FaultTarget, readonly (keyof FaultMatch)[]>

export interface FaultParams {
  /** Milliseconds: of real time where an answer is late, on the clock of the book where an event is. */
  readonly ms?: number
  readonly distribution?: 'FIXED' | 'LONG_TAILED'
  readonly bytesPerSecond?: number
  /** Of the answer. */
  readonly status?: number
  readonly code?: string
  /** Seconds. */
  readonly retryAfter?: number
  /** How often it is sent in all. */
  readonly copies?: number
  readonly order?: 'ONE_BY_ONE' | 'AT_ONCE'
  /** On the clock of the book. */
  readonly seconds?: number
  /** An ending of the sandbox's guide. */
  readonly outcome?: string
  /** Hundredths of a percent. */
  readonly bps?: number
  /** How many events change places with each other. */
  readonly n?: number
}

/** What each kind may be told, and what it must be. */
export const faultParams: Readonly<
  Record<FaultKind, { readonly may?: readonly (keyof FaultParams)[]; readonly must?: keyof FaultParams }>
> = {
  LOST_ANSWER: {},
  REFUSED: {},
  ERROR: { may: ['status', 'code'] },
  RATE_LIMITED: { may: ['retryAfter'] },
  LATENCY: { may: ['distribution'], must: 'ms' },
  SLOW_BODY: { must: 'bytesPerSecond' },
  TRUNCATED: {},
  DUPLICATE: { may: ['copies', 'order'] },
  BAD_SIGNATURE: {},
  DELAY: { must: 'seconds' },
  OUTAGE: {},
  PARTIAL_OUTAGE: {},
  SILENCE: {},
  OUTCOME: { may: ['seconds'], must: 'outcome' },
  REORDER: { may: ['seconds'], must: 'n' },
  STALE_KEY: {},
  RATE_SHOCK: { must: 'bps' },
  RATE_UNAVAILABLE: {},
}

/** Whom a fault may meet. */
export interface FaultSubject {
  /** What is drawn depends on it: the id of a transaction, or what was asked of the API. */
  readonly id: string
  readonly operationId?: string | undefined
  readonly railId?: string | undefined
  readonly eventType?: string | undefined
  /** Any of them counts. */
  readonly customerIds?: readonly string[] | undefined
  readonly accountIds?: readonly string[] | undefined
  /** In minor units; the largest of a request. */
  readonly amount?: bigint | undefined
  readonly requestId?: string | undefined
  /** Of the API: the resource that the path of the request names. */
  readonly resourceId?: string | undefined
  /** Of a rail: which hand-over of a payment. */
  readonly side?: Side | undefined
}

/** A payment that is collected and paid out is handed over twice, and each hand-over meets faults by itself. */
export type Side = 'PULL' | 'PAYOUT'

export function fits({ match }: Fault, subject: FaultSubject): boolean {
  return (
    (match.operationId === undefined || match.operationId === subject.operationId) &&
    (match.railId === undefined || match.railId === subject.railId) &&
    (match.eventType === undefined || match.eventType === subject.eventType) &&
    (match.customerId === undefined || subject.customerIds?.includes(match.customerId) === true) &&
    (match.accountId === undefined || subject.accountIds?.includes(match.accountId) === true) &&
    (match.minAmount === undefined ||
      (subject.amount !== undefined && subject.amount >= BigInt(match.minAmount)))
  )
}

/**
 * 64 random bits for the n-th time that this subject meets this fault. Of nothing else, so that it does not matter what
 * happens beside it.
 */
export function draw({ seed, id }: Pick<Fault, 'seed' | 'id'>, subject: string, ordinal: bigint): bigint {
  return createHmac('sha256', seed).update(`${id}\n${subject}\n${ordinal}`).digest().readBigUInt64BE()
}

const wholeDraw = 2n ** 32n

/** Whether anything is left to chance: what always hits, and for the same length, needs no count of whom it has met. */
export function isDrawn({ probability, params }: Pick<Fault, 'probability' | 'params'>): boolean {
  return probability < 1 || params.distribution === 'LONG_TAILED'
}

/** Whether a draw is a hit: 32 of its bits against the probability, in integers. */
export function isHit({ probability }: Pick<Fault, 'probability'>, drawn: bigint): boolean {
  return drawn >> 32n < BigInt(Math.round(probability * Number(wholeDraw)))
}

export const longestWaitMs = 30_000

/** How long is waited: as said, or as long a tail has it: with each halving of the chance twice as long. */
export function waitOf({ ms = 0, distribution }: FaultParams, drawn: bigint): number {
  if (distribution !== 'LONG_TAILED') return Math.min(ms, longestWaitMs)
  const doublings = Math.clz32(Number(drawn & (wholeDraw - 1n)))
  return Math.min(ms * 2 ** Math.min(doublings, 15), longestWaitMs)
}

/** What holds an event back before its first attempt. It is decided once, so that nothing is held back for ever. */
export const holdingKinds: ReadonlySet<FaultKind> = new Set(['LATENCY', 'DELAY', 'REORDER'])

/**
 * Seconds for which an event may be held back: there is a day left of the seven in which it is sent again where its endpoint
 * does not take it then.
 */
export const longestHoldSeconds = 6 * 24 * 60 * 60

export const usualWindowSeconds = 10
/** Between two that were held back together, so that one is there before the next is sent. */
const apartMs = 1_000

/** Events that are to change places with each other, by their fault. */
export interface Window {
  /** Counted from 1. */
  readonly number: number
  /** When the first of them came, on the clock of the book. */
  readonly from: Instant
  /** How many have come. */
  readonly taken: number
}

function windowMs({ seconds = usualWindowSeconds }: FaultParams): number {
  return seconds * 1000
}

/** The window with one event more: the one before, unless it is full or its time is over. */
export function withOneMore(
  before: Window | undefined,
  { params }: Pick<Fault, 'params'>,
  now: Instant,
): Window {
  const isOpen = before && before.taken < (params.n ?? 1) && now < before.from + windowMs(params)
  if (isOpen) return { ...before, taken: before.taken + 1 }
  return { number: (before?.number ?? 0) + 1, from: now, taken: 1 }
}

/**
 * When the last that came into a window is sent. Their order is drawn of the fault and the number of the window alone, with
 * the second before the first: so even two of many do not come in the order in which they happened.
 */
export function leavesAt(
  fault: Pick<Fault, 'id' | 'seed' | 'params'>,
  { number, from, taken }: Window,
): Instant {
  const places = Array.from({ length: fault.params.n ?? 1 }, (_, place) => ({
    place,
    drawn: draw(fault, `window ${number}`, BigInt(place)),
  }))
  const order = places.sort((a, b) => (a.drawn < b.drawn ? -1 : 1)).map(({ place }) => place)
  const [first, second] = [order.indexOf(0), order.indexOf(1)]
  const drawn = order.indexOf(taken - 1)
  const isSwapped = second !== -1 && first < second
  const rank = isSwapped && taken === 1 ? second : isSwapped && taken === 2 ? first : drawn
  return from + windowMs(fault.params) + rank * apartMs
}
