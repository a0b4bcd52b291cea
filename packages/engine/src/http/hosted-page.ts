import type { Result } from '@corridor/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Engine } from '../engine.ts'
import type { Failure } from './errors.ts'
import { parseMultipart } from './multipart.ts'
import { withoutNul } from './paths.ts'
import { renderFailure } from './render.ts'

/** A page or a form for people, beside the API and open to everybody who knows its address. */
export interface HostedPage {
  readonly path: string
  /** Default GET. */
  readonly method?: 'GET' | 'POST'
  readonly answer: (engine: Engine, request: HostedRequest) => Promise<HostedOutcome>
}

export type HostedOutcome = Result<HostedAnswer, Failure>
type Texts = Readonly<Record<string, string | undefined>>

export interface HostedRequest {
  readonly params: Texts
  readonly query: Texts
  readonly header: (name: string) => string | undefined
  /** What was posted: text fields and files of a form, or the members of a JSON object. */
  readonly body: Readonly<Record<string, unknown>>
}

export interface HostedAnswer {
  /** Default 200. */
  readonly status?: number
  /** Without charset: it is always UTF-8. */
  readonly contentType: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

const formLimitBytes = 21 * 1024 * 1024

/** For the `pages` of the server. */
export function serveHostedPages(
  engine: Engine,
  pages: readonly HostedPage[],
): (server: FastifyInstance) => void {
  return (server) => {
    // In a scope of its own: the API accepts no forms of this type. It is loaded when the server is ready,
    // with the handlers that the server has by then.
    void server.register(async (scope) => {
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string' },
        (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(text as string))),
      )
      for (const { path, method = 'GET', answer } of pages) {
        scope.route({
          method,
          url: path,
          bodyLimit: formLimitBytes,
          handler: async (request, reply) => {
            const body = await bodyOf(request)
            if (!body.ok) return sendFailure(request, reply, body.failure)
            const outcome = await answer(engine, {
              params: withoutNul(request.params as Record<string, string>),
              query: firstOfEach(request.query),
              header: (name) => headerOf(request, name),
              body: body.value,
            })
            if (!outcome.ok) return sendFailure(request, reply, outcome.failure)
            const { status = 200, contentType, body: text, headers } = outcome.value
            reply.code(status).headers({ 'x-content-type-options': 'nosniff', ...headers })
            return reply
              .header('content-type', `${contentType}; charset=utf-8`)
              .send(typeof text === 'string' ? text : Buffer.from(text))
          },
        })
      }
    })
  }
}

async function bodyOf(request: FastifyRequest): Promise<Result<HostedRequest['body'], Failure>> {
  if (!Buffer.isBuffer(request.body))
    return { ok: true, value: (request.body ?? {}) as HostedRequest['body'] }
  const form = await parseMultipart(headerOf(request, 'content-type'), request.body)
  return form.ok ? { ok: true, value: { ...form.value.fields, ...form.value.files } } : form
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

function sendFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  const { status, headers, body } = renderFailure(failure, request.id)
  return reply.code(status).headers(headers).send(body)
}

/** A parameter that is given twice counts as its first value. */
function firstOfEach(query: unknown): Texts {
  const entries = Object.entries(query as Record<string, string | string[]>)
  return withoutNul(
    Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value[0]! : value])),
  )
}
