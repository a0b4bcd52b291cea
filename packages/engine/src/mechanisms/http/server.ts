import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type Instant, scheduleOf, type World } from '@corridor/kernel'
import compress from '@fastify/compress'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Adapters } from '../../ports/adapters.ts'
import { ProviderUnavailable } from '../../ports/provider-unavailable.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Operation, Route } from '../../vocabulary/operation.ts'
import { type Environment, installationBook } from '../../vocabulary/scope.ts'
import { apiVersion } from '../../vocabulary/version.ts'
import { isIdText } from '../audit-log/entry.ts'
import { isUnavailable } from '../db/availability.ts'
import type { Database } from '../db/database.ts'
import { engineFromNow } from '../db/durability.ts'
import type { RequestLog } from '../request-log/log.ts'
import { actorOf, createAdmission, type People } from './admission.ts'
import { answerForm } from './answer-forms.ts'
import type { Authenticator, OperatorIdentity, Principal } from './authenticate.ts'
import { addBodyParsers, bodyLimitBytes, formLimitBytes, formOf } from './bodies.ts'
import { type BodyReader, RefusedBody } from './body-reader.ts'
import { BoundedRequest, boundConnections } from './connections.ts'
import { consoleChallenge, isFromConsole, reasonOf, routeFromConsole } from './console.ts'
import type { ConsoleSessions } from './console-sessions.ts'
import { type Answer, type DispatchEngine, dispatch } from './dispatch.ts'
import { problemOfHost } from './hosts.ts'
import { createIdempotencyStore } from './idempotency.ts'
import { createMetrics, type Metrics, refusalReasons } from './metrics.ts'
import { noteRequest } from './noted-requests.ts'
import { createOpenAnswers } from './open-answers.ts'
import { isPathOf, pathOf, shapeOf, shapeOfPath, unknownRoute, urlOf, withoutNul } from './paths.ts'
import { byParameter } from './query.ts'
import type { RateLimits } from './rate-limits.ts'
import { type RenderedFailure, renderFailure } from './render.ts'
import { noHook, type RequestHook } from './request-hook.ts'
import { sourceOf } from './sources.ts'
import { surfaceOf } from './surfaces.ts'
import { type SharedForms, shareForms } from './validate.ts'
import { askerOf, followed } from './visits.ts'
import type { Waits } from './waits.ts'

/** What the transport itself needs of the engine that is handed to the routes. */
export interface ServerEngine extends DispatchEngine {
  readonly world: World
  readonly database: Database
  readonly adapters: Readonly<Record<Environment, Pick<Adapters, 'rules'>>>
  readonly consoleSessions: ConsoleSessions
  readonly requestLog: RequestLog
  readonly waits: Waits
  /** One for each server; absent: no request is changed. */
  readonly requestHook?: () => RequestHook
  readonly adaptersSince?: (server: string) => object
  readonly settings: {
    readonly baseUrl: string
    readonly rateLimits: RateLimits
    readonly trustedProxies?: readonly string[] | undefined
    readonly spoolDirectory?: string | undefined
    readonly answersKeptMs?: number | undefined
  }
}

export interface ServerParts<E> {
  readonly engine: E
  readonly authenticator: Authenticator
  readonly routes: readonly Route<E>[]
  /** Checks the operator key of requests outside the version segment. */
  readonly isOperatorKey: (key: string) => boolean | Promise<boolean>
  /** Default true: whether operators may sign in to the console here. */
  readonly admitsOperators?: boolean
  /** Where people are signed in to the console, as it is at that moment; absent: here. The sessions of a copy are copies. */
  readonly people?: () => People
  /** Pages outside the API: documentation, hosted pages. Registered as they are. */
  readonly pages?: (server: FastifyInstance) => Promise<void> | void
  /** Why this process cannot serve now, in a word; undefined while it can. Never rejects. */
  readonly notReady: () => Promise<string | undefined>
  /** Of these routes, and of others; absent: of its own. */
  readonly forms?: SharedForms
  /** Absent: of its own. */
  readonly metrics?: Metrics
  /** Default true. Two listeners of one process count into the same metrics, and one of them shows them. */
  readonly showsMetrics?: boolean
  /** How long a command may take before its caller is told that it has no answer (503). */
  readonly answerTimeoutMs?: () => number
}

