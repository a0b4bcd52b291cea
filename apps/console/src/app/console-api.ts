import { Corridor } from '@corridor/sdk/index.ts'
import { beginCall } from './calls.ts'
import { nameReason } from './reason.ts'

/**
 * The two addresses of the console beside its pages: `/console/session` says who is signed in, and `/console/api` is the API
 * for whoever is. Both go by a cookie that no script can read.
 */

const apiVersion = '2025-10-13'

/** A book of a platform, and the fork that it is looked at in; without one it is that of the main world. */
export interface Where {
  readonly platform: string
  readonly environment: string
  readonly world?: string | undefined
}

/** As it stands in addresses of the console: `sandbox`, or `sandbox@test-7` in a fork. */
export function segmentOf({ environment, world }: Pick<Where, 'environment' | 'world'>): string {
  return world === undefined ? environment : `${environment}@${world}`
}

/** Where programs ask, with a credential. */
export function apiAddressOf(world: string | undefined): string {
  return `${location.origin}${world === undefined ? '' : `/w/${world}`}/${apiVersion}`
}

const consoleAddress = `${location.origin}/console`

/** What the server says of a session, as far as the console needs it: of an operator a role, and no platform. */
export interface SignedIn {
  readonly id: string
  readonly subject: string
  readonly role?: string
  readonly platformId?: string
  readonly platformName?: string
  readonly environment?: 'SANDBOX' | 'PRODUCTION'
  /** Permissions of the token that signed in. */
  readonly permissions?: readonly string[]
  readonly hasWorlds: boolean
}

/** Why a request did not count for who is signed in. */
export type Refusal = 'OVER' | 'OTHER_PLATFORM' | 'SIGN_IN_AGAIN' | Missing

/** What is looked at and is not there: no such fork, or not this platform in it. */
export type Missing = 'NO_WORLD' | 'NO_PLATFORM'

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
export function startSession(token: string, { replaces = false } = {}): Promise<SignedIn> {
  return byCookie(consoleAddress).request<SignedIn>({
    method: 'POST',
    path: '/session/start',
    body: { token, ...(replaces ? { replaces } : {}) },
  })
}

/** The platform of a link, where somebody is signed in to something else. Undefined for any other error. */
export function platformOfRefusedLink(error: unknown): string | undefined {
  if (!(error instanceof Corridor.Error) || error.code !== 'CONFLICT') return undefined
  const { reason, platformName } = error.details as { reason?: string; platformName?: string }
  return reason === 'SIGNED_IN' ? (platformName ?? '') : undefined
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

/** The API as whoever is signed in. `isAside`: asked by the page, which is no use of the session, nor of a fork. */
export function corridorOf(
  where: Where,
  onRefusal: (refusal: Refusal) => void,
  { isAside = false } = {},
): Corridor {
  return listening(addressOf(where), onRefusal, { where, isAside })
}

function addressOf(where: Where): string {
  return `${consoleAddress}/api/${where.platform}/${segmentOf(where)}/${apiVersion}`
}

/**
 * What happens in a platform, as server-sent events, after the event that was told last. It keeps nobody signed in.
 */
export function streamOf(where: Where) {
  return (after: string | undefined, signal: AbortSignal): Promise<Response> =>
    fetch(`${addressOf(where)}/stream`, {
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

function listening(
  baseUrl: string,
  onRefusal: (refusal: Refusal) => void,
  { where, isAside }: { readonly where?: Where; readonly isAside?: boolean } = {},
): Corridor {
  const onResponse = async (response: Response) => {
    const refusal = await refusalOf(response, where)
    if (refusal) onRefusal(refusal)
  }
  return byCookie(baseUrl, { onResponse, ...(isAside ? { isAside } : {}) })
}

export function isOver(error: unknown): boolean {
  return error instanceof Corridor.Error && error.code === 'UNAUTHORIZED'
}

function byCookie(
  baseUrl: string,
  {
    onResponse,
    isAside = false,
  }: { readonly onResponse?: (response: Response) => Promise<void>; readonly isAside?: boolean } = {},
): Corridor {
  return new Corridor({
    baseUrl,
    // The SDK does not ask without a credential; this one is none, and is not sent.
    agentToken: 'none',
    fetch: (request) => {
      const { headers } = request as Request
      headers.delete('authorization')
      if (isAside) headers.set(ownHeader, 'background')
      return own(request)
    },
    ...(onResponse ? { onResponse } : {}),
  })
}

const own: typeof fetch = (request) => {
  const { headers } = request as Request
  const isAside = headers.has(ownHeader) || performance.now() - touchedAt > presentMs
  headers.set(ownHeader, isAside ? 'background' : '1')
  const { method, url } = request as Request
  const call = beginCall(method, programAddressOf(url))
  // Named here, so that a page can say which request it waits for before there is an answer.
  headers.set('x-request-id', call.requestId)
  nameReason(request as Request)
  return fetch(request, { credentials: 'same-origin' }).finally(call.end)
}

/** Where programs ask for what a page asked for, in any text that holds the address. */
export function programAddressOf(text: string): string {
  return text.replace(
    /\/console\/api\/(?:[0-9a-f-]{36}\/(?:sandbox|production)(?:@([a-z0-9-]+))?\/)?/,
    (_, world?: string) => (world === undefined ? '/' : `/w/${world}/`),
  )
}

async function refusalOf(response: Response, where: Where | undefined): Promise<Refusal | undefined> {
  const mayBeMissing = response.status === 404 && where?.world !== undefined
  if (response.status !== 401 && response.status !== 403 && !mayBeMissing) return undefined
  // What stands before the server may refuse as well, in words of its own.
  const body: unknown = await response.json().catch(() => undefined)
  const { code, details } = (body ?? {}) as {
    code?: unknown
    details?: { reason?: unknown; resourceType?: unknown; id?: unknown }
  }
  if (mayBeMissing) return missingOf(details ?? {}, where)
  if (code === 'UNAUTHORIZED') return 'OVER'
  const reason = details?.reason
  return reason === 'OTHER_PLATFORM' || reason === 'SIGN_IN_AGAIN' ? reason : undefined
}

function missingOf(
  { resourceType, id }: { readonly resourceType?: unknown; readonly id?: unknown },
  { platform, world }: Where,
): Missing | undefined {
  // An installation that makes no forks knows no such address.
  if (resourceType === 'route' || (resourceType === 'SandboxWorld' && id === world)) return 'NO_WORLD'
  return resourceType === 'Platform' && id === platform ? 'NO_PLATFORM' : undefined
}
