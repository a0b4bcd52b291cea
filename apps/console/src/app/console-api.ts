import { Corridor } from '@corridor/sdk/index.ts'
import { beginCall } from './calls.ts'
import { nameReason } from './reason.ts'

/**
 * The two addresses of the console beside its pages: `/console/session` says who is signed in, and `/console/api` is the API
 * for whoever is. Both go by a cookie that no script can read.
 */

const apiVersion = '2025-10-13'

/** Where programs ask, with a credential. */
export const apiAddress = `${location.origin}/${apiVersion}`

const consoleAddress = `${location.origin}/console`

/** What the server says of a session, as far as the console needs it: of an operator a role, and no platform. */
export interface SignedIn {
  readonly subject: string
  readonly role?: string
  readonly platformId?: string
  readonly environment?: 'SANDBOX' | 'PRODUCTION'
}

/** Why a request did not count for who is signed in. */
export type Refusal = 'OVER' | 'OTHER_PLATFORM' | 'SIGN_IN_AGAIN'

/** Browsers let no page of another site send it. */
const ownHeader = 'x-corridor-console'

/** What a page asks longer after the last touch than this it asks by itself, which keeps nobody signed in. */
const presentMs = 60_000
let touchedAt = performance.now()
for (const touch of ['pointerdown', 'keydown', 'wheel', 'touchstart']) {
  addEventListener(touch, () => (touchedAt = performance.now()), { capture: true, passive: true })
}

/** Fails with the error of the API where the credential is not good. */
export function openSession(clientId: string, clientSecret: string): Promise<SignedIn> {
  const asking = new Corridor({ baseUrl: consoleAddress, clientId, clientSecret, fetch: own })
  return asking.request<SignedIn>({ method: 'POST', path: '/session' })
}

/** Fails with the error of the API where the key is not good. */
export function openOperatorSession(key: string): Promise<SignedIn> {
  const asking = new Corridor({ baseUrl: consoleAddress, agentToken: key, fetch: own })
  return asking.request<SignedIn>({ method: 'POST', path: '/session' })
}

/** With what a link holds. Fails with the error of the API where it was used, or is too old. */
export function startSession(token: string): Promise<SignedIn> {
  return byCookie(consoleAddress).request<SignedIn>({
    method: 'POST',
    path: '/session/start',
    body: { token },
  })
}

/** Undefined: nobody is signed in. */
export async function readSession(): Promise<SignedIn | undefined> {
  try {
    return await byCookie(consoleAddress).request<SignedIn>({ method: 'GET', path: '/session' })
  } catch (error) {
    if (isOver(error)) return undefined
    throw error
  }
}

export async function closeSession(): Promise<void> {
  try {
    await byCookie(consoleAddress).request({ method: 'DELETE', path: '/session' })
  } catch (error) {
    if (!isOver(error)) throw error
  }
}

/** The API as whoever is signed in. */
export function corridorOf(
  platformId: string,
  environment: string,
  onRefusal: (refusal: Refusal) => void,
): Corridor {
  return listening(`${consoleAddress}/api/${platformId}/${environment}/${apiVersion}`, onRefusal)
}

/**
 * What happens in a platform, as server-sent events, after the event that was told last. It keeps nobody signed in.
 */
export function streamOf(platformId: string, environment: string) {
  return (after: string | undefined, signal: AbortSignal): Promise<Response> =>
    fetch(`${consoleAddress}/api/${platformId}/${environment}/${apiVersion}/stream`, {
      credentials: 'same-origin',
      cache: 'no-store',
      headers: {
        accept: 'text/event-stream',
        [ownHeader]: 'background',
        ...(after === undefined ? {} : { 'last-event-id': after }),
      },
      signal,
    })
}

/** The operator API, which is behind `/operator`, as the operator who is signed in. */
export function operatorCorridorOf(onRefusal: (refusal: Refusal) => void): Corridor {
  return listening(`${consoleAddress}/api`, onRefusal)
}

function listening(baseUrl: string, onRefusal: (refusal: Refusal) => void): Corridor {
  return byCookie(baseUrl, async (response) => {
    const refusal = await refusalOf(response)
    if (refusal) onRefusal(refusal)
  })
}

export function isOver(error: unknown): boolean {
  return error instanceof Corridor.Error && error.code === 'UNAUTHORIZED'
}

function byCookie(baseUrl: string, onResponse?: (response: Response) => Promise<void>): Corridor {
  return new Corridor({
    baseUrl,
    // The SDK does not ask without a credential; this one is none, and is not sent.
    agentToken: 'none',
    fetch: (request) => {
      const { headers } = request as Request
      headers.delete('authorization')
      return own(request)
    },
    ...(onResponse ? { onResponse } : {}),
  })
}

const own: typeof fetch = (request) => {
  const { headers } = request as Request
  headers.set(ownHeader, performance.now() - touchedAt > presentMs ? 'background' : '1')
  const { method, url } = request as Request
  const call = beginCall(method, programAddressOf(url))
  // Named here, so that a page can say which request it waits for before there is an answer.
  headers.set('x-request-id', call.requestId)
  nameReason(request as Request)
  return fetch(request, { credentials: 'same-origin' }).finally(call.end)
}

/** Where programs ask for what a page asked for, in any text that holds the address. */
export function programAddressOf(text: string): string {
  return text.replace(/\/console\/api\/(?:[0-9a-f-]{36}\/(?:sandbox|production)\/)?/, '/')
}

async function refusalOf(response: Response): Promise<Refusal | undefined> {
  if (response.status !== 401 && response.status !== 403) return undefined
  // What stands before the server may refuse as well, in words of its own.
  const body: unknown = await response.json().catch(() => undefined)
  const { code, details } = (body ?? {}) as { code?: unknown; details?: { reason?: unknown } }
  if (code === 'UNAUTHORIZED') return 'OVER'
  const reason = details?.reason
  return reason === 'OTHER_PLATFORM' || reason === 'SIGN_IN_AGAIN' ? reason : undefined
}
