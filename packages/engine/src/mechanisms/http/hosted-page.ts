import type { IncomingMessage } from 'node:http'
import type { Result } from '@corridor/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Environment } from '../../vocabulary/scope.ts'
import { storable } from '../../vocabulary/storable.ts'
import { engineFromNow, type ToldOutside } from '../db/durability.ts'
import { formOf, limitOf } from './bodies.ts'
import { RefusedBody } from './body-reader.ts'
import { withoutNul } from './paths.ts'
import { renderFailure } from './render.ts'

/** A page or a form for people, beside the API and open to everybody who knows its address. */
export interface HostedPage<E> {
  readonly path: string
  /** Default GET. */
  readonly method?: 'GET' | 'POST'
  /** The largest body, in bytes. Default 64 KB: a form without a file. */
  readonly bodyLimit?: number
  /** Whether the forms of this page may bring files. */
  readonly takesFiles?: true
  /** Whether whoever asks may post here at all: an answer that says no, before a byte of the body is read. */
  readonly admit?: (engine: E, request: Omit<HostedRequest, 'body'>) => Promise<HostedAnswer | undefined>
  readonly answer: (engine: E, request: HostedRequest) => Promise<HostedOutcome>
  /** What refusals look like here, also of what is refused before the page is asked. Default: as in the API. */
  readonly failureBody?: (failure: Failure) => object
}

export type HostedOutcome = Result<HostedAnswer, Failure>
type Texts = Readonly<Record<string, string | undefined>>

export interface HostedRequest {
  readonly params: Texts
  readonly query: Texts
  readonly header: (name: string) => string | undefined
  /** What was posted: text fields and files of a form, or the members of a JSON object. */
  readonly body: Readonly<Record<string, unknown>>
  /** Where the caller is this process itself: the environment that it acts in. */
  readonly environment?: Environment
}

export interface HostedAnswer {
  /** Default 200. */
  readonly status?: number
  /** Without charset: it is always UTF-8. */
  readonly contentType: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

const defaultBodyLimit = 64 * 1024
/** A company's form with every country ticked in both of its lists. */
const maxFields = 600

/** For the `pages` of the server. */
export function serveHostedPages<E extends ToldOutside>(
  engine: E,
  pages: readonly HostedPage<E>[],
): (server: FastifyInstance) => void {
  return (server) => {
    // In a scope of its own: the API accepts no forms of this type. It is loaded when the server is ready,
    // with the handlers that the server has by then.
    void server.register(async (scope) => {
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        async (request: FastifyRequest, payload: IncomingMessage) => {
          const bytes = await scope.bodyReader.read(request, payload, limitOf(request))
          const text = new TextDecoder().decode(bytes)
          // Counted before they are parsed: a body of separators alone is a great many fields.
          if (countOf(text, '&') >= maxFields) {
            const reason = 'the form has too many fields'
            throw new RefusedBody(fail('INVALID_REQUEST_FORMAT', { reason }))
          }
          return Object.fromEntries(new URLSearchParams(text))
        },
      )
      for (const page of pages) addPage(engine, scope, page)
    })
  }
}

function addPage<E extends ToldOutside>(engine: E, scope: FastifyInstance, page: HostedPage<E>): void {
  const { path, method = 'GET', bodyLimit = defaultBodyLimit, takesFiles, admit, answer, failureBody } = page
  scope.route({
    method,
    url: path,
    bodyLimit,
    config: {
      isAnonymous: true,
      ...(takesFiles ? { takesForms: true } : {}),
      ...(failureBody ? { failureBody } : {}),
    },
    async onRequest(request, reply) {
      const refusal = await admit?.(engineFromNow(engine), requestOf(request))
      if (refusal) return sendPage(reply, refusal)
    },
    handler: async (request, reply) => {
      const form = formOf(request)
      try {
        const body = storable(
          form ? { ...form.fields, ...form.files } : ((request.body ?? {}) as HostedRequest['body']),
        )
        const outcome = await answer(engineFromNow(engine), { ...requestOf(request), body })
        return outcome.ok ? sendPage(reply, outcome.value) : sendFailure(request, reply, outcome.failure)
      } finally {
        await form?.dispose()
      }
    },
  })
}

function requestOf(request: FastifyRequest): Omit<HostedRequest, 'body'> {
  return {
    params: withoutNul(request.params as Record<string, string>),
    query: firstOfEach(request.query),
    header: (name) => headerOf(request, name),
  }
}

function sendPage(reply: FastifyReply, answer: HostedAnswer): FastifyReply {
  const { status = 200, contentType, body, headers } = answer
  return reply
    .code(status)
    .headers({ 'x-content-type-options': 'nosniff', ...headers })
    .header('content-type', `${contentType}; charset=utf-8`)
    .send(typeof body === 'string' ? body : Buffer.from(body))
}

function countOf(text: string, character: string): number {
  let count = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++
  return count
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

function sendFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  const { failureBody } = request.routeOptions.config
  const { status, headers, body } = renderFailure(failure, request.id)
  return reply
    .code(status)
    .headers(headers)
    .send(failureBody ? failureBody(failure) : body)
}

/** A parameter that is given twice counts as its first value. */
function firstOfEach(query: unknown): Texts {
  const entries = Object.entries(query as Record<string, string | string[]>)
  return withoutNul(
    Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value[0]! : value])),
  )
}
