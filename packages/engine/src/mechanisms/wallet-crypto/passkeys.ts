import { base64url, type Result } from '@corridor/kernel'
import {
  type PasskeyAssertion,
  type PasskeyAttestation,
  type RegisteredPasskey,
  verifyAssertion,
  verifyRegistration,
} from '../passkeys/index.ts'

/** The passkey of a wallet (wallets 3.6). */
export interface Passkey extends RegisteredPasskey {
  readonly transports: readonly string[]
}

/**
 * Checks the attestation of a new passkey. There is no configured origin: the first one counts, and the RP id is
 * whichever of its domains the authenticator hashed (trust on first use).
 */
export async function verifyPasskeyRegistration(
  attestation: PasskeyAttestation & { readonly transports?: readonly string[] | undefined },
  { challenge, allowsLocalOrigins }: { readonly challenge: string; readonly allowsLocalOrigins: boolean },
): Promise<Passkey | undefined> {
  const wanted = base64url(challenge)
  const asText = Buffer.from(challenge).toString('base64url')
  const registered = await verifyRegistration(attestation, {
    isChallenge: (given) => base64url(given) === wanted || given === asText,
    rpIdsOf: (origin) => rpIdsOf(origin, allowsLocalOrigins),
    requiresUserVerification: false,
  })
  return registered && { ...registered, transports: attestation.transports ?? [] }
}

/** Checks an assertion over `challenge`, 64 hex digits whose text is what was signed; yields the new counter. */
export function verifyPasskeyAssertion(
  passkey: Passkey,
  assertion: PasskeyAssertion,
  challenge: string,
): Promise<Result<number, string>> {
  const expected = Buffer.from(challenge).toString('base64url')
  return verifyAssertion(passkey, assertion, {
    isChallenge: (given) => given === expected,
    isOrigin: (origin) => isKnownOrigin(passkey, origin),
    rpIdHash: passkey.rpIdHash,
    requiresUserVerification: false,
  })
}

const appOrigin = /^android:apk-key-hash:[A-Za-z0-9_-]{1,128}$/

/** The RP ids that a passkey of this origin may be for; undefined for an origin that no passkey may come from. */
function rpIdsOf(text: unknown, allowsLocal: boolean): readonly string[] | 'ANY' | undefined {
  if (typeof text !== 'string' || text.length > 512) return undefined
  if (appOrigin.test(text)) return 'ANY'
  const url = parseUrl(text)
  if (!url) return undefined
  const isLocal = allowsLocal && url.protocol === 'http:' && url.hostname === 'localhost'
  if (!isLocal && url.protocol !== 'https:') return undefined
  if (url.hostname === 'localhost') return ['localhost']
  const labels = url.hostname.split('.')
  const parents = labels.map((_, index) => labels.slice(index)).filter(({ length }) => length >= 2)
  return parents.map((parent) => parent.join('.'))
}

/** The stored origin, or one over https below the RP id. */
function isKnownOrigin({ origin, rpId }: Passkey, given: string): boolean {
  if (given === origin) return true
  const url = parseUrl(given)
  if (rpId === null || url?.protocol !== 'https:') return false
  return url.hostname === rpId || url.hostname.endsWith(`.${rpId}`)
}

/** An origin and nothing behind it. */
function parseUrl(text: string): URL | undefined {
  if (text.length > 512 || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.origin === text ? url : undefined
}