const requestTimeoutMs = 60_000
const maxUrlLength = 8 * 1024
const maxHeaderBytes = 16 * 1024
const compressFromLength = 1024

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | undefined
    operator: OperatorIdentity | undefined
    startedAt: number
    arrivedAt: Instant
    /** Name of the server that the database was served by when the request came. */
    databaseServer: string
  }
  interface FastifyInstance {
    readonly bodyReader: BodyReader
  }
  interface FastifyContextConfig {
    operation?: Operation
    /** A page whose forms may bring files. */
    takesForms?: true
    /** Open to everybody, and so limited by where its requests come from. */
    isAnonymous?: true
    /** Shows nothing of the database. Every other page waits until its rows are durable. */
    isFile?: true
    /** What refusals look like where they are not those of the API. */
    failureBody?: (failure: Failure) => object
  }
}

/** Time for the last response of a connection to reach its sender. */
const farewellMs = 1_000
/** How long a connection that has asked nothing may still ask something when the server is stopped. */
const lastCallMs = 1_000

/** The HTTP transport: routing, bodies, headers. What an operation does is in its route. */
export async function createServer<E extends ServerEngine>(parts: ServerParts<E>): Promise<FastifyInstance> {
  const { engine, routes, answerTimeoutMs = () => requestTimeoutMs } = parts
  const { world, settings } = engine
  const operations = routes.map(({ operation }) => operation)
  const { compiled, compiler } = parts.forms ?? shareForms(operations)
  const idempotency = createIdempotencyStore(engine.database, engine.keys)
  const metrics = parts.metrics ?? createMetrics()
  const { admit, admitAgain, limitAnonymous } = createAdmission(parts)
  const openAnswers = createOpenAnswers(world)
  const hook = engine.requestHook?.() ?? noHook

  let refusedConnections = 0
  /** For what comes to no request, and may come while one is under way: nothing of that one is made of it. */
  const idApart = (): string =>
    scheduleOf(world).run(`refused connection ${++refusedConnections}`, () => world.uuid())

  const server = fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    rewriteUrl: routeFromConsole,
    requestTimeout: requestTimeoutMs,
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    // A request that reaches a stopping process on a connection of before is served like any other.
    return503OnClosing: false,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']) ?? world.uuid(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxUrlLength },
    // Answered below, in the form of every other refusal.
    http: {
      maxHeaderSize: maxHeaderBytes,
      requireHostHeader: false,
      IncomingMessage: BoundedRequest as typeof IncomingMessage,
    },
    trustProxy: settings.trustedProxies ? [...settings.trustedProxies] : false,
    frameworkErrors: (_error, request, reply) => {
      sendFailure(request as never, reply as never, unknownRoute(request.url))
    },
    clientErrorHandler: (error, socket) => {
      if (!socket.writable) return void socket.destroy()
      const requestId = idApart()
      socket.end(rawAnswer(renderFailure(failureOfConnection(error.code), requestId), requestId))
      // A sender who ignores the end would keep the connection, and what its request holds. Traffic renews the socket's own timer.
      void world.sleep(farewellMs).then(() => socket.destroy())
    },
  })
  server.addHook('onListen', (done) => {
    const closing = new AbortController()
    void compiler.prepareWhenCalm(world, closing.signal)
    server.addHook('onClose', async () => closing.abort())
    done()
  })
  const registered: { method: string; url: string }[] = []
  server.addHook('onRoute', (route) => {
    for (const name of [route.method].flat()) registered.push({ method: name, url: route.url })
    route.handler = followed(route.handler)
  })
  server.decorateRequest('principal', undefined)
  server.decorateRequest('operator', undefined)
  server.decorateRequest('startedAt', 0)
  server.decorateRequest('arrivedAt', 0)
  server.decorateRequest('databaseServer', '')

  server.decorate('bodyReader', addBodyParsers(server, { world, spoolDirectory: settings.spoolDirectory }))
  boundConnections(server.server, world)

  server.addHook('onRequest', async (request, reply) => {
    request.startedAt = performance.now()
    request.arrivedAt = world.now()
    request.databaseServer = engine.database.server()
    reply.header('x-request-id', request.id)
    if (settings.baseUrl.startsWith('https:')) reply.header('strict-transport-security', 'max-age=31536000')
    // Before the body is read, which may be wrong as well (conventions 2.2: the route comes first).
    const { operation, isAnonymous } = request.routeOptions.config
    const isRefused = request.is404 || isOfWord(request)
    if (isRefused || isAnonymous) {
      const refusal = limitAnonymous(request)
      if (refusal) return sendFailure(request, reply, refusal)
    }
    const hostProblem = problemOfHost(request.raw)
    if (hostProblem) {
      return sendFailure(request, reply, fail('INVALID_REQUEST_FORMAT', { reason: hostProblem }))
    }
    if (isRefused) return sendFailure(request, reply, refuseRoute(request, reply))
    if (!operation) return
    reply.header('cache-control', 'no-store')
    if (operation.deprecated) {
      reply.header('deprecation', 'true')
      reply.header(
        'link',
        `<${settings.baseUrl}/${apiVersion}${operation.deprecated.successor}>; rel="successor-version"`,
      )
    }
    const refusal =
      (await admit(request, reply, operation)) ??
      (request.url.length > maxUrlLength ? fail('PAYLOAD_TOO_LARGE', { maxBytes: maxUrlLength }) : undefined)
    if (refusal) return sendFailure(request, reply, refusal)
  })

  server.server.on('checkExpectation', (_request, response) => {
    const requestId = idApart()
    const failure = fail('INVALID_REQUEST_FORMAT', { reason: 'the Expect header is not supported' })
    const { status, headers, body } = renderFailure(failure, requestId)
    response.writeHead(status, {
      ...headers,
      'x-request-id': requestId,
      'content-type': 'application/json; charset=utf-8',
    })
    response.end(JSON.stringify(body))
  })

  let isClosing = false
  /** Connections that have asked nothing yet. To the platform these are not idle, and would hold a stop up. */
  const unasked = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    unasked.add(socket)
    socket.once('close', () => unasked.delete(socket))
  })
  server.server.on('request', ({ socket }: { socket: Socket }) => unasked.delete(socket))
  server.addHook('preClose', async () => {
    isClosing = true
    openAnswers.endAll()
    hook.endAll()
    engine.waits.endAll()
    // The socket's own clock, which a request that still comes sets anew.
    for (const socket of unasked) socket.setTimeout(lastCallMs)
  })
  /** A request that was under way when the close began would keep its connection, and so the process. */
  function endConnectionOfClosing(reply: FastifyReply): void {
    if (isClosing) reply.header('connection', 'close')
  }

  server.addHook('onResponse', (request, reply, done) => {
    const { operation } = request.routeOptions.config
    const durationMs = performance.now() - request.startedAt
    metrics.observe(operation?.id ?? 'none', reply.statusCode, durationMs)
    world.log.info(
      {
        requestId: request.id,
        operation: operation?.id,
        method: request.method,
        status: reply.statusCode,
        durationMs: Math.round(durationMs * 10) / 10,
        platformId: request.principal?.platformId,
        environment: request.principal?.environment,
        actor: actorOf(request).id,
        source: sourceOf(request),
        resource: resourceOf(request),
      },
      'request',
    )
    done()
  })

  /** Whether the router took a word for an id, as in `GET /webhook-events/replay`, since it has another method. */
  function isOfWord(request: FastifyRequest): boolean {
    const { url } = request.routeOptions
    if (!url?.includes(':')) return false
    const path = pathOf(request)
    return wordsBeside(url).some((word) => isPathOf(word, path))
  }

  const besides = new Map<string, readonly string[]>()
  /** Addresses with a word where this one has a parameter: few have any. */
  function wordsBeside(url: string): readonly string[] {
    const known = besides.get(url)
    if (known) return known
    const found = registered
      .map((other) => other.url)
      .filter((other) => isPathOf(url, other) && shapeOf(other) !== shapeOf(url))
    besides.set(url, found)
    return found
  }

  function refuseRoute(request: FastifyRequest, reply: FastifyReply): Failure {
    const path = pathOf(request)
    const shape = shapeOfPath(
      registered.map(({ url }) => url),
      path,
    )
    const methods = new Set(
      registered.filter(({ url }) => shapeOf(url) === shape).map(({ method }) => method),
    )
    const allowed = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => methods.has(method))
    // A path that the router does not know however it is asked for, although it comes to one that it knows.
    if (allowed.length === 0 || methods.has(request.method)) return unknownRoute(path)
    reply.header('allow', allowed.join(', '))
    return fail('METHOD_NOT_ALLOWED', { allowed })
  }

  function sendFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
    const { operation, failureBody } = request.routeOptions?.config ?? {}
    const reason = refusalReasons[failure.code]
    if (reason) metrics.countRefusal(reason)
    const rendered = operation
      ? surfaceOf(operation).renderFailure(failure, request.id, operation)
      : renderFailure(failure, request.id)
    const { status, body } = rendered
    const isRefusedConsole = status === 401 && isFromConsole(request.raw)
    const headers = isRefusedConsole
      ? { ...rendered.headers, 'www-authenticate': consoleChallenge }
      : rendered.headers
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    const shown = failureBody ? failureBody(failure) : body
    return send(request, reply, { status, headers, body: JSON.stringify(shown) })
  }

  function note(request: FastifyRequest, answer: Answer): void {
    noteRequest(engine.requestLog, request, answer, world.now() - request.arrivedAt)
  }

  function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
    // The caller has been told already that there is none.
    if (reply.sent) {
      answer.stream?.destroy()
      return reply
    }
    endConnectionOfClosing(reply)
    // Before it is sent: whoever has the answer finds the request.
    note(request, answer)
    reply.code(answer.status)
    for (const [name, value] of Object.entries(answer.headers)) reply.header(name, value)
    const { body, stream } = answer
    if (stream) {
      const { operation } = request.routeOptions.config
      return openAnswers.send(request, reply, stream, () => admitAgain(request, reply, operation!))
    }
    if (body === undefined) return reply.send()
    const { type, text } = answerForm(request, answer.status, body)
    reply.header('content-type', `${type}; charset=utf-8`)
    const asksForLess = request.headers['accept-encoding'] !== undefined && text.length >= compressFromLength
    // Unknown paths have no route, and nothing to compress with.
    if (!asksForLess || !reply.compress) return reply.send(text)
    reply.compress(text)
    return reply
  }

  // onRequest has answered by then, but it only runs for unknown paths when a handler is set.
  server.setNotFoundHandler((request, reply) => sendFailure(request, reply, refuseRoute(request, reply)))

  server.setErrorHandler((error, request, reply) => {
    if (error instanceof RefusedBody) return sendFailure(request, reply, error.failure)
    const { statusCode } = error as { statusCode?: number }
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
      return sendFailure(
        request,
        reply,
        fail('INVALID_REQUEST_FORMAT', { reason: 'the request could not be read' }),
      )
    }
    if (error instanceof ProviderUnavailable) {
      world.log.warn(
        { requestId: request.id, error: error.message },
        'a third party was unavailable for a request',
      )
      return sendFailure(request, reply, fail('SERVICE_UNAVAILABLE'))
    }
    if (isUnavailable(error)) {
      // Counted by the request's own line; an outage is logged once, where it is found.
      world.log.warn(
        { requestId: request.id, error: (error as Error).message },
        'the database was unavailable for a request',
      )
      return sendFailure(request, reply, fail('SERVICE_UNAVAILABLE'))
    }
    // The details may hold input, so they go to the log alone.
    metrics.countUnexpected('request')
    world.log.error({ requestId: request.id, error: describeError(error) }, 'unexpected error')
    return sendFailure(request, reply, fail(isOfSwitch(request) ? 'SERVICE_SWITCH_ERROR' : 'INTERNAL_ERROR'))
  })

  /** Pages show rows as responses do, and those of peers answer other institutions. Files need no database. */
  function holdPagesUntilDurable(pages: FastifyInstance): void {
    pages.addHook('onSend', (request, reply, payload, done) => {
      const showsNothing = request.routeOptions.config.isFile || reply.statusCode >= 500
      const confirmed = showsNothing ? undefined : engine.database.whenDurable(request.databaseServer)
      if (!confirmed) return done(null, payload)
      confirmed.then(
        () => done(null, payload),
        (error: Error) => done(error),
      )
    })
  }

  const compression = { threshold: compressFromLength, encodings: ['br', 'gzip'] as ('br' | 'gzip')[] }
  await server.register(async (api) => {
    // Most callers want none, and a hook would cost all of them: `send` asks for it.
    await api.register(compress, { ...compression, global: false })
    for (const route of routes) {
      const { operation } = route
      const forms = compiled.get(operation)!
      api.route({
        method: operation.method,
        url: urlOf(operation),
        config: { operation },
        decompress: {},
        ...(operation.largestFile ? { bodyLimit: operation.largestFile.bytes + formLimitBytes } : {}),
        handler: async (request, reply) => {
          // The socket's own clock, which runs anyway.
          reply.raw.setTimeout(answerTimeoutMs(), () => {
            // What was answered long ago and is not read holds a socket for nothing.
            if (reply.raw.headersSent) request.raw.destroy()
            else sendFailure(request, reply, fail('SERVICE_UNAVAILABLE'))
          })
          const form = formOf(request)
          try {
            const prepared = compiler.prepare(operation)
            if (prepared) await prepared
            const outcome = await hook.around(request, reply, async (ofScope) => {
              const { asker, recorded } = askerOf(reply.raw)
              const answer = await dispatch(engineFromNow(engine), idempotency, route, forms, {
                method: request.method,
                path: pathOf(request),
                requestId: request.id,
                ofScope,
                principal: request.principal ?? { ...installationBook, actor: actorOf(request) },
                source: sourceOf(request),
                ...reasonOf(request.raw),
                asker,
                over: () => (isClosing ? AbortSignal.abort() : engine.waits.over(reply.raw)),
                params: withoutNul(request.params as Record<string, string>),
                query: byParameter(request.query as Record<string, unknown>, operation),
                ...(form ? { form } : { body: request.body as Record<string, unknown> | undefined }),
                header: (name) => {
                  const value = request.headers[name]
                  return Array.isArray(value) ? value[0] : value
                },
              }).finally(recorded)
              if (!answer.isCommitted && !isLookOfOperator(request, operation)) {
                const confirmed = engine.database.whenDurable(request.databaseServer)
                const giveBack = (error: unknown) => {
                  answer.stream?.destroy()
                  throw error
                }
                if (confirmed) await confirmed.catch(giveBack)
              }
              return answer
            })
            if (outcome && !outcome.isSent) return send(request, reply, outcome.answer)
            if (outcome) note(request, outcome.answer)
            return reply
          } finally {
            await form?.dispose()
          }
        },
      })
    }
  })

  await server.register(async (plain) => {
    await plain.register(compress, { ...compression, global: true })
    plain.addHook('onSend', (_request, reply, payload, done) => {
      endConnectionOfClosing(reply)
      done(null, payload)
    })
    plain.get('/healthz', async () => ({ status: 'ok' }))
    plain.get('/readyz', async (_request, reply) => {
      const reason = await parts.notReady()
      if (reason === undefined) return reply.send({ status: 'ready' })
      return reply.code(503).header('retry-after', '1').send({ status: 'unavailable', reason })
    })
    if (parts.showsMetrics !== false) {
      plain.get('/metrics', async (_request, reply) => {
        const { contentType, text } = await metrics.render()
        return reply.header('content-type', contentType).send(text)
      })
    }
    await plain.register(async (open) => {
      holdPagesUntilDurable(open)
      await parts.pages?.(open)
    })
  })

  await server.ready()
  return server
}

