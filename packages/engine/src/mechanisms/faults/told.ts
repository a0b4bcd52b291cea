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
const noQuote = 'creating the quote failed with QUOTE_REQUEST_FAILED'
const nobodyDecided = 'the identity provider was unavailable, so the response was 503 and nothing changed'
const notReached =
  'another institution was unreachable (LNURLP_REQUEST_FAILED for a lookup, PAYREQ_REQUEST_FAILED for a quote)'
const notTaken = 'the message failed, and Corridor sends it again later'

const of = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
const copies = ({ copies = 2, order }: FaultParams) =>
  `${copies} times${order === 'AT_ONCE' ? ' at the same time' : ', one after the other'}`
const late = ({ ms = 0, distribution }: FaultParams) =>
  `${ms} ms${distribution === 'LONG_TAILED' ? ' or more' : ''} later`
const window = ({ n = 0, seconds = usualWindowSeconds }: FaultParams, what: string) =>
  `${of(seconds, 'second')} after the first of ${n} ${what}`

const told: { readonly [T in FaultTarget]: Readonly<Record<keyof (typeof faultKinds)[T], Told>> } = {
  API: {
    LOST_ANSWER: 'the request took effect, but the connection was closed without a response',
    REFUSED: 'the request had no effect, and the connection was closed',
    ERROR: ({ status, code }) =>
      `the request had no effect, and the response was ${[status, code].filter((part) => part !== undefined).join(' ') || 'INTERNAL_ERROR'}`,
    RATE_LIMITED: ({ retryAfter = 1 }) =>
      `the request had no effect, and the response was 429 with a Retry-After of ${of(retryAfter, 'second')}`,
    LATENCY: (params) => `the response arrived ${late(params)}, in real time`,
    SLOW_BODY: ({ bytesPerSecond = 0 }) => `the response arrived at ${of(bytesPerSecond, 'byte')} per second`,
    TRUNCATED: 'half of the response was sent, then the connection was closed',
  },
  RAIL: {
    LOST_ANSWER:
      'the rail made the payment, but the response was lost, so Corridor repeats the request with the same id',
    REFUSED: notThisTime,
    ERROR: notThisTime,
    RATE_LIMITED: notThisTime,
    DUPLICATE: (params) => `the rail received the payment ${copies(params)}, with the same id`,
    REORDER: (params) =>
      `the rail reports the payments in a different order, one second apart, starting ${window(params, 'payments')}`,
    DELAY: ({ seconds = 0 }) =>
      `the rail reports the payment after ${of(seconds, 'second')} on the sandbox clock`,
    OUTAGE: `the rail does nothing while the outage lasts; ${isAsked}`,
    PARTIAL_OUTAGE: notThisTime,
    SILENCE: 'the rail accepted the payment and reports nothing until the fault is deleted',
    OUTCOME: ({ outcome, seconds }) =>
      seconds === undefined
        ? `the payment behaves like a payment to an account that ends in ${outcome}`
        : `the rail returns the payment ${of(seconds, 'second')} after the hand-over`,
  },
  WEBHOOK: {
    DUPLICATE: (params) => `the event was sent ${copies(params)}`,
    SLOW_BODY: ({ bytesPerSecond = 0 }) =>
      `the event was sent at ${of(bytesPerSecond, 'byte')} per second, in real time`,
    TRUNCATED: 'half of the event was sent, then the connection was closed',
    BAD_SIGNATURE: 'one bit of the signature was wrong',
    REFUSED: 'the attempt failed as if the endpoint had refused the connection',
    ERROR: ({ status = 500 }) => `the attempt failed as if the endpoint had responded with ${status}`,
    RATE_LIMITED: 'the attempt failed as if the endpoint had responded with 429',
    LATENCY: (params) => `Corridor sends the event ${late(params)}, on the sandbox clock`,
    DELAY: ({ seconds = 0 }) =>
      `Corridor sends the event ${of(seconds, 'second')} later, on the sandbox clock`,
    REORDER: (params) =>
      `Corridor sends the events in a different order, one second apart, starting ${window(params, 'events')}`,
    STALE_KEY: 'the event was signed with a retired or unpublished key',
  },
  RATES: {
    RATE_SHOCK: ({ bps = 0 }) =>
      `the quote uses rates that are ${Math.abs(bps)} bps ${bps < 0 ? 'lower' : 'higher'} for each currency other than the US dollar`,
    RATE_UNAVAILABLE: 'executing the quote failed with QUOTE_RATE_UNAVAILABLE',
    REFUSED: noQuote,
    ERROR: noQuote,
    RATE_LIMITED: noQuote,
    OUTAGE: 'creating the quote failed with QUOTE_REQUEST_FAILED because of the outage',
    SILENCE:
      'creating the quote failed with QUOTE_REQUEST_FAILED, as every quote will until the fault is deleted',
    PARTIAL_OUTAGE: noQuote,
  },
  IDENTITY: {
    REFUSED: nobodyDecided,
    ERROR: nobodyDecided,
    RATE_LIMITED: nobodyDecided,
    OUTAGE: nobodyDecided,
    PARTIAL_OUTAGE: nobodyDecided,
    SILENCE: 'the submission was accepted and waits in the review queue',
  },
  UMA: {
    REFUSED: notReached,
    ERROR: ({ status = 500 }) => `another institution responded with ${status}`,
    RATE_LIMITED: 'another institution responded with 429',
    LOST_ANSWER:
      'another institution agreed to a payment, but its response was lost (PAYREQ_REQUEST_FAILED); no payment is made',
    OUTAGE: notReached,
    PARTIAL_OUTAGE: notReached,
  },
  MESSAGING: {
    REFUSED: 'the provider rejected the message permanently',
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
