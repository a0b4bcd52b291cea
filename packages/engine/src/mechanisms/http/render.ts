import { conflictMessage } from '../../vocabulary/conflict-reasons.ts'
import { entryOf, type Failure, isPassing } from '../../vocabulary/errors.ts'
import { apiVersion } from '../../vocabulary/version.ts'

export interface RenderedFailure {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: {
    readonly status: number
    readonly code: string
    readonly message: string
    readonly details: Readonly<Record<string, unknown>>
    readonly reason?: unknown
  }
}

/**
 * The one place where a failure becomes an answer (conventions 12). Clients of this API shape repeat
 * 409, 429 and 5xx by themselves, so every such answer says whether that can help (conventions 6).
 */
export function renderFailure(failure: Failure, requestId: string): RenderedFailure {
  const entry = entryOf(failure.code)
  const headers: Record<string, string> = {}
  if (entry.status >= 409) headers['x-should-retry'] = String(isPassing(failure))
  const retryAfter = failure.retryAfterSeconds ?? (entry.status === 503 ? 1 : undefined)
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
  if (entry.status === 401) headers['www-authenticate'] = 'Basic realm="api", charset="UTF-8"'
  const details = entry.status >= 500 ? { ...failure.details, requestId } : failure.details
  const isReasoned = entry.status === 401 && failure.details.reason !== undefined
  return {
    status: entry.status,
    headers,
    body: {
      status: entry.status,
      code: entry.wireCode ?? failure.code,
      message: messageOf(failure),
      details,
      ...(isReasoned ? { reason: failure.details.reason } : {}),
    },
  }
}

/** For people: what the code means, and where it means several things, which of them it is. */
function messageOf({ code, details }: Failure): string {
  const { message } = entryOf(code)
  if (code === 'CONFLICT') return conflictMessage(details) ?? message
  if (code !== 'REFERENCE_NOT_FOUND' || details.resourceType !== 'route') return message
  const isOfApi = String(details.id).startsWith(`/${apiVersion}`)
  return isOfApi ? 'The path was not found.' : `The path was not found. The API starts at /${apiVersion}.`
}
