import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from './generated/api.ts'

export type { components, paths } from './generated/api.ts'

export interface ClientOptions {
  /** Address of the installation with its version segment: `http://localhost:8080/2025-10-13`. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** Default: the global fetch. */
  readonly fetch?: typeof fetch
}

export type CorridorClient = Client<paths, 'application/json'>

/**
 * A client whose paths, parameters, bodies and answers are typed by the published document. Calls
 * resolve to `{ data, error, response }`; nothing throws for an HTTP status. Answers are JSON, also of what can be had as prose.
 */
export function createClient(options: ClientOptions): CorridorClient {
  const { baseUrl, clientId, clientSecret } = options
  const bytes = new TextEncoder().encode(`${clientId}:${clientSecret}`)
  const credentials = btoa(String.fromCharCode(...bytes))
  const send = options.fetch ?? fetch
  return createFetchClient<paths, 'application/json'>({
    baseUrl,
    headers: { Authorization: `Basic ${credentials}` },
    fetch: (request) => send(request),
  })
}
