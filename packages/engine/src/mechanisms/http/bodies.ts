import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Operation } from '../../vocabulary/operation.ts'
import { Form, readMultipart } from './multipart.ts'
import { parseStrictJson } from './strict-json.ts'
import type { SpoolWorld } from './uploads.ts'

/** A body that no handler sees; thrown by the parsers below for the error handler to render. */
export class RefusedBody extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.code)
    this.failure = failure
  }
}

export const bodyLimitBytes = 1024 * 1024
/** What a form may hold besides its file. */
export const formLimitBytes = 1024 * 1024

const notJson = fail('INVALID_REQUEST_FORMAT', { reason: 'the content type is not application/json' })

/**
 * How bodies are read: JSON whole, because it is small; forms as they come, because their files are not.
 * A form becomes a `Form`, which its handler disposes of.
 */
export function addBodyParsers(
  server: FastifyInstance,
  parts: { readonly world: SpoolWorld; readonly spoolDirectory?: string | undefined },
): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    const parsed = parseStrictJson(bytes as Buffer)
    if (parsed.ok) done(null, parsed.value)
    else done(new RefusedBody(fail('INVALID_REQUEST_FORMAT', { reason: parsed.reason })))
  })
  server.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const { operation, takesForms } = request.routeOptions.config
      const refuse = (failure: Failure) => {
        payload.resume()
        return new RefusedBody(failure)
      }
      const maxBytes = request.routeOptions.bodyLimit
      if (Number(request.headers['content-length'] ?? 0) > maxBytes)
        throw refuse(tooLarge(operation, maxBytes))
      if (operation?.bodyType !== 'multipart' && !takesForms) throw refuse(notJson)
      const form = await readMultipart(request.headers['content-type'], payload, { ...parts, maxBytes })
      if (form.ok) return form.value
      const isTooLarge = form.failure.code === 'PAYLOAD_TOO_LARGE'
      throw new RefusedBody(isTooLarge ? tooLarge(operation, maxBytes) : form.failure)
    },
  )
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    done(new RefusedBody(notJson))
  })
}

/** The form that a request came with. */
export function formOf(request: FastifyRequest): Form | undefined {
  return request.body instanceof Form ? request.body : undefined
}

/** The answer to a body beyond the limit of its operation; `maxBytes` where there is none. */
export function tooLarge(operation: Operation | undefined, limit = bodyLimitBytes): Failure {
  const { bytes: maxBytes = limit, field } = operation?.largestFile ?? {}
  if (!field) return fail('PAYLOAD_TOO_LARGE', { maxBytes })
  const failure = failFields([{ field, message: 'is too large' }])
  return { ...failure, details: { ...failure.details, maxBytes } }
}
