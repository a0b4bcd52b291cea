import { type ErrorCode, entryOf } from './errors.ts'
import type { Operation } from './operation.ts'

/**
 * Every code that an operation may answer: those it declares, and those that come from what it is.
 * Nothing else may leave it (architecture 10).
 */
export function errorCodesOf(operation: Operation): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([...sharedCodes(operation), ...operation.errors])
  return [...codes].sort((a, b) => entryOf(a).status - entryOf(b).status || (a < b ? -1 : 1))
}

function sharedCodes(operation: Operation): ErrorCode[] {
  // Any request may be one that cannot be read, or have more of an address and headers than fits.
  const codes: ErrorCode[] = [
    'INVALID_REQUEST_FORMAT',
    'PAYLOAD_TOO_LARGE',
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ]
  const isWrite = operation.method === 'POST' || operation.method === 'PATCH'
  if (operation.auth !== 'none') codes.push('UNAUTHORIZED', 'FORBIDDEN')
  // An idempotency key may be malformed, or used with another body (conventions 6).
  if (isWrite) codes.push('INVALID_INPUT', 'CONFLICT')
  if (operation.query || operation.headers) codes.push('INVALID_INPUT')
  if (operation.body) codes.push('INVALID_INPUT')
  return codes
}
