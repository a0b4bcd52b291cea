import {
  type FaultKind,
  type FaultParams,
  type FaultTarget,
  type faultKinds,
  usualWindowSeconds,
} from './fault.ts'

/** What one hit did, with the numbers of its fault: for whoever asks what became of something, not what a kind does in general. */

type Told = string | ((params: FaultParams) => string)

const isAsked = 'Corridor retries, with growing delays'
const notThisTime = `the rail did nothing; ${isAsked}`
const noQuote = 'the quote was not created: QUOTE_REQUEST_FAILED'
const nobodyDecided = 'the identity provider was unavailable: 503, and nothing changed'
const notReached =
  'another institution was unreachable: LNURLP_REQUEST_FAILED for a lookup, PAYREQ_REQUEST_FAILED for a quote'
const notTaken = 'the message failed and is sent again later'

const of = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
const copies = ({ copies = 2, order }: FaultParams) =>
  `${copies} times${order === 'AT_ONCE' ? ' all at once' : ', one after the other'}`
const late = ({ ms = 0, distribution }: FaultParams) =>
  `${ms} ms${distribution === 'LONG_TAILED' ? ' or more' : ''} later`
const window = ({ n = 0, seconds = usualWindowSeconds }: FaultParams, what: string) =>
  `${of(seconds, 'second')} after the first of ${n} ${what}`

const told: { readonly [T in FaultTarget]: Readonly<Record<keyof (typeof faultKinds)[T], Told>> } = {
  API: {
    LOST_ANSWER: 'the request took effect, then the connection was cut',
    REFUSED: 'the request had no effect, and the connection was cut',
    ERROR: ({ status, code }) =>
      `nothing was done: an error with ${[status, code].filter((part) => part !== undefined).join(' ') || 'INTERNAL_ERROR'}`,
    RATE_LIMITED: ({ retryAfter = 1 }) =>
      `nothing was done: 429 with a Retry-After of ${of(retryAfter, 'second')}`,
    LATENCY: (params) => `the response came ${late(params)}, in real time`,
    SLOW_BODY: ({ bytesPerSecond = 0 }) => `the response came at ${of(bytesPerSecond, 'byte')} a second`,
    TRUNCATED: 'half of the response was sent, then the connection was cut',
  },
  RAIL: {
    LOST_ANSWER:
      'the rail made the payment, but its response was lost; Corridor repeats the request with the same id',
    REFUSED: notThisTime,
    ERROR: notThisTime,
    RATE_LIMITED: notThisTime,
    DUPLICATE: (params) => `the rail got the payment ${copies(params)}, under one id`,
    REORDER: (params) =>
      `the rail reports it in another order, one second apart, from ${window(params, 'payments')}`,
    DELAY: ({ seconds = 0 }) => `the rail reports it after ${of(seconds, 'second')} on the sandbox clock`,
    OUTAGE: `the rail does nothing while the outage lasts; ${isAsked}`,
    PARTIAL_OUTAGE: notThisTime,
    SILENCE: 'the rail accepted the payment and reports nothing until the fault is deleted',
    OUTCOME: ({ outcome, seconds }) =>
      seconds === undefined
        ? `it behaves like a payment to an account that ends in ${outcome}`
        : `the rail returns it ${of(seconds, 'second')} after the hand-over`,
  },
  WEBHOOK: {
    DUPLICATE: (params) => `the event was sent ${copies(params)}`,
    SLOW_BODY: ({ bytesPerSecond = 0 }) =>
      `it was sent at ${of(bytesPerSecond, 'byte')} a second, in real time`,
    TRUNCATED: 'half of the event was sent, then the connection was cut',
    BAD_SIGNATURE: 'one bit of the signature was wrong',
    REFUSED: 'the attempt failed as if the endpoint had refused the connection',
    ERROR: ({ status = 500 }) => `the attempt failed as if the endpoint had responded with ${status}`,
    RATE_LIMITED: 'the attempt failed as if the endpoint had responded with 429',
    LATENCY: (params) => `it is sent ${late(params)}, on the sandbox clock`,
    DELAY: ({ seconds = 0 }) => `it is sent ${of(seconds, 'second')} later, on the sandbox clock`,
    REORDER: (params) => `it is sent in another order, one second apart, from ${window(params, 'events')}`,
    STALE_KEY: 'it was signed with a retired or unpublished key',
  },
  RATES: {
    RATE_SHOCK: ({ bps = 0 }) =>
      `the quote uses rates that are ${Math.abs(bps)} bps ${bps < 0 ? 'lower' : 'higher'} for each currency other than the US dollar`,
    RATE_UNAVAILABLE: 'the execution of the quote failed: QUOTE_RATE_UNAVAILABLE',
    REFUSED: noQuote,
    ERROR: noQuote,
    RATE_LIMITED: noQuote,
    OUTAGE: 'the quote was not created because of the outage: QUOTE_REQUEST_FAILED',
    SILENCE: 'the quote was not created, and none will be until the fault is deleted: QUOTE_REQUEST_FAILED',
    PARTIAL_OUTAGE: noQuote,
  },
  IDENTITY: {
    REFUSED: nobodyDecided,
    ERROR: nobodyDecided,
    RATE_LIMITED: nobodyDecided,
    OUTAGE: nobodyDecided,
    PARTIAL_OUTAGE: nobodyDecided,
    SILENCE: 'the submission was accepted and waits for a decision in the review queue',
  },
  UMA: {
    REFUSED: notReached,
    ERROR: ({ status = 500 }) => `another institution responded with ${status}`,
    RATE_LIMITED: 'another institution responded with 429',
    LOST_ANSWER:
      'another institution agreed to a payment, but its response was lost: PAYREQ_REQUEST_FAILED; the payment is never made',
    OUTAGE: notReached,
    PARTIAL_OUTAGE: notReached,
  },
  MESSAGING: {
    REFUSED: 'the message was rejected permanently',
    ERROR: notTaken,
    RATE_LIMITED: notTaken,
    OUTAGE: notTaken,
    PARTIAL_OUTAGE: notTaken,
  },
}

/** A sentence without its full stop. What was drawn says at which probability. */
export function toldHit({
  target,
  kind,
  params,
  probability,
}: {
  readonly target: FaultTarget
  readonly kind: FaultKind
  readonly params: FaultParams
  readonly probability: number
}): string {
  const kinds: Readonly<Partial<Record<FaultKind, Told>>> = told[target]
  const said = kinds[kind] ?? kind
  const drawn = probability < 1 ? ` (drawn with a probability of ${probability})` : ''
  return `${typeof said === 'string' ? said : said(params)}${drawn}`
}
