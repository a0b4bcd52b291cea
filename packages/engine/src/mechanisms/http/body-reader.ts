import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { GatheredBytes } from '@corridor/kernel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import { createTurns } from '../jobs/turns.ts'
import { isInPieces } from './connections.ts'
import { sourceOf } from './sources.ts'

/** A body that no handler sees; the error handler renders it. */
export class RefusedBody extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.code)
    this.failure = failure
  }
}

export interface BodyBounds {
  /** Bodies that are on their way in, from one address and from all. */
  readonly bodies: { readonly perSource: number; readonly total: number }
  /** Memory of bodies, until their requests have responses. */
  readonly bytes: { readonly perSource: number; readonly total: number }
  /**
   * The part of both totals that requests without credentials may take, so that they cannot keep out those with credentials;
   * and the part of the limits of one address, so that one cannot keep out the others.
   */
  readonly strangersShare: number
}

export const defaultBodyBounds: BodyBounds = {
  bodies: { perSource: 256, total: 1_024 },
  bytes: { perSource: 48 * 1024 * 1024, total: 128 * 1024 * 1024 },
  strangersShare: 1 / 4,
}

export const partsTooSmall = fail('INVALID_REQUEST_FORMAT', {
  reason: 'the body comes in too many small pieces',
})
const senderGone = fail('INVALID_REQUEST_FORMAT', { reason: 'the connection was closed' })
const tooManyOfSource: Failure = { ...fail('RATE_LIMITED'), retryAfterSeconds: 1 }
/** Larger bodies are parsed one after the other, and other work has its turn in between. */
const parsedAtOnceBytes = 16 * 1024

/** Counts for one address and for all. */
interface Count {
  bodies: number
  bytes: number
}

/** What the body of one request takes up. */
interface Place {
  /** Throws `RefusedBody` where there is no more memory. */
  take(bytes: number): void
  /** It is no longer on its way in. Its memory stays taken until the response is over. */
  arrived(): void
  leave(): void
}

/** The one reader of request bodies: it bounds how many there are, their pieces and their memory. */
export function createBodyReader(bounds: BodyBounds = defaultBodyBounds) {
  const total: Count = { bodies: 0, bytes: 0 }
  const strangers: Count = { bodies: 0, bytes: 0 }
  const sources = new Map<string, Count>()
  const places = new WeakMap<FastifyRequest, Place>()
  const turns = createTurns(1)

  function placeFor(source: string, { isKnown }: { readonly isKnown: boolean }): Place {
    const own = sources.get(source) ?? { bodies: 0, bytes: 0 }
    const counts = isKnown ? [own, total] : [own, total, strangers]
    let [taken, count] = [0, 0]
    const add = (bodies: number, bytes: number) => {
      if (bodies === 0 && bytes === 0) return
      for (const each of counts) {
        each.bodies += bodies
        each.bytes += bytes
      }
      count += bodies
      taken += bytes
      if (own.bodies === 0 && own.bytes === 0) sources.delete(source)
    }
    let hasLeft = false
    const share = isKnown ? 1 : bounds.strangersShare
    const claim = (kind: keyof Count, more: number) => {
      if (hasLeft) throw new RefusedBody(senderGone)
      if (own[kind] + more > bounds[kind].perSource * share) throw new RefusedBody(tooManyOfSource)
      const isFull = total[kind] + more > bounds[kind].total
      const isShareTaken = !isKnown && strangers[kind] + more > bounds[kind].total * share
      if (isFull || isShareTaken) throw new RefusedBody(fail('SERVICE_UNAVAILABLE'))
    }
    claim('bodies', 1)
    sources.set(source, own)
    add(1, 0)
    return {
      take(bytes) {
        claim('bytes', bytes)
        add(0, bytes)
      },
      arrived: () => add(-count, 0),
      leave() {
        // Decompression may continue after the sender has left. Bytes counted after this point would never be released.
        hasLeft = true
        add(-count, -taken)
      },
    }
  }

  /** Claims a place for the body of a request, before anything of it is read. Throws `RefusedBody` where there is none. */
  function admit(request: FastifyRequest, reply: FastifyReply): void {
    const { headers } = request
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return
    const isKnown = request.principal !== undefined || request.operator !== undefined
    // Callers with credentials share addresses, so they are counted by whose they are.
    const source = request.principal?.platformId ?? sourceOf(request)
    // The `close` event has already been emitted, so the place would never be released.
    if (reply.raw.destroyed) throw new RefusedBody(senderGone)
    const place = placeFor(source, { isKnown })
    places.set(request, place)
    reply.raw.once('close', place.leave)
  }

  /**
   * Reads a body whole, of at most `maxBytes`. `payload` is the request, or the stream that decompresses it. Rejects with
   * the failure of `tooLarge` for a longer one.
   */
  async function read(
    request: FastifyRequest,
    payload: Readable,
    { maxBytes, tooLarge }: { readonly maxBytes: number; readonly tooLarge: Failure },
  ): Promise<Uint8Array<ArrayBuffer>> {
    const place = places.get(request)
    const length = Number(request.headers['content-length'] ?? 0)
    try {
      if (length > maxBytes) throw new RefusedBody(tooLarge)
      const gathered = new GatheredBytes(maxBytes)
      await gather(request.raw, payload, (piece, isOfPayload, encodedBytes) => {
        const capacity = gathered.capacity
        const fits = (!isOfPayload || gathered.add(piece)) && encodedBytes <= maxBytes
        if (gathered.capacity > capacity) place?.take(gathered.capacity - capacity)
        if (!fits) throw new RefusedBody(tooLarge)
      })
      return gathered.bytes()
    } finally {
      place?.arrived()
    }
  }

  /** Work with what was read. Large bodies have their turns, and other work has its own in between. */
  function parse<T>(bytes: Uint8Array, work: () => T): T | Promise<T> {
    if (bytes.length <= parsedAtOnceBytes) return work()
    return turns.take(async () => {
      await new Promise((resolve) => setImmediate(resolve))
      return work()
    })
  }

  return {
    admit,
    read,
    parse,
    /** Of a form, which holds so much memory at most and is read by a reader of its own. */
    hold: (request: FastifyRequest, bytes: number) => places.get(request)?.take(bytes),
    arrived: (request: FastifyRequest) => places.get(request)?.arrived(),
    leave: (request: FastifyRequest) => places.get(request)?.leave(),
  }
}

