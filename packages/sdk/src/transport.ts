import { ApiError, ConnectionError, TimeoutError } from './errors.ts'
import type { RequestOptions } from './operation-types.ts'
import type { Runtime } from './runtime.ts'
import { OversizedResponse, readWhole } from './whole-body.ts'

/** How requests are made: what they carry, how long they may take, and when they are repeated. */

export interface TransportSettings {
  /** With the version segment, without a slash at its end. */
  readonly baseUrl: string
  readonly authorization: string | undefined
  readonly fetch: typeof fetch
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly onRequest: ((request: Request) => void | Promise<void>) | undefined
  readonly onResponse: ((response: Response, request: Request) => void | Promise<void>) | undefined
  readonly runtime: Runtime
}

export interface Call {
  readonly method: string
  /** With its parameters filled in. */
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>>
  /** An object is sent as JSON. */
  readonly body?: unknown
  /** Whether it takes an Idempotency-Key: then it has one, in all its attempts. */
  readonly takesKey?: boolean
  readonly isOpen?: boolean
  readonly accept?: string
}

const retriedStatuses: ReadonlySet<number> = new Set([408, 429])
const firstPauseMs = 500
const longestPauseMs = 8_000
/** Longer than this nobody waits inside a call; the error tells how long. */
const longestAskedPauseMs = 60_000

/**
 * Sends a request until there is an answer that repeating would not change. Fails with ApiError, ConnectionError or
 * TimeoutError, or with the reason of the caller's signal.
 */
export async function send(
  settings: TransportSettings,
  call: Call,
  options: RequestOptions = {},
): Promise<Response> {
  const { runtime } = settings
  const maxRetries = options.maxRetries ?? settings.maxRetries
  const key = call.takesKey ? (options.idempotencyKey ?? runtime.uuid()) : options.idempotencyKey
  const headers: Record<string, string> = {
    accept: call.accept ?? 'application/json',
    ...(settings.authorization && !call.isOpen ? { authorization: settings.authorization } : {}),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...options.headers,
  }
  // What has no key and changes something is repeated only where the server says that it had no effect.
  const isRepeatable = key !== undefined || call.method !== 'POST'
  let isAfterLostAnswer = false
  for (let attempt = 0; ; attempt++) {
    options.signal?.throwIfAborted()
    const { response, failure } = await attemptOnce(settings, call, headers, options, isAfterLostAnswer)
    if (response?.ok) return response
    const error = response ? await refusalOf(settings, call, headers, response, isAfterLostAnswer) : failure!
    isAfterLostAnswer ||= isInDoubt(error)
    const isPassing =
      error instanceof ApiError
        ? error.retryable && (isRepeatable || error.status === 429)
        : isRepeatable && !(error.cause instanceof OversizedResponse)
    const asked = error instanceof ApiError ? error.retryAfterMs : undefined
    if (!isPassing || attempt >= maxRetries || (asked ?? 0) > longestAskedPauseMs) throw error
    await runtime.sleep(asked ?? pauseMs(attempt, runtime.random()), options.signal)
  }
}

/** Half a second, doubled each time, up to eight seconds; up to a half of it is left to chance. */
function pauseMs(attempt: number, random: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** attempt) * (0.5 + 0.5 * random)
}

type Attempt =
  | { readonly response: Response; readonly failure?: never }
  | { readonly response?: never; readonly failure: ConnectionError }

async function attemptOnce(
  settings: TransportSettings,
  call: Call,
  headers: Readonly<Record<string, string>>,
  options: RequestOptions,
  isAfterLostAnswer: boolean,
): Promise<Attempt> {
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs
  const abandoned = new AbortController()
  const timedOut = new AbortController()
  const ended = new AbortController()
  const abandon = () => abandoned.abort(options.signal?.reason)
  options.signal?.addEventListener('abort', abandon)
  void settings.runtime.sleep(timeoutMs, ended.signal).then(() => {
    if (!ended.signal.aborted) timedOut.abort()
  })
  let isStream = false
  const request = new Request(addressOf(settings, call), {
    method: call.method,
    headers: bodyHeaders(call, headers),
    signal: AbortSignal.any([abandoned.signal, timedOut.signal]),
    ...(call.body === undefined ? {} : { body: bodyOf(call.body) }),
  })
  try {
    await settings.onRequest?.(request)
    const response = await settings.fetch(request)
    // An answer that breaks off halfway is no answer, so it is read to its end here. A stream is the caller's.
    isStream = call.accept === 'text/event-stream' && response.ok
    if (isStream) return { response }
    const bytes = await readWhole(response)
    const hasBody = response.status !== 204 && response.status !== 304
    const whole = new Response(hasBody ? bytes : null, { status: response.status, headers: response.headers })
    await settings.onResponse?.(whole.clone(), request)
    return { response: whole }
  } catch (cause) {
    options.signal?.throwIfAborted()
    const what = `${call.method} ${settings.baseUrl}${call.path}`
    const isWithoutEffect = call.method === 'GET' || (!isAfterLostAnswer && isUnconnected(cause))
    const more = { cause, isWithoutEffect }
    if (timedOut.signal.aborted) {
      return { failure: new TimeoutError(`${what} got no response within ${timeoutMs} ms`, more) }
    }
    return { failure: new ConnectionError(`${what} was not answered: ${reasonOf(cause)}`, more) }
  } finally {
    ended.abort()
    // A stream goes on until its signal ends it.
    if (!isStream) options.signal?.removeEventListener('abort', abandon)
  }
}