/** An operator has to see the installation while its standby is away, and what is seen moves nothing by itself. */
function isLookOfOperator({ principal }: FastifyRequest, { auth, method }: Operation): boolean {
  return method === 'GET' && (auth === 'operator' || auth === 'console' || principal?.isOperator === true)
}

/** Whether the request was to move money: then it is the payment switch that has failed (conventions 12.5). */
function isOfSwitch(request: FastifyRequest): boolean {
  const { operation } = request.routeOptions.config as { operation?: Operation }
  return operation?.errors.includes('SERVICE_SWITCH_ERROR') ?? false
}

/** The ids in the path, for the log. What has not the form of one is left out: it may be anything. */
function resourceOf({ params }: FastifyRequest): string | undefined {
  const ids = Object.values((params ?? {}) as Record<string, string>).filter((value) => isIdText(value))
  return ids.length > 0 ? ids.join(' ') : undefined
}

/** What Node's parser refuses before there is a request. */
function failureOfConnection(code: string | undefined): Failure {
  if (code === 'HPE_HEADER_OVERFLOW') return fail('PAYLOAD_TOO_LARGE', { maxBytes: maxHeaderBytes })
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return fail('SERVICE_UNAVAILABLE')
  return fail('INVALID_REQUEST_FORMAT', { reason: 'the request could not be read' })
}

/** A whole answer, for a connection that has no request to answer to. */
function rawAnswer({ status, headers, body }: RenderedFailure, requestId: string): string {
  const text = JSON.stringify(body)
  const lines = Object.entries({
    ...headers,
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n')
}

/** A caller's own request id, when it is safe to log and to echo (conventions 9). */
function requestIdOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(header) ? header : undefined
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  return { name: error.name, message: error.message, stack: error.stack }
}
