import {
  type FaultKind,
  type FaultParams,
  type FaultTarget,
  type faultKinds,
  usualWindowSeconds,
} from './fault.ts'

/** What one hit did, with the numbers of its fault: for whoever asks what became of something, not what a kind does in general. */

type Told = string | ((params: FaultParams) => string)

const isAsked = 'it is asked again, later each time'
const notThisTime = `the rail did nothing this time; ${isAsked}`
const noQuote = 'the quote was not made this time: QUOTE_REQUEST_FAILED'
const nobodyDecided =
  'nobody decided about a customer or looked at a document this time: 503, and nothing has changed'
const notReached =
  'another institution was not reached this time: LNURLP_REQUEST_FAILED where somebody was looked up, PAYREQ_REQUEST_FAILED where a quote asked for its terms'
const notTaken = 'the message was not taken this time, and is sent again later'

const of = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
const copies = ({ copies = 2, order }: FaultParams) =>
  `${copies} times${order === 'AT_ONCE' ? ' all at once' : ', one after the other'}`
const late = ({ ms = 0, distribution }: FaultParams) =>
  `${ms} ms${distribution === 'LONG_TAILED' ? ' or more' : ''} later`
const window = ({ n = 0, seconds = usualWindowSeconds }: FaultParams, what: string) =>
  `${of(seconds, 'second')} after the first of ${n} ${what}`

const told: { readonly [T in FaultTarget]: Readonly<Record<keyof (typeof faultKinds)[T], Told>> } = {
  API: {
    LOST_ANSWER: 'the work was done, then the connection was cut',
    REFUSED: 'nothing was done, and the connection was cut',
    ERROR: ({ status, code }) =>
      `nothing was done: an error with ${[status, code].filter((part) => part !== undefined).join(' ') || 'INTERNAL_ERROR'}`,
    RATE_LIMITED: ({ retryAfter = 1 }) =>
      `nothing was done: 429, to come back after ${of(retryAfter, 'second')}`,
    LATENCY: (params) => `it was answered ${late(params)}, in real time`,
    SLOW_BODY: ({ bytesPerSecond = 0 }) => `it was answered at ${of(bytesPerSecond, 'byte')} a second`,
    TRUNCATED: 'half of the answer was sent, then the connection was cut',
  },
  RAIL: {
    LOST_ANSWER: 'the rail did it, and its answer was lost: it is asked again with the same id',
    REFUSED: notThisTime,
    ERROR: notThisTime,
    RATE_LIMITED: notThisTime,
    DUPLICATE: (params) => `the rail was handed the payment ${copies(params)}, under one id`,
    REORDER: (params) =>
      `no word of it until ${window(params, 'payments')}, and then in another order, a second apart`,
    DELAY: ({ seconds = 0 }) => `no word of it before ${of(seconds, 'second')} have passed on the clock`,
    OUTAGE: `the rail did nothing, as long as the outage lasts; ${isAsked}`,
    PARTIAL_OUTAGE: notThisTime,
    SILENCE: 'the rail accepted it, then no word until the fault is deleted',
    OUTCOME: ({ outcome, seconds }) =>
      seconds === undefined
        ? `it goes as to an account that ends in ${outcome}`
        : `it is returned ${of(seconds, 'second')} after it was handed over`,
  },
  WEBHOOK: {
    DUPLICATE: (params) => `the event was sent ${copies(params)}`,
    SLOW_BODY: ({ bytesPerSecond = 0 }) =>
      `it was sent at ${of(bytesPerSecond, 'byte')} a second, in real time`,
    TRUNCATED: 'half of it was sent, then the connection was cut',
    BAD_SIGNATURE: 'one bit of its signature was another',
    REFUSED: 'it was not sent this time, as if the endpoint had refused the connection',
    ERROR: ({ status = 500 }) => `it was not sent this time, as if the endpoint had answered ${status}`,
    RATE_LIMITED: 'it was not sent this time, as if the endpoint had answered 429',
    LATENCY: (params) => `it is sent ${late(params)}, on the clock`,
    DELAY: ({ seconds = 0 }) => `it is sent ${of(seconds, 'second')} later, on the clock`,
    REORDER: (params) =>
      `it waits until ${window(params, 'events')}, and goes out in another order, a second apart`,
    STALE_KEY: 'it was signed by a key that was retired, or by one that is published nowhere',
  },
  RATES: {
    RATE_SHOCK: ({ bps = 0 }) =>
      `the quote was made at rates that are ${Math.abs(bps)} bps ${bps < 0 ? 'lower' : 'higher'} for each currency other than the US dollar`,
    RATE_UNAVAILABLE: 'the quote was refused when it was executed: QUOTE_RATE_UNAVAILABLE',
    REFUSED: noQuote,
    ERROR: noQuote,
    RATE_LIMITED: noQuote,
    OUTAGE: 'the quote was not made, as none is as long as the outage lasts: QUOTE_REQUEST_FAILED',
    SILENCE: 'the quote was not made, as none is until the fault is deleted: QUOTE_REQUEST_FAILED',
    PARTIAL_OUTAGE: noQuote,
  },
  IDENTITY: {
    REFUSED: nobodyDecided,
    ERROR: nobodyDecided,
    RATE_LIMITED: nobodyDecided,
    OUTAGE: nobodyDecided,
    PARTIAL_OUTAGE: nobodyDecided,
    SILENCE:
      'a submission was accepted, then no word: it waits for a person, who decides in the review queue',
  },
  UMA: {
    REFUSED: notReached,
    ERROR: ({ status = 500 }) => `another institution answered ${status} this time`,
    RATE_LIMITED: 'another institution answered 429 this time',
    LOST_ANSWER:
      'another institution agreed to a payment, and its answer was lost: PAYREQ_REQUEST_FAILED, and the payment is never made',
    OUTAGE: notReached,
    PARTIAL_OUTAGE: notReached,
  },
  MESSAGING: {
    REFUSED: 'the message was refused for good',
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
