import { failed, type Instant, ok, type Result, type World } from '@corridor/kernel'
import type { TObject } from 'typebox'
import { entryOf, type Failure, type FieldProblem, isPassing } from '../../vocabulary/errors.ts'
import type { Asker, Call, Operation, Reply, Route } from '../../vocabulary/operation.ts'
import type { Actor, Book, Recording, RequestOfScope, Scope } from '../../vocabulary/scope.ts'
import { createNote, failureRow, type NotedRequest } from '../audit-log/entry.ts'
import type { AuditLog } from '../audit-log/log.ts'
import type { Clock } from '../jobs/clock.ts'
import type { Keys } from '../keys/keys.ts'
import type { Principal } from './authenticate.ts'
import { controlCharacters, toFieldFailure } from './fields.ts'
import {
  effectMark,
  fingerprintOf,
  type IdempotencyStore,
  retentionMs,
  sealedAnswers,
} from './idempotency.ts'
import { type Form, notMultipart, withFileNames } from './multipart.ts'
import { copied } from './strict-json.ts'
import { surfaceOf } from './surfaces.ts'
import type { CompiledOperation } from './validate.ts'

/** What serving a request itself needs of the engine that is handed to its route. */
export interface DispatchEngine {
  readonly clock: Clock
  readonly keys: Keys
  readonly world: World
  readonly auditLog: AuditLog
  readonly settings: { readonly answersKeptMs?: number | undefined }
}

/** A request after routing, authentication and parsing: what is left is to do it. */
export interface ParsedRequest {
  readonly method: string
  /** Decoded path without query, as the caller addressed it. */
  readonly path: string
  readonly requestId: string
  /** What its scope knows it by; absent: nothing. */
  readonly ofScope?: RequestOfScope
  readonly principal: Principal
  readonly params: Record<string, string>
  readonly query: Record<string, unknown>
  readonly body?: Record<string, unknown> | undefined
  readonly form?: Form
  readonly header: (name: string) => string | undefined
  readonly source: string
  /** Why it is asked for, as a person at the console says; undefined: nobody says. */
  readonly reason?: string
  /** Headers that no operation declares and that cannot be taken. */
  readonly wrongHeaders?: readonly FieldProblem[]
  readonly over: () => AbortSignal
  readonly asker: Asker
}

/** An answer with its final bytes. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly stream?: Reply['stream']
  /** Whether the bytes were committed with the effect, in a commit that was acknowledged: then they are durable. */
  readonly isCommitted?: true
}

/**
 * Serves one request: idempotency replay, validation of every field, the command, and the answer with
 * its bytes. The order is that of conventions 2.2.
 */
export async function dispatch<E extends DispatchEngine>(
  engine: E,
  idempotency: IdempotencyStore,
  route: Route<E>,
  compiled: CompiledOperation,
  request: ParsedRequest,
): Promise<Answer> {
  const refuse = (failure: Failure): Answer => {
    const { operation } = route
    const { status, headers, body } = surfaceOf(operation).renderFailure(
      failure,
      request.requestId,
      operation,
    )
    return { status, headers, body: JSON.stringify(body) }
  }
  const now = await engine.clock.now(request.principal)
  if (route.operation.bodyType === 'multipart') {
    const { form } = request
    if (!form) return refuse(notMultipart)
    request = { ...request, body: { ...form.fields, ...form.files } }
  }

  const key = keyOf(request, route.operation)
  if (key === undefined) {
    const outcome = await perform(engine, route, compiled, request, now, undefined)
    return outcome.ok
      ? toAnswer(outcome.value, (reply) => serialize(compiled, reply))
      : refuse(outcome.failure)
  }

  const { method, path, principal } = request
  const id = idempotency.identify(key, {
    method,
    path,
    query: request.query,
    requestId: request.header('request-id'),
    agentId: actsForMany(principal.actor) ? undefined : principal.actor.id,
  })
  if (!id.ok) return refuse(id.failure)
  const running = idempotency.begin(request.principal, id.value)
  if (!running.ok) return refuse(running.failure)
  let claim: Result<() => Promise<void>, Failure> | undefined
  try {
    if (claimsKey(route.operation)) {
      claim = await idempotency.claim(engine.world, request.principal, id.value)
      if (!claim.ok) return refuse(claim.failure)
    }
    return await performOnce(id.value)
  } finally {
    if (claim?.ok) await claim.value()
    running.value()
  }

  async function performOnce(id: string): Promise<Answer> {
    const book: Book = request.principal
    const fingerprint = request.form ? request.form.digest : fingerprintOf(request.body)
    const replay = await idempotency.find(book, id, fingerprint, now)
    if (!replay.ok) return refuse(replay.failure)
    if (replay.value) return replayed(replay.value)
    if (marksEffect(route.operation)) {
      const interrupted = await idempotency.findInterrupted(id, fingerprint, now)
      if (interrupted) return refuse(interrupted)
    }

    const keptMs = route.operation.keepsAnswersMs ?? engine.settings.answersKeptMs ?? retentionMs
    const write = writeOnce(compiled)
    const recording: Recording = {
      key: id,
      fingerprint,
      retentionMs: keptMs,
      serialize: (reply) => withoutSecrets(route, write(reply) ?? ''),
      refuse: (failure) => {
        if (!isStored({ failure })) return undefined
        const { status, body } = refuse(failure)
        return { status, body: body ?? '' }
      },
      seal: (body) => engine.keys.seal(book, sealedAnswers, id, body),
    }
    const outcome = await perform(engine, route, compiled, request, now, recording)
    if (outcome.ok) {
      const answer = toAnswer(outcome.value, write)
      const stored = { status: answer.status, body: recording.serialize(outcome.value) }
      const scope = await engine.clock.scope(book, request.principal.actor)
      if (!recording.stored) {
        await idempotency.save(scope, id, fingerprint, stored, keptMs)
        return answer
      }
      if (recording.stored.status !== stored.status || recording.stored.body !== stored.body) {
        await idempotency.replace(book, id, stored)
      }
      return { ...answer, isCommitted: true }
    }
    // A refusal that had an effect was stored together with it. One of a later step may tell of other rows.
    if (recording.stored) {
      const answer = refuse(outcome.failure)
      const isSame = recording.stored.status === answer.status && recording.stored.body === answer.body
      return isSame ? { ...answer, isCommitted: true } : answer
    }
    // Another process may have finished the same request while this one was deciding.
    const winner = await idempotency.find(book, id, fingerprint, now)
    if (winner.ok && winner.value) return replayed(winner.value)
    const answer = refuse(outcome.failure)
    if (isStored(outcome)) {
      const scope = await engine.clock.scope(book, request.principal.actor)
      await idempotency.save(
        scope,
        id,
        fingerprint,
        { status: answer.status, body: answer.body ?? '' },
        keptMs,
      )
    }
    return answer
  }
}

