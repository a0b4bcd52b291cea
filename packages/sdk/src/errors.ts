import type { ErrorDetails } from './generated/errors.ts'

export type ErrorCode = keyof ErrorDetails

/** The documentation of each code stands beside the installation. */
const docsPath = '/docs/reference/errors'

/** What an answer said, and which request it answers. */
export interface RefusedRequest {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly requestId: string | undefined
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  readonly isAfterLostAnswer: boolean
  /** The request as a command; its secrets are masked. */
  readonly curl: string
  readonly baseUrl: string
}

/** An answer other than success. Decide by `code`; `message` is for people. */
export class ApiError extends Error {
  override readonly name = 'Corridor.Error'
  readonly status: number
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>
  /** Say it when you ask the operator. */
  readonly requestId: string | undefined
  /** Whether the same request, with the same idempotency key, can succeed later. */
  readonly retryable: boolean
  /** How long the server asked to wait. */
  readonly retryAfterMs: number | undefined
  /**
   * Whether an attempt before this one had no answer, one of a server that failed, or one of what stands between (its code is
   * `HTTP_…`). A refusal that does not come to the Idempotency-Key, as 401 and 403, says nothing of that attempt: it may have
   * had its effect.
   */
  readonly isAfterLostAnswer: boolean
  readonly docsUrl: string
  readonly curl: string

  constructor(refused: RefusedRequest) {
    super(`${refused.code} (${refused.status}): ${told(refused)}`)
    this.status = refused.status
    this.code = refused.code
    this.details = refused.details
    this.requestId = refused.requestId
    this.retryable = refused.retryable
    this.retryAfterMs = refused.retryAfterMs
    this.isAfterLostAnswer = refused.isAfterLostAnswer
    this.docsUrl = `${new URL(refused.baseUrl).origin}${docsPath}#${refused.code.toLowerCase()}`
    this.curl = refused.curl
  }
}

/** With the wrong fields, or with what there is not, where the answer names any. */
function told({ status, message, details: { errors, resourceType, id } }: RefusedRequest): string {
  const sentence = message.replace(/\.$/, '')
  if (Array.isArray(errors) && errors.length > 0) {
    const fields = errors.slice(0, 5).map(({ field, message }) => `${field} ${message}`)
    return `${sentence}: ${fields.join('; ')}`
  }
  if (status !== 404 || typeof id !== 'string') return message
  // Ids begin with their type, names do not.
  const isId = typeof resourceType !== 'string' || id.startsWith(`${resourceType}:`)
  return `${sentence}: ${isId ? id : `${resourceType} ${id}`}`
}

/** There was no answer: the connection failed or broke. Whether the request had an effect is not known, unless it says so. */
export class ConnectionError extends Error {
  override readonly name: string = 'Corridor.ConnectionError'
  readonly code: string = 'CONNECTION_FAILED'
  readonly retryable = true
  /** Whether it is certain that nothing was done: it only read, or no attempt came as far as a connection. */
  readonly isWithoutEffect: boolean

  constructor(
    message?: string,
    { isWithoutEffect = false, ...options }: ErrorOptions & { readonly isWithoutEffect?: boolean } = {},
  ) {
    super(message, options)
    this.isWithoutEffect = isWithoutEffect
  }
}

/** There was no answer in time, or what was waited for did not happen. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'Corridor.TimeoutError'
  override readonly code = 'TIMEOUT'
}

/** What came was not signed by the key of your platform. Answer it with 401, and do nothing that it says. */
export class SignatureError extends Error {
  override readonly name = 'Corridor.SignatureError'
}

/** Of the codes that this version knows, each with the type of its details. */
type KnownError = {
  [C in ErrorCode]: Omit<ApiError, 'code' | 'details'> & {
    readonly code: C
    readonly details: ErrorDetails[C]
  }
}[ErrorCode]

/** `Corridor.Error`: `instanceof` tells it, `code` tells which, and `details` follow from the code. */
export interface CorridorErrorClass {
  new (refused: RefusedRequest): KnownError
  readonly prototype: KnownError
}
export type CorridorError = KnownError

export const corridorErrorClass = ApiError as unknown as CorridorErrorClass
