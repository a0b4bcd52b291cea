import { SignatureError } from './errors.ts'
import type { WebhookEvent } from './generated/events.ts'
import type { Runtime } from './runtime.ts'

export interface WebhookVerification {
  /** The raw body, byte for byte as it arrived. */
  readonly body: string | Uint8Array
  /** The `X-Service-Signature` (or `X-Grid-Signature`) header. */
  readonly signature: string | undefined
  /** `webhookPublicKey` of `credentials.json`, or `publicKey` of `GET /webhooks/public-key`: one PEM, or several while a key is being rotated. */
  readonly publicKey: string | readonly string[]
}

/** Headers as Node, a framework or `fetch` hands them over; names in any case. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

const pemPattern = /-----BEGIN PUBLIC KEY-----([^-]{1,1000})-----END PUBLIC KEY-----/g
const longestSignature = 200

/**
 * The event of a webhook request whose signature is good, else null: ECDSA P-256 over the SHA-256 of the
 * raw body, DER-encoded, in standard base64.
 */
export async function verifyWebhook(verification: WebhookVerification): Promise<WebhookEvent | null> {
  const { body, signature, publicKey } = verification
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const keys = [publicKey]
    .flat()
    .flatMap((text) => [...text.matchAll(pemPattern)].map(([, base64]) => base64!))
  if (!(await isSigned(bytes, signature, keys))) return null
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }

async function isSigned(
  bytes: Uint8Array,
  signature: string | undefined,
  keys: readonly string[],
): Promise<boolean> {
  if (!signature || signature.length > longestSignature) return false
  const raw = rawSignature(decodeBase64(signature))
  if (!raw) return false
  for (const base64 of keys) {
    try {
      const spki = decodeBase64(base64.replaceAll(/\s/g, ''))
      const key = await crypto.subtle.importKey('spki', spki!, algorithm, false, ['verify'])
      const data = bytes as Uint8Array<ArrayBuffer>
      if (await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, raw, data)) return true
    } catch {
      // A text that is no key signs nothing; another of the page may.
    }
  }
  return false
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** DER to the 64 bytes `r || s` that the Web Cryptography API verifies; undefined when it is none. */
function rawSignature(der: Uint8Array | undefined): Uint8Array<ArrayBuffer> | undefined {
  if (der?.[0] !== 0x30 || der[1] !== der.length - 2) return undefined
  const raw = new Uint8Array(64)
  let at = 2
  for (const end of [32, 64]) {
    const length = der[at + 1]
    if (der[at] !== 0x02 || length === undefined || length < 1 || length > 33) return undefined
    const number = der.subarray(at + 2, at + 2 + length)
    const digits = number[0] === 0 ? number.subarray(1) : number
    if (number.length !== length || digits.length > 32) return undefined
    raw.set(digits, end - digits.length)
    at += 2 + length
  }
  return at === der.length ? raw : undefined
}

/** One of the two names under which the signature comes, and the name of its key. */
function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (typeof headers.get === 'function')
    return (headers.get as (name: string) => string | null)(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(found) ? (found[0] as string) : (found as string | undefined)
}

/** The keys are asked for again this long after they were, and at most this often for a key that is not known. */
const keysKeptMs = 60 * 60_000
const askedAgainAfterMs = 30_000

export interface Unwrapping {
  /**
   * The event of a webhook, from its raw bytes and its headers. Throws SignatureError unless the key of your
   * platform signed exactly these bytes. `event.id` is the same each time it is sent: keep those you have processed.
   */
  unwrap(rawBody: string | Uint8Array, headers: HeadersLike): Promise<WebhookEvent>
}

/**
 * Verifies with the keys that `fetchKeys` finds, which are kept for an hour and fetched again when a signature names a
 * key that is new: a rotation is not noticed. A stranger who names keys that do not exist costs one request in thirty
 * seconds.
 */
export function unwrapping(
  runtime: Pick<Runtime, 'now'>,
  fetchKeys: () => Promise<{ keyId: string; publicKey: string }>,
): Unwrapping {
  let kept: { publicKey: string; keyIds: Set<string>; at: number } | undefined
  let underWay: Promise<string> | undefined

  function fetched(): Promise<string> {
    underWay ??= fetchKeys()
      .then(({ keyId, publicKey }) => {
        kept = { publicKey, keyIds: new Set([keyId]), at: runtime.now() }
        return publicKey
      })
      .finally(() => {
        underWay = undefined
      })
    return underWay
  }

  return {
    async unwrap(rawBody, headers) {
      if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
        throw new TypeError('unwrap needs the raw body, before parsing')
      }
      const signature = headerOf(headers, 'x-service-signature') ?? headerOf(headers, 'x-grid-signature')
      if (!signature) throw new SignatureError('the request has no signature')
      const keyId = headerOf(headers, 'x-webhook-key-id')
      const age = kept ? runtime.now() - kept.at : Number.POSITIVE_INFINITY
      const publicKey = kept && age < keysKeptMs ? kept.publicKey : await fetched()
      const verification = { body: rawBody, signature }
      const event = await verifyWebhook({ ...verification, publicKey })
      if (event) {
        if (keyId !== undefined) kept?.keyIds.add(keyId)
        return event
      }
      // A key that has verified before is no new one: these bytes are forged, and asking again would not help.
      const isNew = keyId === undefined || !kept?.keyIds.has(keyId)
      const askedAt = kept?.at ?? 0
      if (isNew && runtime.now() - askedAt >= askedAgainAfterMs) {
        const again = await verifyWebhook({ ...verification, publicKey: await fetched() })
        if (again) {
          if (keyId !== undefined) kept?.keyIds.add(keyId)
          return again
        }
      }
      throw new SignatureError('the signature does not match these bytes and the keys of this platform')
    },
  }
}
