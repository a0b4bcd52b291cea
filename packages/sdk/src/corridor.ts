import { ConnectionError, corridorErrorClass, SignatureError, TimeoutError } from './errors.ts'
import { operationTable } from './generated/operations.ts'
import type { Resources } from './generated/resources.ts'
import type { OperationRow } from './operation-row.ts'
import type { RequestOptions } from './operation-types.ts'
import { type Page, PagedList } from './pages.ts'
import { platformRuntime, type Runtime } from './runtime.ts'
import { type Call, curlOf, send, type TransportSettings } from './transport.ts'
import { type Transaction, type WaitOptions, waitForTransaction } from './waiting.ts'
import { type Unwrapping, unwrapping } from './webhooks.ts'

export interface CorridorOptions {
  /** Address of the installation with its version segment: `http://localhost:8080/2025-10-13`. Default: `CORRIDOR_BASE_URL`. */
  readonly baseUrl?: string
  /** Default: `CORRIDOR_CLIENT_ID`. */
  readonly clientId?: string
  /** Default: `CORRIDOR_CLIENT_SECRET`. */
  readonly clientSecret?: string
  /** The same as `clientId`, for those who come from another client. */
  readonly username?: string
  /** The same as `clientSecret`. */
  readonly password?: string
  /** The access token of an agent, instead of the two. */
  readonly agentToken?: string
  /** Default: the global one. */
  readonly fetch?: typeof fetch
  /** For each attempt. Default: a minute. */
  readonly timeoutMs?: number
  /** How often a failed attempt is repeated, with the same idempotency key. Default: 2. */
  readonly maxRetries?: number
  readonly onRequest?: (request: Request) => void | Promise<void>
  readonly onResponse?: (response: Response, request: Request) => void | Promise<void>
  /** Time and chance, for tests. */
  readonly runtime?: Partial<Runtime>
}

/** A request for the call that no method makes: see `Corridor.request`. */
export interface AnyRequest {
  readonly method: string
  /** Behind the base address, with its parameters filled in. */
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

interface Waiting {
  /**
   * Reads the transaction until it ends, or is in the status that you name. Fails with TimeoutError. A payment that was
   * cancelled is COMPLETED as well: a `refund` with the reason USER_CANCELLATION says that it was not delivered.
   */
  waitFor(transactionId: string, options?: WaitOptions): Promise<Transaction>
}

export interface Corridor extends Omit<Resources, 'transactions' | 'webhooks'> {
  readonly transactions: Resources['transactions'] & Waiting
  readonly webhooks: Resources['webhooks'] & Unwrapping
}

/**
 * A client of one platform in one environment. Every operation of the published document is a method; an answer other
 * than success throws `Corridor.Error`.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the resources are made from the table of operations
export class Corridor {
  static readonly Error = corridorErrorClass
  static readonly ConnectionError = ConnectionError
  static readonly TimeoutError = TimeoutError
  static readonly SignatureError = SignatureError
  readonly #settings: TransportSettings

  constructor(options: CorridorOptions = {}) {
    this.#settings = settingsOf(options)
    const { runtime } = this.#settings
    for (const row of operationTable) place(this as never, row.name, this.#method(row))
    place(this as never, 'transactions.waitFor', (id: string, waiting?: WaitOptions) =>
      waitForTransaction(runtime, (signal) => this.transactions.get(id, signal ? { signal } : {}), waiting),
    )
    const { unwrap } = unwrapping(runtime, () => this.webhooks.publicKey.get())
    place(this as never, 'webhooks.unwrap', unwrap)
  }

  /** The address it talks to, with the version segment. */
  get baseUrl(): string {
    return this.#settings.baseUrl
  }

