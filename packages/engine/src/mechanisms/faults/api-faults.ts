import { createHash } from 'node:crypto'
import { isId, type World } from '@corridor/kernel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, entryOf, errorRegistry, type Failure, fail } from '../../vocabulary/errors.ts'
import type { Operation } from '../../vocabulary/operation.ts'
import { bookKey, type RequestOfScope } from '../../vocabulary/scope.ts'
import type { Principal } from '../http/authenticate.ts'
import { isFromConsole } from '../http/console.ts'
import type { Answer } from '../http/dispatch.ts'
import { noAnswer } from '../http/noted-requests.ts'
import { pathOf } from '../http/paths.ts'
import { renderFailure } from '../http/render.ts'
import type { RequestHook } from '../http/request-hook.ts'
import type { Waits } from '../http/waits.ts'
import { hitsOfRequest } from './calls.ts'
import { type FaultKind, longestWaitMs, waitOf } from './fault.ts'
import type { Faults, Hit } from './faults.ts'

/** Requests of this process that wait on purpose, of all books together. Beyond that the book with the most has one less. */
const mostWaiting = 200
/** Values of a request that are looked at for the ids and amounts that a fault may be meant for. */
const mostLookedAt = 500

const none: readonly Hit[] = []

/** Whether an operation can be made to fail: it is of platforms, and none by which faults are read and ended. */
export function canFail({ auth, isFaultless }: Pick<Operation, 'auth' | 'isFaultless'>): boolean {
  return !isFaultless && (auth === 'basic' || auth === 'agent')
}

/** Whether an explanation can be asked for by this id. */
function isExplained(id: unknown): id is string {
  return typeof id === 'string' && (isId('Quote', id) || isId('Transaction', id) || isId('Webhook', id))
}

/** The quote or the payment that a request has made. */
function madeBy({ status, body }: Answer): string | undefined {
  if ((status !== 201 && status !== 202) || body === undefined) return undefined
  const { id } = JSON.parse(body) as { id?: unknown }
  return isExplained(id) ? id : undefined
}

/** Says in the answer which fault it is by that something failed. */
function showFault(reply: FastifyReply, faultId: string): void {
  const shown = reply.getHeader('x-corridor-fault')
  reply.header('x-corridor-fault', shown === undefined ? faultId : `${shown}, ${faultId}`)
}

