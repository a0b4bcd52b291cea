import { subscribe } from 'node:diagnostics_channel'
import { isIP, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { ExchangeTimes } from '@corridor/kernel'
import { buildConnector } from 'undici'

/** When the steps of a connection were done; undefined of those that did not come. */
interface Opening {
  readonly startedAt: number
  resolvedAt?: number
  connectedAt?: number
  securedAt?: number
}

/** One exchange while it is measured. */
interface Measured {
  /** The connection that its dispatch had made, if it did. */
  opening?: Opening
  sentAt?: number
  answeredAt?: number
  isReused: boolean
}

const openings = new WeakMap<object, Opening>()
/** Sockets that have carried a request. */
const used = new WeakSet<object>()
/** Whose dispatch runs at this moment, and whose request is written: both happen in one go. */
let dispatching: Measured | undefined
let writing: Measured | undefined

/** Makes connections as undici does and remembers how long their steps took. */
export function timedConnector(options: buildConnector.BuildOptions = {}): buildConnector.connector {
  const connect = buildConnector(options)
  return (to, callback) => {
    const opening: Opening = { startedAt: performance.now() }
    if (dispatching) dispatching.opening = opening
    // An address needs no look-up.
    if (isIP(to.hostname.replace(/^\[|\]$/g, '')) !== 0) opening.resolvedAt = opening.startedAt
    // It returns its socket, which its type does not say.
    const socket = connect(to, callback) as unknown as Socket | undefined
    if (!socket) return
    openings.set(socket, opening)
    socket
      .once('lookup', () => {
        opening.resolvedAt ??= performance.now()
      })
      .once('connect', () => {
        opening.connectedAt = performance.now()
      })
      .once('secureConnect', () => {
        opening.securedAt = performance.now()
      })
  }
}

/**
 * More than any response that is kept needs, in chunks of one byte. The parser alone would read empty lines, a reason phrase or the
 * extensions of a chunk without an end, and keep the process busy.
 */
const mostBytesPerExchange = 1024 * 1024
/** How many bytes a socket had received before its present exchange. */
const bytesBefore = new WeakMap<Socket, number>()

class OversizedResponse extends Error {
  readonly code = 'RESPONSE_TOO_LARGE'
  constructor() {
    super(`the server sent more than ${mostBytesPerExchange} bytes`)
  }
}

function limitBytes(socket: Socket): void {
  const isNew = !bytesBefore.has(socket)
  bytesBefore.set(socket, socket.bytesRead)
  if (!isNew) return
  socket.on('readable', () => {
    const received = socket.bytesRead - (bytesBefore.get(socket) ?? 0)
    if (received > mostBytesPerExchange) socket.destroy(new OversizedResponse())
  })
}

/** The request's headers leave in the same go in which it is started, and only here is said over which socket. */
subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { readonly socket: Socket }
  if (openings.has(socket)) limitBytes(socket)
  if (!writing) return
  writing.sentAt = performance.now()
  writing.isReused = used.has(socket)
  const opening = openings.get(socket)
  if (opening) writing.opening = opening
  used.add(socket)
  writing = undefined
})

/** Follows one exchange from its dispatch to its end. */
export function createMeasurement() {
  const measured: Measured = { isReused: false }
  return {
    /** Runs what dispatches the request. */
    dispatch(work: () => void): void {
      dispatching = measured
      try {
        work()
      } finally {
        dispatching = undefined
      }
    },
    started(): void {
      writing = measured
    },
    answered(): void {
      measured.answeredAt ??= performance.now()
    },
    times: (): ExchangeTimes => timesOf(measured),
  }
}

function timesOf({ opening, sentAt, answeredAt, isReused }: Measured): ExchangeTimes {
  const made = isReused ? undefined : opening
  return {
    dns: between(made?.startedAt, made?.resolvedAt),
    connect: between(made?.resolvedAt, made?.connectedAt),
    tls: between(made?.connectedAt, made?.securedAt),
    wait: between(sentAt, answeredAt ?? performance.now()),
    isReused,
  }
}

function between(from: number | undefined, to: number | undefined): number | null {
  return from === undefined || to === undefined ? null : Math.max(0, Math.round(to - from))
}
