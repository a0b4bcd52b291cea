import type { Result } from '@corridor/kernel'
import type { FastifyInstance } from 'fastify'
import type { Failure } from '../../vocabulary/errors.ts'
import { engineFromNow, type ToldOutside } from '../db/durability.ts'
import { renderFailure } from './render.ts'

/** A plain text or HTML page beside the API, read with GET and open to everybody. */
export interface PlainPage<E> {
  readonly path: string
  readonly answer: (engine: E, query: PlainPageQuery) => Promise<Result<PlainPageAnswer, Failure>>
}

export type PlainPageQuery = Readonly<Record<string, string | undefined>>

export interface PlainPageAnswer {
  /** Without charset: it is always UTF-8. */
  readonly contentType: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** For the `pages` of the server. */
export function servePlainPages<E extends ToldOutside>(
  engine: E,
  pages: readonly PlainPage<E>[],
): (server: FastifyInstance) => void {
  return (server) => {
    for (const { path, answer } of pages) {
      server.get(path, async (request, reply) => {
        const outcome = await answer(engineFromNow(engine), firstOfEach(request.query))
        if (!outcome.ok) {
          const { status, headers, body } = renderFailure(outcome.failure, request.id)
          return reply.code(status).headers(headers).send(body)
        }
        const { contentType, body, headers } = outcome.value
        reply.headers({ 'x-content-type-options': 'nosniff', ...headers })
        return reply.header('content-type', `${contentType}; charset=utf-8`).send(body)
      })
    }
  }
}

/** A parameter that is given twice counts as its first value. */
function firstOfEach(query: unknown): PlainPageQuery {
  const entries = Object.entries(query as Record<string, string | string[]>)
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]))
}