/** Whoever sleeps here has not begun, or has done it all: what ends `waits` needs not wait for that. */
export function createApiFaults(
  faults: Faults,
  world: Pick<World, 'sleep'>,
  waits: Pick<Waits, 'add'>,
): RequestHook {
  /** By the book, those that have waited longest first. */
  const waiting = new Map<string, Set<AbortController>>()
  let isEnding = false

  async function wait(book: string, ms: number): Promise<void> {
    if (isEnding || !hasRoomFor(book)) return
    const over = new AbortController()
    const ofBook = waiting.get(book) ?? new Set()
    waiting.set(book, ofBook.add(over))
    const leave = waits.add(over)
    try {
      await world.sleep(Math.min(ms, longestWaitMs), over.signal)
    } finally {
      forget(book, over)
      leave()
    }
  }

  function forget(book: string, over: AbortController): void {
    const ofBook = waiting.get(book)
    ofBook?.delete(over)
    if (ofBook?.size === 0) waiting.delete(book)
  }

  /** Where all places are taken, one of the book that has the most is given up: nobody with less than his share waits less for others. */
  function hasRoomFor(book: string): boolean {
    const sizes = [...waiting].map(([of, { size }]) => ({ of, size }))
    if (sizes.reduce((sum, { size }) => sum + size, 0) < mostWaiting) return true
    const largest = sizes.reduce((a, b) => (b.size > a.size ? b : a))
    if (largest.size <= (waiting.get(book)?.size ?? 0) + 1) return false
    const [first] = waiting.get(largest.of)!
    forget(largest.of, first!)
    first!.abort()
    return true
  }

  async function sendSlowly(
    book: string,
    reply: FastifyReply,
    body: Buffer,
    bytesPerSecond: number,
  ): Promise<void> {
    // All of it within the longest wait, and never a wait for each byte.
    const steps = Math.min(Math.ceil(body.length / bytesPerSecond), longestWaitMs / 1000)
    const step = Math.ceil(body.length / Math.max(steps, 1))
    for (let at = 0; at < body.length && !reply.raw.destroyed; at += step) {
      reply.raw.write(body.subarray(at, at + step))
      if (at + step < body.length) await wait(book, 1000)
    }
    reply.raw.end()
  }

  /**
   * Returns the faults that hit an admitted request before its operation runs. `LEFT`: the caller disconnected, so the operation
   * does not run.
   */
  async function meet(
    request: FastifyRequest,
    reply: FastifyReply,
    { principal, operation }: { readonly principal: Principal; readonly operation: Operation },
  ): Promise<readonly Hit[] | 'LEFT'> {
    if (isFromConsole(request.raw)) return none
    const subject = {
      id: subjectOf(request, operation.id),
      operationId: operation.id,
      requestId: request.id,
      resourceId: Object.values((request.params ?? {}) as Record<string, unknown>).find(isExplained),
      ...namedIn(request),
    }
    const hits = await faults.hit(principal, 'API', subject, undefined, () => isLeft(reply))
    if (!isLeft(reply)) return hits
    // The operation has not run, and the caller has disconnected.
    if (!reply.sent) cut(request, reply)
    return 'LEFT'
  }

  /** Waits as long as is said, and then answers in place of the operation; undefined: it is carried out. */
  async function before(
    request: FastifyRequest,
    reply: FastifyReply,
    hits: readonly Hit[],
  ): Promise<Answer | 'CUT' | undefined> {
    for (const { fault } of hits) if (!fault.isHidden) showFault(reply, fault.id)
    const latency = hitOf(hits, 'LATENCY')
    if (latency) await wait(bookOfRequest(request), waitOf(latency.fault.params, latency.drawn))
    if (hitOf(hits, 'REFUSED')) {
      cut(request, reply)
      return 'CUT'
    }
    const limited = hitOf(hits, 'RATE_LIMITED')
    if (limited) {
      const { retryAfter = 1 } = limited.fault.params
      return rendered({ ...fail('RATE_LIMITED'), retryAfterSeconds: retryAfter }, request)
    }
    const error = hitOf(hits, 'ERROR')
    return error ? errorOf(error, request) : undefined
  }

  /** Returns true if a fault lost, cut or slowed the response. If not, the server sends it as usual. */
  async function after(
    request: FastifyRequest,
    reply: FastifyReply,
    hits: readonly Hit[],
    answer: Answer,
  ): Promise<boolean> {
    if (answer.stream) return false
    if (hitOf(hits, 'LOST_ANSWER')) {
      cut(request, reply)
      return true
    }
    const slow = hitOf(hits, 'SLOW_BODY')
    const isCutShort = hitOf(hits, 'TRUNCATED') !== undefined
    if ((!slow && !isCutShort) || answer.body === undefined) return false
    const body = Buffer.from(answer.body)
    reply.hijack()
    reply.raw.writeHead(answer.status, {
      ...(reply.getHeaders() as Record<string, string>),
      ...answer.headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      connection: 'close',
    })
    if (slow && !isCutShort) {
      await sendSlowly(bookOfRequest(request), reply, body, slow.fault.params.bytesPerSecond ?? body.length)
    } else reply.raw.write(body.subarray(0, body.length >> 1), () => request.raw.socket.destroy())
    return true
  }

  return {
    async around(request, reply, carryOut) {
      const ofScope: RequestOfScope = {
        id: request.id,
        onIntervention: (faultId) => showFault(reply, faultId),
      }
      const { principal } = request
      const { operation } = request.routeOptions.config
      if (!principal || !operation || !canFail(operation) || !(await faults.inForce(principal))) {
        return { answer: await carryOut(ofScope), isSent: false }
      }
      const hits = await meet(request, reply, { principal, operation })
      if (hits === 'LEFT') return undefined
      const instead = hits.length > 0 && (await before(request, reply, hits))
      if (instead === 'CUT') return { answer: noAnswer, isSent: true }
      if (instead) return { answer: instead, isSent: false }
      const answer = await carryOut(ofScope)
      const met = [...hits, ...hitsOfRequest(ofScope)]
      if (met.length === 0) return { answer, isSent: false }
      const made = answer.stream ? undefined : madeBy(answer)
      if (made) await faults.setResource(principal, met, made)
      return { answer, isSent: hits.length > 0 && (await after(request, reply, hits, answer)) }
    },

    endAll() {
      isEnding = true
      for (const ofBook of waiting.values()) for (const over of ofBook) over.abort()
    },
  }
}

