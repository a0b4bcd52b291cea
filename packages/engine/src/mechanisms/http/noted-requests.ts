import type { FastifyRequest } from 'fastify'
import { isIdText } from '../audit-log/entry.ts'
import type { RequestLog } from '../request-log/log.ts'
import { isFromConsole } from './console.ts'
import type { Answer } from './dispatch.ts'
import { sourceOf } from './sources.ts'

/** Longer than any request; a number that the column takes. */
const mostMs = 2_000_000_000

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
    code: codeOf(answer),
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

/** The code in the body of a refusal. */
function codeOf({ status, body }: Answer): string | null {
  if (status < 400 || !body?.startsWith('{')) return null
  const { code } = JSON.parse(body) as { code?: unknown }
  return typeof code === 'string' ? code : null
}