/** Operations of operators write to other books than the one that stores the response, and often in several transactions. */
function claimsKey({ auth, answersApart }: Operation): boolean {
  return auth === 'operator' || answersApart !== undefined
}

/** Operators write to books other than the one that stores their responses, so the effect leaves a mark there. */
function marksEffect({ auth }: Operation): boolean {
  return auth === 'operator'
}

/** Tokens of a platform share their keys; an agent has its own, and so has an operator with a name. */
function actsForMany({ id, customerId }: Actor): boolean {
  return customerId === undefined && !id.startsWith('Operator:')
}

type Outcome = { ok: true; value: Reply } | { ok: false; failure: Failure; isShape?: true }

/** Does what is asked, and puts it on record: an operator's request always, any other where it changed something. */
async function perform<E extends DispatchEngine>(
  engine: E,
  route: Route<E>,
  compiled: CompiledOperation,
  request: ParsedRequest,
  now: Instant,
  recording: Recording | undefined,
): Promise<Outcome> {
  const { operation } = route
  const isOperators = operation.auth === 'operator' || request.principal.isOperator === true
  if (!isOperators && operation.method === 'GET') {
    return carryOut(engine, route, compiled, request, now, recording, request.principal.actor)
  }
  const { world, auditLog } = engine
  const noted: NotedRequest = { ...request, actor: request.principal.actor.id, operation }
  const mark =
    recording && marksEffect(operation)
      ? (book: Book) => effectMark(engine.keys, book, { recording, requestId: request.requestId, now })
      : undefined
  const note = createNote(world, noted, mark)
  const actor: Actor = { ...request.principal.actor, note }
  try {
    const outcome = await carryOut(engine, route, compiled, request, now, recording, actor)
    if (!note.isWritten && (isOperators || outcome.ok)) {
      await auditLog.write(request.principal, note.toRow(outcome))
    }
    return outcome
  } catch (error) {
    if (isOperators && !note.isWritten) {
      await auditLog.write(request.principal, failureRow(world, noted)).catch(() => {})
    }
    throw error
  }
}

async function carryOut<E>(
  engine: E,
  route: Route<E>,
  compiled: CompiledOperation,
  request: ParsedRequest,
  now: Instant,
  recording: Recording | undefined,
  actor: Actor,
): Promise<Outcome> {
  const { platformId, environment } = request.principal
  const scope: Scope = {
    platformId,
    environment,
    actor,
    now,
    ...(recording ? { recording } : {}),
    ...(request.ofScope ? { request: request.ofScope } : {}),
  }
  const input = await validate(engine, scope, route, compiled, request)
  if (!input.ok) return { ...input, isShape: true }
  const call: Call = {
    scope,
    params: request.params as never,
    query: request.query as never,
    body: input.value as never,
    header: request.header,
    source: request.source,
    over: request.over,
    asker: request.asker,
  }
  return route.handle(engine, call)
}