/** Only what somebody has signed in for is hit. */
const bookOfRequest = ({ principal }: FastifyRequest) => bookKey(principal!)

function hitOf(hits: readonly Hit[], kind: FaultKind): Hit | undefined {
  return hits.find(({ fault }) => fault.kind === kind)
}

/** Whether its caller has gone, or was told that it took too long. */
function isLeft(reply: FastifyReply): boolean {
  return reply.sent || reply.raw.destroyed
}

function cut(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.raw.socket.destroy()
}

/** The code that was asked for, or one of the operation that has the status. */
function errorOf({ fault: { params } }: Hit, request: FastifyRequest): Answer {
  const { status } = params
  const code = (params.code as ErrorCode | undefined) ?? codeOfStatus(status, request)
  const answer = renderFailure(fail(code), request.id)
  const wanted = status ?? answer.status
  return {
    status: wanted,
    headers: answer.headers,
    body: JSON.stringify({ ...answer.body, status: wanted }),
  }
}

/** What any operation answers with these statuses. */
const ofAnyOperation: Readonly<Record<number, ErrorCode>> = {
  400: 'INVALID_INPUT',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
}
/** What says the least of those of a status that not every operation has. */
const leastSaying: Readonly<Record<number, ErrorCode>> = { 404: 'REFERENCE_NOT_FOUND', 409: 'CONFLICT' }

function codeOfStatus(status = 500, { routeOptions }: FastifyRequest): ErrorCode {
  const isOf = (code: ErrorCode) => entryOf(code).status === status
  const own = (routeOptions.config.operation?.errors ?? []).filter(isOf)
  const general = ofAnyOperation[status] ?? own.find((code) => code === leastSaying[status]) ?? own[0]
  const any = (Object.keys(errorRegistry) as ErrorCode[]).find(isOf)
  return general ?? leastSaying[status] ?? any ?? 'INTERNAL_ERROR'
}

function rendered(failure: Failure, request: FastifyRequest): Answer {
  const { status, headers, body } = renderFailure(failure, request.id)
  return { status, headers, body: JSON.stringify(body) }
}

/** The same for the same request: by its Idempotency-Key, or by what it asks for. Hashed, for callers write what they like. */
function subjectOf(request: FastifyRequest, operationId: string): string {
  const key = request.headers['idempotency-key']
  const said = typeof key === 'string' ? `key ${key}` : `path ${pathOf(request)}`
  return `${operationId} ${createHash('sha256').update(said).digest('hex').slice(0, 16)}`
}

/** Whom a request is about, as far as it says so itself. */
function namedIn({ params, query, body }: FastifyRequest) {
  const customerIds: string[] = []
  const accountIds: string[] = []
  let amount: bigint | undefined
  let left = mostLookedAt
  const look = (value: unknown, depth: number) => {
    if (typeof value !== 'object' || value === null || depth > 3) return
    for (const [name, member] of Object.entries(value)) {
      if (left-- <= 0) return
      if (name === 'customerId' && typeof member === 'string') customerIds.push(member)
      else if (name === 'accountId' && typeof member === 'string') accountIds.push(member)
      else if (/amount$/i.test(name) && Number.isSafeInteger(member)) {
        const minor = BigInt(member as number)
        if (amount === undefined || minor > amount) amount = minor
      } else look(member, depth + 1)
    }
  }
  for (const part of [params, query, body]) look(part, 0)
  return { customerIds, accountIds, amount }
}