function addressOf({ baseUrl }: TransportSettings, { path, query }: Call): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) parameters.append(name, String(each))
    }
  }
  const text = parameters.toString()
  return `${baseUrl}${path}${text === '' ? '' : `?${text}`}`
}

function bodyHeaders({ body }: Call, headers: Readonly<Record<string, string>>) {
  return body === undefined || body instanceof FormData
    ? headers
    : { 'content-type': 'application/json', ...headers }
}

function bodyOf(body: unknown): FormData | string {
  return body instanceof FormData ? body : JSON.stringify(body)
}

/** `fetch failed` says nothing; what lies behind it does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error as { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? error.message
}

/** Whether this attempt may have had its effect all the same: Corridor itself has not said what became of it. */
function isInDoubt(error: ApiError | ConnectionError): boolean {
  if (!(error instanceof ApiError)) return !isUnconnected(error.cause)
  return error.status >= 500 || error.code.startsWith(codeOfOthers)
}

/** Of certificates that were not accepted: nothing is sent before they are. */
const certificateCodes = /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

/** Whether there was no connection that anything could have been sent on, as far as the runtime tells. */
function isUnconnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.cause !== undefined) return isUnconnected(error.cause)
  const { code = '', syscall, errors } = error as { code?: string; syscall?: string; errors?: unknown[] }
  // One for each address of the host.
  if (errors && errors.length > 0) return errors.every(isUnconnected)
  const isOfConnecting = syscall === 'connect' || syscall === 'getaddrinfo'
  return isOfConnecting || code === 'UND_ERR_CONNECT_TIMEOUT' || certificateCodes.test(code)
}

/** What stands before Corridor gives no code of it, so its answers get one. */
const codeOfOthers = 'HTTP_'

async function refusalOf(
  settings: TransportSettings,
  call: Call,
  sent: Readonly<Record<string, string>>,
  response: Response,
  isAfterLostAnswer: boolean,
): Promise<ApiError> {
  const body = readBody(await response.text())
  const { status } = response
  const should = response.headers.get('x-should-retry')
  return new ApiError({
    status,
    code: typeof body.code === 'string' ? body.code : `${codeOfOthers}${status}`,
    message: typeof body.message === 'string' ? body.message : 'The response does not come from Corridor.',
    details: (body.details ?? {}) as Readonly<Record<string, unknown>>,
    requestId: response.headers.get('x-request-id') ?? undefined,
    // The server's word counts; what stands before it, a proxy, gives none.
    retryable: should === null ? retriedStatuses.has(status) || status >= 500 : should === 'true',
    retryAfterMs: retryAfterOf(response.headers.get('retry-after'), settings.runtime.now()),
    isAfterLostAnswer,
    curl: curlOf(settings, call, sent),
    baseUrl: settings.baseUrl,
  })
}

function readBody(text: string): Readonly<Record<string, unknown>> {
  try {
    const body = JSON.parse(text) as unknown
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Seconds, or a date. */
function retryAfterOf(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** The request as a command for a terminal. Credentials and signatures are taken from variables there. */
export function curlOf(
  settings: Pick<TransportSettings, 'baseUrl'>,
  call: Call,
  headers: Readonly<Record<string, string>> = {},
): string {
  const kept = Object.entries(bodyHeaders(call, headers)).filter(
    ([name]) => !/^(authorization|accept|service-wallet-signature)$/i.test(name),
  )
  const lines = [
    `curl -X ${call.method} ${quoted(addressOf(settings as TransportSettings, call))}`,
    ...(call.isOpen ? [] : ['-u "$CORRIDOR_CLIENT_ID:$CORRIDOR_CLIENT_SECRET"']),
    ...kept.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(call.body === undefined || call.body instanceof FormData
      ? []
      : [`-d ${quoted(JSON.stringify(masked(call.body)))}`]),
  ]
  return lines.join(' \\\n  ')
}

/** Codes are secrets where they prove something; those of banks, places and currencies are not. */
const secrets = /secret|password|otp|^(device|join)?code$|signature|token|privateKey/i

/** A body whose secrets nobody can copy out of a log. */
function masked(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (name, value) => (typeof value === 'string' && secrets.test(name) ? '***' : value)),
  )
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
