import { createHash } from 'node:crypto'
import { failed, type Instant, ok, type Result } from '@corridor/kernel'

/** What a token says and we go by (wallets 5.3). Times are seconds since 1970. */
export interface OidcClaims {
  readonly iss: string
  /** One audience; a list with one member is the same as that member. */
  readonly aud: string
  readonly sub: string
  readonly iat: number
  readonly exp: number
  readonly nonce?: string
  readonly email?: string
}

const longestToken = 16_384
const segmentForm = /^[A-Za-z0-9_-]+$/

/** The claims of a token; undefined for a text that is no JWT or lacks what has to be there (INVALID_INPUT). */
export function parseOidcToken(token: string): OidcClaims | undefined {
  if (token.length > longestToken) return undefined
  const segments = token.split('.')
  if (segments.length !== 3 || !segments.every((segment) => segmentForm.test(segment))) return undefined
  const header = parseSegment(segments[0]!)
  const claims = parseSegment(segments[1]!)
  if (!header || !claims) return undefined
  const { iss, sub, iat, exp, nonce, email } = claims
  const aud = Array.isArray(claims.aud) && claims.aud.length === 1 ? claims.aud[0] : claims.aud
  if (!isText(iss) || !isText(aud) || !isText(sub) || !isTime(iat) || !isTime(exp)) return undefined
  return {
    iss,
    aud,
    sub,
    iat,
    exp,
    ...(typeof nonce === 'string' ? { nonce } : {}),
    ...(isText(email) && email.length <= 320 ? { email } : {}),
  }
}

const oldestSeconds = 65
const mostFutureSeconds = 5

/** Not older than a minute, nor from the future, give or take the clocks. */
export function isFresh({ iat }: OidcClaims, now: Instant): boolean {
  const ageMs = now - iat * 1000
  return ageMs >= -mostFutureSeconds * 1000 && ageMs <= oldestSeconds * 1000
}

/** Strictly, with no allowance. */
export function isExpired({ exp }: OidcClaims, now: Instant): boolean {
  return exp * 1000 <= now
}

/** Age first, then expiry, as every use of a token checks them; the failure is the reason. */
export function checkTimes(claims: OidcClaims, now: Instant): Result<null, string> {
  if (!isFresh(claims, now)) return failed('OIDC token iat is not fresh')
  if (isExpired(claims, now)) return failed('OIDC token expired')
  return ok(null)
}

/** Whether the token was asked for with this key: the hash of its hex as sent, case included (wallets 3.7). */
export function isNonceOf({ nonce }: OidcClaims, clientPublicKey: string): boolean {
  return nonce?.toLowerCase() === createHash('sha256').update(clientPublicKey, 'ascii').digest('hex')
}

function parseSegment(segment: string): Record<string, unknown> | undefined {
  try {
    const bytes = Buffer.from(segment, 'base64url')
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 1024
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
