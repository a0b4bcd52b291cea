import { STATUS_CODES } from 'node:http'
import compress from '@fastify/compress'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Engine } from '../engine.ts'
import { type Authenticator, isPermitted, type Principal } from './authenticate.ts'
import { type Answer, dispatch } from './dispatch.ts'
import { type Failure, fail, failFields } from './errors.ts'
import { createIdempotencyStore } from './idempotency.ts'
import { createMetrics } from './metrics.ts'
import type { Operation, Route } from './operation.ts'
import { pathOf, patternOf, unknownRoute, urlOf, withoutNul } from './paths.ts'
import { createRateLimiter, failedLoginLimit, type LimitState, limitsOf } from './rate-limits.ts'
import { type RenderedFailure, renderFailure } from './render.ts'
import { parseStrictJson } from './strict-json.ts'
import { compileOperations } from './validate.ts'
import { apiVersion } from './version.ts'

export interface ServerParts {
  readonly engine: Engine
  readonly authenticator: Authenticator
  readonly routes: readonly Route[]
  /** Checks the operator key of requests outside the version segment. */
  readonly isOperatorKey: (key: string) => boolean
  /** Pages outside the API: documentation, hosted pages. Registered as they are. */
  readonly pages?: (server: FastifyInstance) => Promise<void> | void
  /** Whether this process can serve: the database answers. */
  readonly isReady: () => Promise<boolean>
  /** In tests every answer is compared with its schema. */
  readonly checkReplies?: boolean
  /** How long a command may take before its caller is told that it has no answer (503). */
  readonly answerTimeoutMs?: () => number
}

const bodyLimitBytes = 1024 * 1024
/** What a form may hold besides its file. */
const formLimitBytes = 1024 * 1024
const requestTimeoutMs = 60_000
const maxUrlLength = 8 * 1024
const maxHeaderBytes = 16 * 1024
const compressFromLength = 1024

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | undefined
    startedAt: number
  }
  interface FastifyContextConfig {
    operation?: Operation
  }
}