export type BodyReader = ReturnType<typeof createBodyReader>

/**
 * Hands on what comes until it ends. Where a body is decompressed, what comes of the request is handed on too, since
 * nothing might come of a great deal of it.
 */
function gather(
  request: IncomingMessage,
  payload: Readable,
  take: (piece: Buffer, isOfPayload: boolean, encodedBytes: number) => void,
): Promise<void> {
  const isEncoded = payload !== request
  let encodedBytes = 0
  return new Promise<void>((resolve, reject) => {
    const attempt = (work: () => void) => {
      try {
        work()
      } catch (error) {
        over(() => reject(error))
      }
    }
    const onRequestData = (piece: Buffer) => {
      encodedBytes += piece.length
      attempt(() => take(piece, false, encodedBytes))
    }
    const onData = (piece: Buffer) => attempt(() => take(piece, true, encodedBytes))
    const onEnd = () => over(() => (isInPieces(request) ? reject(new RefusedBody(partsTooSmall)) : resolve()))
    const onError = (error: Error) =>
      over(() => reject(isInPieces(request) ? new RefusedBody(partsTooSmall) : unreadable(error)))
    let isOver = false
    function over(settle: () => void): void {
      if (isOver) return
      isOver = true
      if (isEncoded) request.off('data', onRequestData)
      payload.off('data', onData).off('end', onEnd).off('error', onError)
      if (isEncoded && !payload.readableEnded) stopDecompressing()
      settle()
    }
    /**
     * Nothing more is inflated of a body that was refused. The rest of it is read and dropped, so that the response arrives; to
     * destroy the stream would take the connection along.
     */
    function stopDecompressing(): void {
      payload.on('error', () => {})
      request.unpipe()
      payload.pause()
      request.resume()
    }
    if (isEncoded) request.on('data', onRequestData)
    payload.on('data', onData).on('end', onEnd).on('error', onError).resume()
  })
}

/** The sender has gone, or what he sent cannot be decompressed. */
function unreadable(error: Error & { statusCode?: number }): Error {
  if (error.statusCode === undefined || error.statusCode < 400) error.statusCode = 400
  return error
}