/** All wrong fields of headers, query and body at once. */
async function validate<E>(
  engine: E,
  scope: Scope,
  { operation, check }: Route<E>,
  compiled: CompiledOperation,
  request: ParsedRequest,
): Promise<Result<Record<string, unknown> | undefined, Failure>> {
  const checked: FieldProblem[] = Object.entries(operation.refusedQuery ?? {})
    .filter(([name]) => request.query[name] !== undefined)
    .map(([field, message]) => ({ field, message }))
  checked.push(...(request.wrongHeaders ?? []))
  const errors = [...(compiled.query?.(request.query) ?? [])]
  let body = request.body
  if (compiled.body) {
    const isMissing = body === undefined && !operation.bodyOptional
    if (isMissing) body = {}
    // On creation null says no more than leaving the field out (conventions 4).
    if (body !== undefined && operation.method !== 'PATCH' && !request.form) body = withoutNulls(body)
    if (body !== undefined) for (const error of compiled.body(withFileNames(body)) ?? []) errors.push(error)
    // Where no member is required, none would be named.
    if (isMissing && errors.length === 0) checked.push({ field: 'body', message: 'is required' })
  }
  for (const name of (operation.headers as TObject | undefined)?.required ?? []) {
    if (request.header(name.toLowerCase()) === undefined)
      checked.push({ field: name, message: 'is required' })
  }
  if (body !== undefined) checked.push(...controlCharacters(withoutMisplacedFiles(body, operation)))
  if (check && body !== undefined) {
    for (const problem of await check(engine, scope, body, request.params)) checked.push(problem)
  }
  return errors.length + checked.length > 0 ? failed(toFieldFailure(errors, checked)) : ok(body)
}

/** A file that was sent as text holds any character; its operation says that it is no file. */
function withoutMisplacedFiles(body: Record<string, unknown>, { body: schema, bodyType }: Operation) {
  const named = withFileNames(body)
  if (bodyType !== 'multipart') return named
  const { properties } = schema as unknown as { properties: Record<string, { format?: string }> }
  const entries = Object.entries(named)
  return Object.fromEntries(
    entries.filter(([name]) => properties[name]?.format !== 'binary' || typeof body[name] !== 'string'),
  )
}

function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutNulls) as T
  if (typeof value !== 'object' || value === null) return value
  const kept: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) if (member !== null) kept[key] = withoutNulls(member)
  return copied(kept, value) as T
}

function toAnswer(reply: Reply, write: (reply: Reply) => string | undefined): Answer {
  const { status, headers = {}, stream } = reply
  return { status, headers, body: write(reply), ...(stream ? { stream } : {}) }
}

/** What is recorded with the effect is what is answered, mostly: it is written once. */
function writeOnce(compiled: CompiledOperation): (reply: Reply) => string | undefined {
  let last: { readonly reply: Reply; readonly text: string | undefined } | undefined
  return (reply) => {
    if (last?.reply !== reply) last = { reply, text: serialize(compiled, reply) }
    return last.text
  }
}

function serialize(
  compiled: CompiledOperation,
  reply: { status: number; body?: unknown },
): string | undefined {
  if (reply.body === undefined) return undefined
  const errors = compiled.checkReply.get(reply.status)?.(JSON.parse(JSON.stringify(reply.body)))
  if (errors)
    throw new Error(`the answer does not match its schema: ${JSON.stringify(errors.slice(0, 3), null, 1)}`)
  const stringify = compiled.serialize.get(reply.status)
  if (!stringify) throw new Error(`status ${reply.status} is not declared with a body`)
  return stringify(reply.body)
}

/** A replay never shows a secret again (conventions 6, privacy). Cut out of the text: a schema may require it. */
function withoutSecrets({ operation }: Pick<Route<never>, 'operation'>, text: string): string {
  if (!operation.secretFields || text === '') return text
  const body = JSON.parse(text) as Record<string, unknown>
  for (const field of operation.secretFields) delete body[field]
  return JSON.stringify(body)
}

/** A replayed refusal stays what it is, so repeating it once more is of no use (conventions 6). */
function replayed(answer: { status: number; body: string }): Answer {
  const headers = { 'idempotent-replayed': 'true' }
  return {
    status: answer.status,
    headers: answer.status >= 409 ? { ...headers, 'x-should-retry': 'false' } : headers,
    body: answer.body === '' ? undefined : answer.body,
  }
}

function keyOf(request: ParsedRequest, { auth }: Operation): string | undefined {
  // Keys belong to who calls: somebody unknown has none.
  if (auth === 'none') return undefined
  // The answer of a sign-in is a cookie, and each is another.
  if (auth === 'console') return undefined
  if (request.method !== 'POST' && request.method !== 'PATCH') return undefined
  return request.header('idempotency-key')
}

/**
 * Refusals of the business are stored; those of shape, permission, limits and outages are not. An outage of
 * somebody else (424) and a conflict with somebody who is faster (409) say themselves that the same request may
 * be repeated.
 */
function isStored(outcome: { failure: Failure; isShape?: true }): boolean {
  const { status } = entryOf(outcome.failure.code)
  if (outcome.isShape || status >= 500 || status === 401) return false
  if ((status === 424 || status === 409) && isPassing(outcome.failure)) return false
  return !['FORBIDDEN', 'RATE_LIMITED', 'INVALID_REQUEST_FORMAT'].includes(outcome.failure.code)
}
