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
    LOST_ANSWER: 'the work is done, then the connection is cut',
    REFUSED: 'nothing is done, and the connection is cut',
    ERROR: 'nothing is done: an error with `status` or `code`',
    RATE_LIMITED: 'nothing is done: 429, to come back after `retryAfter` seconds',
    LATENCY: 'an answer `ms` later, in real time',
    SLOW_BODY: 'an answer of `bytesPerSecond`, which takes half a minute at most',
    TRUNCATED: 'half of the answer, then the connection is cut',
  },
  RAIL: {
    LOST_ANSWER: 'the rail has done it, and its answer is lost: it is asked again with the same id',
    REFUSED: 'the rail does nothing this time',
    ERROR: 'the same',
    RATE_LIMITED: 'the same',
    DUPLICATE: 'the rail is handed the payment `copies` times under one id, with `order` AT_ONCE all at once',
    REORDER:
      'of the next `n` payments there is no word until `seconds` after the first of them, 10 when absent, and then in another order, a second apart',
    DELAY: 'no word before `seconds` have passed on the clock',
    OUTAGE:
      'the rail does nothing as long as it lasts; what waits is asked again, later each time, half an hour at most',
    PARTIAL_OUTAGE: 'the same for those that `probability` says',
    SILENCE: 'accepted, then no word until the fault is deleted',
    OUTCOME: 'what an account with this ending does, on any account; with `seconds` a return that much later',
  },
  WEBHOOK: {
    DUPLICATE:
      'the same event is sent `copies` times, one after the other, or with `order` AT_ONCE all at once',
    SLOW_BODY: 'it is sent at `bytesPerSecond`, in real time, for half a minute at most',
    TRUNCATED: 'half of it is sent, then the connection is cut',
    BAD_SIGNATURE: 'one bit of the signature is another',
    REFUSED: 'it is not sent this time, as if the endpoint refused the connection',
    ERROR: 'it is not sent this time, as if the endpoint had answered `status`, 500 when absent',
    RATE_LIMITED: 'it is not sent this time, as if the endpoint had answered 429',
    LATENCY: 'it is sent `ms` later, on the clock',
    DELAY: 'it is sent `seconds` later, on the clock',
    REORDER:
      'the next `n` wait until `seconds` after the first of them, 10 when absent, and go out in another order, a second apart',
    STALE_KEY:
      'it is signed by the last key that was retired; where none was yet, by one that is published nowhere',
  },
  RATES: {
    RATE_SHOCK: 'a quote is made at rates that are `bps` higher for each currency other than the US dollar',
    RATE_UNAVAILABLE: 'a quote is refused when it is executed: `QUOTE_RATE_UNAVAILABLE`',
    REFUSED: 'a quote is not made this time: `QUOTE_REQUEST_FAILED`',
    ERROR: 'the same',
    RATE_LIMITED: 'the same',
    OUTAGE: 'no quote is made as long as it lasts',
    SILENCE: 'the same, until the fault is deleted',
    PARTIAL_OUTAGE: 'the same for those that `probability` says',
  },
  IDENTITY: {
    REFUSED:
      'nobody decides about a submission or looks at a document this time: 503, and nothing has changed; who is decided at creation is decided all the same',
    ERROR: 'the same',
    RATE_LIMITED: 'the same',
    OUTAGE: 'the same as long as it lasts',
    PARTIAL_OUTAGE: 'the same for those that `probability` says',
    SILENCE: 'a submission is accepted, then no word: it waits for a person, who decides in the review queue',
  },
  UMA: {
    REFUSED:
      'another institution is not reached this time: `LNURLP_REQUEST_FAILED` where somebody is looked up, `PAYREQ_REQUEST_FAILED` where a quote asks for its terms, which one with a `lookupId` does at once',
    ERROR: 'it answers `status` this time, 500 when absent',
    RATE_LIMITED: 'it answers 429 this time',
    LOST_ANSWER:
      'it has agreed to a payment, and its answer is lost: `PAYREQ_REQUEST_FAILED`, and the payment is never made',
    OUTAGE: 'none is reached as long as it lasts',
    PARTIAL_OUTAGE: 'the same for those that `probability` says',
  },
  MESSAGING: {
    REFUSED: 'an e-mail or SMS is refused for good',
    ERROR: 'it is not taken this time, and sent again later',
    RATE_LIMITED: 'the same',
    OUTAGE: 'none is taken as long as it lasts; each is sent again, later each time, until it is out of date',
    PARTIAL_OUTAGE: 'the same for those that `probability` says',
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
  readonly customerIds?: readonly string[]
  readonly accountIds?: readonly string[]
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
