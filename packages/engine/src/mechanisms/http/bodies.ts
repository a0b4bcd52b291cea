import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Operation } from '../../vocabulary/operation.ts'
import { type BodyReader, createBodyReader, partsTooSmall, RefusedBody } from './body-reader.ts'
import { isInPieces } from './connections.ts'
import { Form, notMultipart, readMultipart } from './multipart.ts'
import { parseStrictJson } from './strict-json.ts'
import type { SpoolWorld } from './uploads.ts'

export const bodyLimitBytes = 1024 * 1024
/** What a form may hold besides its file. */
export const formLimitBytes = 1024 * 1024

const notJson = fail('INVALID_REQUEST_FORMAT', { reason: 'the content type is not application/json' })

/** Memory of one form: its fields, and what its files keep until it moves to the disk. */
const formBytes = 1024 * 1024

/**
 * How bodies are read: JSON whole, because it is small; forms as they come, because their files are not.
 * A form becomes a `Form`, which its handler disposes of.
 */
export function addBodyParsers(
  server: FastifyInstance,
  parts: { readonly world: SpoolWorld; readonly spoolDirectory?: string | undefined },
): BodyReader {
  const reader = createBodyReader()
  server.removeAllContentTypeParsers()
  server.addHook('preParsing', (request, reply, payload, done) => {
    try {
      reader.admit(request, reply)
    } catch (error) {
      return done(error as Error)
    }
    done(null, payload)
  })
  server.addHook('onResponse', (request, _reply, done) => {
    reader.leave(request)
    done()
  })
  server.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const bytes = await reader.read(request, payload, limitOf(request))
      if (bytes.length === 0) return undefined
      const parsed = await reader.parse(bytes, () => parseStrictJson(bytes))
      if (parsed.ok) return parsed.value
      throw new RefusedBody(fail('INVALID_REQUEST_FORMAT', { reason: parsed.reason }))
    },
  )
  server.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const { operation, takesForms } = request.routeOptions.config
      const refuse = (failure: Failure) => {
        payload.resume()
        return new RefusedBody(failure)
      }
      const { maxBytes, tooLarge } = limitOf(request)
      if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw refuse(tooLarge)
      if (operation?.bodyType !== 'multipart' && !takesForms) throw refuse(notJson)
      reader.hold(request, formBytes)
      const form = await readMultipart(request.headers['content-type'], payload, {
        ...parts,
        maxBytes,
      }).finally(() => reader.arrived(request))
      if (isInPieces(request.raw)) {
        if (form.ok) await form.value.dispose()
        throw new RefusedBody(partsTooSmall)
      }
      if (form.ok) return form.value
      throw new RefusedBody(form.failure.code === 'PAYLOAD_TOO_LARGE' ? tooLarge : form.failure)
    },
  )
  server.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await reader.read(request, payload, limitOf(request))
    const isForm = request.routeOptions.config.operation?.bodyType === 'multipart'
    if (bytes.length > 0) throw new RefusedBody(isForm ? notMultipart : notJson)
    return undefined
  })
  return reader
}

/** How long the body of a request may be, and the response to a longer one. */
export function limitOf(request: FastifyRequest): { readonly maxBytes: number; readonly tooLarge: Failure } {
  const { bodyLimit: maxBytes, config } = request.routeOptions
  return { maxBytes, tooLarge: tooLarge(config.operation, maxBytes) }
}

/** The form that a request came with. */
export function formOf(request: FastifyRequest): Form | undefined {
  return request.body instanceof Form ? request.body : undefined
}

/** The answer to a body beyond the limit of its operation. */
function tooLarge(operation: Operation | undefined, limit: number): Failure {
  const { bytes: maxBytes = limit, field } = operation?.largestFile ?? {}
  if (!field) return fail('PAYLOAD_TOO_LARGE', { maxBytes })
  const failure = failFields([{ field, message: 'is too large' }])
  return { ...failure, details: { ...failure.details, maxBytes } }
}
