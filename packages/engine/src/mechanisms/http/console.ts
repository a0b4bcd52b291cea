import type { IncomingMessage } from 'node:http'
import { type Failure, type FieldProblem, fail } from '../../vocabulary/errors.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'
import { apiVersion } from '../../vocabulary/version.ts'
import { schemes } from './schemes.ts'

/**
 * The addresses of the console, which are those of the API behind `/console/api/operator` or
 * `/console/api/{platformId}/{sandbox|production}`: the same operations, for whoever has a session and for nobody else.
 * The API itself knows no cookies, so no page of a stranger can make a browser ask it for anything.
 */
export type ConsoleTarget = { readonly kind: 'OPERATOR' } | (Book & { readonly kind: 'BOOK' })

const operatorAddress = /^\/console\/api(\/operator\/.*)$/
const bookAddress = new RegExp(
  `^/console/api/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(sandbox|production)(/${apiVersion}/.*)$`,
)
const environments: Readonly<Record<string, Environment>> = { sandbox: 'SANDBOX', production: 'PRODUCTION' }

/** Where requests of the console go. Kept beside them, because nothing that a caller sends may say it. */
const targets = new WeakMap<object, ConsoleTarget>()

/** The address of the operation that a request of the console is for; any other stays what it is. */
export function routeFromConsole(request: IncomingMessage): string {
  const url = request.url ?? '/'
  if (!url.startsWith('/console/api/')) return url
  const [, ofOperator] = operatorAddress.exec(url) ?? []
  if (ofOperator !== undefined) {
    targets.set(request, { kind: 'OPERATOR' })
    return ofOperator
  }
  const [, platformId, environment, ofPlatform] = bookAddress.exec(url) ?? []
  if (ofPlatform === undefined) return url
  targets.set(request, { kind: 'BOOK', platformId: platformId!, environment: environments[environment!]! })
  return ofPlatform
}

/** Undefined: the request is none of the console. */
export function consoleTargetOf(request: IncomingMessage): ConsoleTarget | undefined {
  return targets.get(request)
}

export function isFromConsole(request: IncomingMessage): boolean {
  return targets.has(request)
}

export const consoleChallenge = schemes.console.challenge

/** Browsers send no header of this name for a page of another origin without asking first, and the answer is no. */
const ownHeader = 'x-corridor-console'

/** Whether a page asks by itself, without anybody at it: that keeps no session alive. */
export function isBackground({
  method,
  headers,
}: {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}): boolean {
  return method === 'GET' && headers[ownHeader] === 'background'
}

/** Says why something is done, percent-encoded, as headers are not made for all letters. */
const reasonHeader = 'x-corridor-reason'
/** Characters of a reason, after decoding. */
const longestReason = 200
/** No character takes more of the encoded ones. */
const longestEncoded = 12 * longestReason

/**
 * Controls, what breaks a line or turns its direction, what is not seen, and marks heaped upon a letter: the log shows it to people as it was
 * written. The joiners of scripts and the selectors of pictographs are neither.
 */
const misleading =
  /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]|(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}|\p{M}{8}/u

/** Why somebody at the console does what they ask for; a request that does not come from there says nothing. */
export function reasonOf(request: IncomingMessage): {
  readonly reason?: string
  readonly wrongHeaders?: readonly FieldProblem[]
} {
  const given = request.headers[reasonHeader]
  if (given === undefined || !isFromConsole(request)) return {}
  const text = typeof given === 'string' && given.length <= longestEncoded ? decoded(given) : undefined
  if (text === undefined || text.length > longestReason || misleading.test(text)) {
    const message = `is not a percent-encoded text of up to ${longestReason} characters`
    return { wrongHeaders: [{ field: reasonHeader, message }] }
  }
  return text === '' ? {} : { reason: text }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text).trim()
  } catch {
    return undefined
  }
}

/** FORBIDDEN for what a page of somebody else has made the browser send. */
export function refuseForeign(
  {
    method,
    headers,
  }: { readonly method: string; readonly headers: Readonly<Record<string, string | string[] | undefined>> },
  baseUrl: string,
): Failure | undefined {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  const isOwnSite = site === undefined || site === 'same-origin'
  const isOwnOrigin =
    origin === undefined ||
    origin === `http://${host}` ||
    origin === `https://${host}` ||
    origin === new URL(baseUrl).origin
  const isRead = method === 'GET' || method === 'HEAD'
  if (isOwnSite && isOwnOrigin && (isRead || headers[ownHeader] !== undefined)) return undefined
  return fail('FORBIDDEN', { reason: 'CROSS_SITE' })
}

const cookieName = 'corridor_console'

function nameOf(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? `__Secure-${cookieName}` : cookieName
}

/** The `Set-Cookie` of a session; without a token the one that ends it in the browser. */
export function cookieFor(baseUrl: string, token: string | undefined): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  const rest = `; Path=/console; HttpOnly; SameSite=Strict${secure}`
  return `${nameOf(baseUrl)}=${token ?? ''}${rest}${token === undefined ? '; Max-Age=0' : ''}`
}

/** The token of a session in a Cookie header. On https the name that only https may set is the only one. */
export function cookieOf(baseUrl: string, header: string | undefined): string | undefined {
  const form = baseUrl.startsWith('https:') ? secureForm : plainForm
  return form.exec(header ?? '')?.[1]
}

const plainForm = /(?:^|; ?)corridor_console=([A-Za-z0-9_-]{43})(?:;|$)/
const secureForm = /(?:^|; ?)__Secure-corridor_console=([A-Za-z0-9_-]{43})(?:;|$)/