  /** Any request, with the credentials, retries and errors of the others. Answers the body, or undefined. */
  async request<T = unknown>(request: AnyRequest, options?: RequestOptions): Promise<T> {
    const takesKey = request.method === 'POST' || request.method === 'PATCH'
    return readAnswer<T>(await send(this.#settings, { ...request, takesKey }, options))
  }

  /** The answer as the text of another form, such as `text/markdown`, where the operation has one. */
  async text(request: AnyRequest, accept: string, options?: RequestOptions): Promise<string> {
    return (await send(this.#settings, { ...request, accept }, options)).text()
  }

  /** The request as a command for a terminal, with the credentials taken from its variables. */
  curl(request: AnyRequest): string {
    return curlOf(this.#settings, request)
  }

  /** A stream of server-sent events. The caller reads it and ends it with the signal. */
  stream(request: AnyRequest, options?: RequestOptions): Promise<Response> {
    return send(this.#settings, { ...request, accept: 'text/event-stream' }, options)
  }

  #method(row: OperationRow) {
    return (...given: unknown[]) => {
      const { call, options } = readArguments(row, given)
      if (!row.isList) return send(this.#settings, call, options).then((answer) => readAnswer(answer))
      return new PagedList(async (cursor) => {
        const query = cursor === undefined ? call.query : { ...call.query, cursor }
        const page = { ...call, ...(query ? { query } : {}) }
        return readAnswer<Page<unknown>>(await send(this.#settings, page, options))
      })
    }
  }
}

function settingsOf(options: CorridorOptions): TransportSettings {
  const runtime = { ...platformRuntime, ...options.runtime }
  const baseUrl = options.baseUrl ?? runtime.variable('CORRIDOR_BASE_URL')
  if (!baseUrl) throw new TypeError('Corridor needs baseUrl or the variable CORRIDOR_BASE_URL')
  const clientId = options.clientId ?? options.username ?? runtime.variable('CORRIDOR_CLIENT_ID')
  const clientSecret = options.clientSecret ?? options.password ?? runtime.variable('CORRIDOR_CLIENT_SECRET')
  if (!options.agentToken && (!clientId || !clientSecret)) {
    throw new TypeError(
      'Corridor needs clientId and clientSecret, or the variables CORRIDOR_CLIENT_ID and CORRIDOR_CLIENT_SECRET',
    )
  }
  const send = options.fetch ?? fetch
  return {
    baseUrl: baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl,
    authorization: options.agentToken
      ? `Bearer ${options.agentToken}`
      : `Basic ${base64(`${clientId}:${clientSecret}`)}`,
    fetch: (input, init) => send(input, init),
    timeoutMs: options.timeoutMs ?? 60_000,
    maxRetries: options.maxRetries ?? 2,
    onRequest: options.onRequest,
    onResponse: options.onResponse,
    runtime,
  }
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

/** Hangs a method into the tree of resources: `customers.externalAccounts.create`. */
function place(root: Record<string, unknown>, name: string, method: unknown): void {
  const parts = name.split('.')
  let node = root
  for (const part of parts.slice(0, -1)) {
    node[part] ??= {}
    node = node[part] as Record<string, unknown>
  }
  node[parts.at(-1)!] = method
}

/** The ids of the address first, then the body, the query and the options, as far as the operation has them. */
function readArguments(row: OperationRow, given: unknown[]): { call: Call; options: RequestOptions } {
  const rest = [...given]
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = rest.shift()
    if (typeof id !== 'string' || id === '') {
      throw new TypeError(`corridor.${row.name} needs ${name} as text, and got ${JSON.stringify(id)}`)
    }
    return encodeURIComponent(id)
  })
  const required = row.requiredBody ? rest.shift() : undefined
  const query = row.query ? (rest.shift() as Readonly<Record<string, unknown>> | undefined) : undefined
  const options = (rest.shift() as (RequestOptions & { readonly body?: unknown }) | undefined) ?? {}
  const body = row.requiredBody ? required : row.body ? options.body : undefined
  return {
    call: {
      method: row.method,
      path,
      ...(query ? { query } : {}),
      ...(body === undefined ? {} : { body }),
      takesKey: row.takesKey ?? false,
      isOpen: row.isOpen ?? false,
    },
    options,
  }
}

async function readAnswer<T>(response: Response): Promise<T> {
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}