/** The HTTP transport: routing, bodies, headers. What an operation does is in its route. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const { engine, authenticator, routes, answerTimeoutMs = () => requestTimeoutMs } = parts
  const { world, settings } = engine
  const compiled = compileOperations(
    routes.map((route) => route.operation),
    { checkReplies: parts.checkReplies === true },
  )
  const idempotency = createIdempotencyStore(engine.database, engine.keys)
  const metrics = createMetrics()
  const limiter = createRateLimiter()

  const server = fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    // A request that reaches a stopping process on a connection of before is served like any other.
    return503OnClosing: false,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']) ?? world.uuid(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxUrlLength },
    http: { maxHeaderSize: maxHeaderBytes },
    frameworkErrors: (_error, request, reply) => {
      sendFailure(request as never, reply as never, unknownRoute(request.url))
    },
    clientErrorHandler: (error, socket) => {
      if (!socket.writable) return void socket.destroy()
      const requestId = world.uuid()
      socket.end(rawAnswer(renderFailure(failureOfConnection(error.code), requestId), requestId))
    },
  })
  const registered: { method: string; pattern: RegExp }[] = []
  server.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) registered.push({ method: name, pattern: patternOf(url) })
  })
  server.decorateRequest('principal', undefined)
  server.decorateRequest('startedAt', 0)

  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    const parsed = parseStrictJson(bytes as Buffer)
    if (parsed.ok) done(null, parsed.value)
    else done(new RefusedBody(fail('INVALID_REQUEST_FORMAT', { reason: parsed.reason })))
  })
  server.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_r, bytes, done) =>
    done(null, bytes),
  )
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    done(
      new RefusedBody(fail('INVALID_REQUEST_FORMAT', { reason: 'the content type is not application/json' })),
    )
  })

  server.addHook('onRequest', async (request, reply) => {
    request.startedAt = performance.now()
    reply.header('x-request-id', request.id)
    if (settings.baseUrl.startsWith('https:')) reply.header('strict-transport-security', 'max-age=31536000')
    // Before the body is read, which may be wrong as well (conventions 2.2: the route comes first).
    if (request.is404) return sendFailure(request, reply, refuseRoute(request, reply))
    const { operation } = request.routeOptions.config
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

  let isClosing = false
  server.addHook('preClose', async () => {
    isClosing = true
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
      },
      'request',
    )
    done()
  })

  /** Authentication, permission, environment guard and rate limits, in the order of conventions 2.2. */
  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
  ): Promise<Failure | undefined> {
    if (operation.auth === 'none') return undefined
    const header = request.headers.authorization
    if (operation.auth === 'operator') {
      const key = /^bearer +(\S+)$/i.exec(header ?? '')?.[1]
      if (key && parts.isOperatorKey(key)) return undefined
    } else {
      const principal = await authenticator.basic(header)
      if (principal.ok) {
        request.principal = principal.value
        return guard(request, reply, operation, principal.value)
      }
    }
    const limit = failedLoginLimit(settings.rateLimits)
    if (!limit) return fail('UNAUTHORIZED')
    const state = limiter.take(`failed login ${request.ip}`, limit, world.now())
    announce(reply, state)
    return state.allowed ? fail('UNAUTHORIZED') : limited(state)
  }

  function guard(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
    principal: Principal,
  ): Failure | undefined {
    const refusal = forbidden(operation, principal)
    const limits = limitsOf(settings.rateLimits, engine.adapters[principal.environment].rules.rateLimitFactor)
    const now = world.now()
    const key = `${principal.platformId} ${principal.environment}`
    if (limits.platform) {
      // What is forbidden costs nothing, and still says what is left (conventions 2.2 and 8).
      const state = limiter[refusal ? 'look' : 'take'](key, limits.platform, now)
      announce(reply, state)
      if (!refusal && !state.allowed) return limited(state)
    }
    if (refusal) return refusal
    const { customerId } = request.params as { customerId?: string }
    if (limits.customerWrites && customerId && operation.method !== 'GET') {
      const state = limiter.take(`${key} ${customerId}`, limits.customerWrites, now)
      if (!state.allowed) return limited(state)
    }
    return undefined
  }

  function refuseRoute(request: FastifyRequest, reply: FastifyReply): Failure {
    const path = pathOf(request)
    const methods = new Set(
      registered.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
    )
    const allowed = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => methods.has(method))
    if (allowed.length === 0) return unknownRoute(path)
    reply.header('allow', allowed.join(', '))
    return fail('METHOD_NOT_ALLOWED', { allowed })
  }

  function sendFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
    const { status, headers, body } = renderFailure(failure, request.id)
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    const isOperator = request.routeOptions?.config?.operation?.auth === 'operator'
    const scheme = status === 401 && isOperator ? { 'www-authenticate': 'Bearer realm="operator"' } : {}
    return send(request, reply, { status, headers: { ...headers, ...scheme }, body: JSON.stringify(body) })
  }

  function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
    // The caller has been told already that there is none.
    if (reply.sent) return reply
    endConnectionOfClosing(reply)
    reply.code(answer.status)
    for (const [name, value] of Object.entries(answer.headers)) reply.header(name, value)
    const { body } = answer
    if (body === undefined) return reply.send()
    reply.header('content-type', 'application/json; charset=utf-8')
    const asksForLess = request.headers['accept-encoding'] !== undefined && body.length >= compressFromLength
    // Unknown paths have no route, and nothing to compress with.
    if (!asksForLess || !reply.compress) return reply.send(body)
    reply.compress(body)
    return reply
  }

  // onRequest has answered by then, but it only runs for unknown paths when a handler is set.
  server.setNotFoundHandler((request, reply) => sendFailure(request, reply, refuseRoute(request, reply)))

  server.setErrorHandler((error, request, reply) => {
    if (error instanceof RefusedBody) return sendFailure(request, reply, error.failure)
    const { code, statusCode } = error as { code?: string; statusCode?: number }
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      return sendFailure(request, reply, tooLarge(request.routeOptions.config.operation))
    }
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
      return sendFailure(
        request,
        reply,
        fail('INVALID_REQUEST_FORMAT', { reason: 'the request could not be read' }),
      )
    }
    // The details may hold input, so they go to the log alone.
    world.log.error({ requestId: request.id, error: describeError(error) }, 'unexpected error')
    return sendFailure(request, reply, fail(isOfSwitch(request) ? 'SERVICE_SWITCH_ERROR' : 'INTERNAL_ERROR'))
  })

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
          const isMultipart = Buffer.isBuffer(request.body)
          if (isMultipart && operation.bodyType !== 'multipart') {
            const reason = 'the content type is not application/json'
            return sendFailure(request, reply, fail('INVALID_REQUEST_FORMAT', { reason }))
          }
          const answer = await dispatch(engine, idempotency, route, forms, {
            method: request.method,
            path: pathOf(request),
            requestId: request.id,
            principal: request.principal ?? anonymous,
            params: withoutNul(request.params as Record<string, string>),
            query: { ...(request.query as Record<string, unknown>) },
            body: isMultipart ? undefined : (request.body as Record<string, unknown> | undefined),
            ...(isMultipart ? { rawBody: request.body as Buffer } : {}),
            header: (name) => {
              const value = request.headers[name]
              return Array.isArray(value) ? value[0] : value
            },
          })
          return send(request, reply, answer)
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
      const ready = await parts.isReady().catch(() => false)
      return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'unavailable' })
    })
    plain.get('/metrics', async (_request, reply) => {
      const { contentType, text } = await metrics.render()
      return reply.header('content-type', contentType).send(text)
    })
    await parts.pages?.(plain)
  })

  await server.ready()
  return server
}

function forbidden(operation: Operation, principal: Principal): Failure | undefined {
  if (!isPermitted(principal.actor.permissions, operation.permissions)) {
    return fail('FORBIDDEN', { requiredPermission: operation.permissions.join(' or ') })
  }
  if (operation.sandboxOnly && principal.environment === 'PRODUCTION') {
    return fail('FORBIDDEN', { reason: 'SANDBOX_ONLY' })
  }
  return undefined
}

function announce(reply: FastifyReply, state: LimitState): void {
  reply.header('ratelimit-limit', state.limit)
  reply.header('ratelimit-remaining', state.remaining)
  reply.header('ratelimit-reset', state.resetSeconds)
}

function limited({ resetSeconds }: LimitState): Failure {
  return { ...fail('RATE_LIMITED'), retryAfterSeconds: resetSeconds }
}

/** Whether the request was to move money: then it is the payment switch that has failed (conventions 12.5). */
function isOfSwitch(request: FastifyRequest): boolean {
  const { operation } = request.routeOptions.config as { operation?: Operation }
  return operation?.errors.includes('SERVICE_SWITCH_ERROR') ?? false
}

/** Who calls an operation that needs no credentials: nobody, with rows of no book. */
const anonymous: Principal = {
  platformId: '00000000-0000-0000-0000-000000000000',
  environment: 'PRODUCTION',
  actor: { id: 'anonymous', permissions: [] },
}

function tooLarge(operation: Operation | undefined): Failure {
  const { bytes: maxBytes = bodyLimitBytes, field } = operation?.largestFile ?? {}
  if (!field) return fail('PAYLOAD_TOO_LARGE', { maxBytes })
  const failure = failFields([{ field, message: 'is too large' }])
  return { ...failure, details: { ...failure.details, maxBytes } }
}

class RefusedBody extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.code)
    this.failure = failure
  }
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
