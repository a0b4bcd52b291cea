import type { FastifyRequest } from 'fastify'
import { isIdText } from '../audit-log/entry.ts'
import type { RequestLog } from '../request-log/log.ts'
import { isFromConsole } from './console.ts'
import type { Answer } from './dispatch.ts'
import { sourceOf } from './sources.ts'

/** Longer than any request; a number that the column takes. */
const mostMs = 2_000_000_000

/** Of a refusal that names hundreds of fields the first tell enough. */
const mostFields = 20
const mostErrors = 100

const fieldName = /^[A-Za-z][A-Za-z0-9_-]*(?:(?:\.|\[)[A-Za-z0-9_-]+\]?)*$/

/** What is on record of a request whose connection was cut before anything was done. */
export const noAnswer: Answer = { status: 0, headers: {}, body: undefined }

/** Notes a request of somebody who is known, with its answer. What people read in the console is none of the API's use. */
export function noteRequest(
  log: RequestLog,
  request: FastifyRequest,
  answer: Answer,
  durationMs: number,
): void {
  const { method, principal } = request
  const { operation } = request.routeOptions.config
  if (!operation || !principal || !log.notes(principal.environment)) return
  if (operation.isUnlogged || operation.isStream || operation.auth === 'console') return
  if (method === 'HEAD' || (method === 'GET' && isFromConsole(request.raw))) return
  const key = request.headers['idempotency-key']
  log.note(principal, {
    requestId: request.id,
    operation: operation.id,
    method,
    path: operation.path,
    resources: idsIn(request.params),
    status: answer.status,
    ...refusalOf(answer),
    milliseconds: Math.min(mostMs, Math.max(0, durationMs)),
    idempotencyKey: typeof key === 'string' ? key : undefined,
    replayed: answer.headers['idempotent-replayed'] === 'true',
    actor: principal.actor.id,
    source: sourceOf(request),
  })
}

/** What has not the form of an id is left out: it may be anything. */
function idsIn(params: unknown): Record<string, string> {
  const given = Object.entries((params ?? {}) as Record<string, string>)
  return Object.fromEntries(given.filter(([, value]) => isIdText(value)))
}

/** The code in the body of a refusal, and which fields it says were wrong. */
export function refusalOf({ status, body }: Pick<Answer, 'status' | 'body'>): {
  code: string | null
  fields: string[]
} {
  if (status < 400 || !body?.startsWith('{')) return { code: null, fields: [] }
  const { code, details } = JSON.parse(body) as { code?: unknown; details?: { errors?: unknown } }
  const errors: readonly unknown[] = Array.isArray(details?.errors) ? details.errors : []
  const names = errors.slice(0, mostErrors).map((error) => (error as { field?: unknown } | null)?.field)
  const fields = [...new Set(names.filter(isFieldName))].slice(0, mostFields)
  return { code: typeof code === 'string' ? code : null, fields }
}

/** A field that does not exist has the name that the caller has made up: what has not the form of a name is left out. */
function isFieldName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= 100 && fieldName.test(name)
}
