import { createHash, createPublicKey, timingSafeEqual } from 'node:crypto'
import { base64url, failed, ok, type Result } from '@corridor/kernel'
import { verifyRegistrationResponse } from '@simplewebauthn/server'
import {
  decodeAttestationObject,
  decodeCredentialPublicKey,
  isoCBOR,
  parseAuthenticatorData,
  verifySignature,
} from '@simplewebauthn/server/helpers'

/** What is kept of a passkey: enough to check assertions, nothing that could make one (wallets 3.6). */
export interface Passkey {
  /** base64url without padding, as the authenticator named itself. */
  readonly credentialId: string
  /** COSE key, base64url. */
  readonly publicKey: string
  readonly counter: number
  /** The matched RP id; null for an app, of which only the hash is known. */
  readonly rpId: string | null
  /** Hex. */
  readonly rpIdHash: string
  readonly origin: string
  readonly transports: readonly string[]
}

export interface PasskeyAttestation {
  readonly credentialId: string
  readonly clientDataJson: string
  readonly attestationObject: string
  readonly transports?: readonly string[] | undefined
}

export interface PasskeyAssertion {
  readonly credentialId: string
  readonly clientDataJson: string
  readonly authenticatorData: string
  readonly signature: string
}

/** ES256, EdDSA, RS256. */
const algorithms = [-7, -8, -257]

/**
 * Checks the attestation of a new passkey. There is no configured origin: the first one counts, and the RP id is
 * whichever of its domains the authenticator hashed (trust on first use). Undefined for whatever does not fit.
 */
export async function verifyPasskeyRegistration(
  attestation: PasskeyAttestation,
  { challenge, allowsLocalOrigins }: { readonly challenge: string; readonly allowsLocalOrigins: boolean },
): Promise<Passkey | undefined> {
  try {
    const clientDataJSON = base64url(attestation.clientDataJson)
    const clientData = parseClientData(clientDataJSON)
    const origin = clientData && parseOrigin(clientData.origin, allowsLocalOrigins)
    if (!origin) return undefined
    const id = base64url(attestation.credentialId)
    const wanted = base64url(challenge)
    const asText = Buffer.from(challenge).toString('base64url')
    const { verified, registrationInfo: info } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON,
          attestationObject: withoutChain(base64url(attestation.attestationObject)),
        },
      },
      expectedChallenge: (given) => base64url(given) === wanted || given === asText,
      expectedOrigin: origin.text,
      ...(origin.rpIds ? { expectedRPID: [...origin.rpIds] } : {}),
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified || info.credential.id !== id) return undefined
    assertIsKey(info.credential.publicKey)
    const object = decodeAttestationObject(info.attestationObject)
    return {
      credentialId: id,
      publicKey: Buffer.from(info.credential.publicKey).toString('base64url'),
      counter: info.credential.counter,
      rpId: info.rpID ?? null,
      rpIdHash: Buffer.from(object.get('authData').subarray(0, 32)).toString('hex'),
      origin: origin.text,
      transports: attestation.transports ?? [],
    }
  } catch {
    // The library says by throwing that a check failed.
    return undefined
  }
}

/** COSE's numbers of the members of a key. */
const cose = { kty: 1, crv: -1, x: -2, y: -3, n: -1, e: -2 } as const

/** Throws for a key that nothing could be checked with: the library takes the bytes as they come. */
function assertIsKey(publicKey: Uint8Array): void {
  const key = decodeCredentialPublicKey(Uint8Array.from(publicKey)) as unknown as Map<
    number,
    number | Uint8Array
  >
  const member = (name: keyof typeof cose) =>
    Buffer.from(key.get(cose[name]) as Uint8Array).toString('base64url')
  const jwks = {
    1: () => ({ kty: 'OKP', crv: 'Ed25519', x: member('x') }),
    2: () => ({ kty: 'EC', crv: 'P-256', x: member('x'), y: member('y') }),
    3: () => ({ kty: 'RSA', n: member('n'), e: member('e') }),
  }
  const jwk = jwks[key.get(cose.kty) as keyof typeof jwks]()
  if ('y' in jwk && String(jwk.y).length !== 43) throw new Error('a coordinate is 32 bytes')
  createPublicKey({ key: jwk, format: 'jwk' })
}

/**
 * The attestation without a chain of certificates: nobody here trusts a manufacturer more than another, and
 * checking one would fetch revocation lists from addresses that stand in the certificate itself.
 */
function withoutChain(attestationObject: string): string {
  const object = decodeAttestationObject(bytesOf(attestationObject))
  const isSelf = object.get('fmt') === 'packed' && object.get('attStmt').get('x5c') === undefined
  if (isSelf || object.get('fmt') === 'none') return attestationObject
  const plain = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', object.get('authData')],
  ])
  return Buffer.from(isoCBOR.encode(plain)).toString('base64url')
}

const userPresent = 0x01
const authenticatorDataBytes = 37

/** Checks an assertion over `challenge`, 64 hex digits whose text is what was signed; yields the new counter. */
export async function verifyPasskeyAssertion(
  passkey: Passkey,
  assertion: PasskeyAssertion,
  challenge: string,
): Promise<Result<number, string>> {
  if (base64url(assertion.credentialId) !== passkey.credentialId) return failed('Passkey credential mismatch')
  const clientDataJSON = base64url(assertion.clientDataJson)
  const clientData = parseClientData(clientDataJSON)
  const expected = Buffer.from(challenge).toString('base64url')
  if (clientData?.type !== 'webauthn.get' || clientData.challenge !== expected) {
    return failed('Passkey challenge mismatch')
  }
  if (!isKnownOrigin(passkey, clientData)) return failed('Passkey origin mismatch')
  const authData = bytesOf(base64url(assertion.authenticatorData))
  if (authData.length < authenticatorDataBytes) return failed('Passkey RP ID mismatch')
  const isOfRp = timingSafeEqual(authData.subarray(0, 32), Buffer.from(passkey.rpIdHash, 'hex'))
  if (!isOfRp) return failed('Passkey RP ID mismatch')
  if ((authData[32]! & userPresent) === 0) return failed('User presence required')
  const clientDataHash = createHash('sha256').update(bytesOf(clientDataJSON)).digest()
  if (!(await isSigned(passkey, assertion, authData, clientDataHash))) {
    return failed('Invalid passkey signature')
  }
  const counter = Buffer.from(authData).readUInt32BE(33)
  const isCounting = counter > 0 || passkey.counter > 0
  if (isCounting && counter <= passkey.counter) {
    return failed('Passkey signature counter did not increase')
  }
  return ok(counter)
}

async function isSigned(
  passkey: Passkey,
  { signature }: PasskeyAssertion,
  authData: Uint8Array<ArrayBuffer>,
  clientDataHash: Uint8Array,
): Promise<boolean> {
  try {
    // Refuses what the flags do not announce.
    parseAuthenticatorData(authData)
    return await verifySignature({
      signature: bytesOf(base64url(signature)),
      data: Uint8Array.from(Buffer.concat([authData, clientDataHash])),
      credentialPublicKey: bytesOf(passkey.publicKey),
    })
  } catch {
    return false
  }
}

interface ClientData {
  readonly type: unknown
  readonly challenge: unknown
  readonly origin: unknown
  readonly topOrigin?: unknown
}

function parseClientData(clientDataJSON: string): ClientData | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    return typeof parsed === 'object' && parsed !== null ? (parsed as ClientData) : undefined
  } catch {
    return undefined
  }
}

const appOrigin = /^android:apk-key-hash:[A-Za-z0-9_-]{1,128}$/

/** Where a passkey may come from, and the RP ids that it may be for; none are known of an app. */
function parseOrigin(
  text: unknown,
  allowsLocal: boolean,
): { text: string; rpIds?: readonly string[] } | undefined {
  if (typeof text !== 'string' || text.length > 512) return undefined
  if (appOrigin.test(text)) return { text }
  const url = parseUrl(text)
  if (!url) return undefined
  const isLocal = allowsLocal && url.protocol === 'http:' && url.hostname === 'localhost'
  if (!isLocal && url.protocol !== 'https:') return undefined
  const labels = url.hostname.split('.')
  const parents = labels.map((_, index) => labels.slice(index)).filter(({ length }) => length >= 2)
  const rpIds = url.hostname === 'localhost' ? ['localhost'] : parents.map((parent) => parent.join('.'))
  return { text, rpIds }
}

/** The stored origin, or one over https below the RP id. Never a page framed by somebody else. */
function isKnownOrigin({ origin, rpId }: Passkey, clientData: ClientData): boolean {
  if (clientData.topOrigin !== undefined || typeof clientData.origin !== 'string') return false
  if (clientData.origin === origin) return true
  const url = parseUrl(clientData.origin)
  if (rpId === null || url?.protocol !== 'https:') return false
  return url.hostname === rpId || url.hostname.endsWith(`.${rpId}`)
}

/** An origin and nothing behind it. */
function parseUrl(text: string): URL | undefined {
  if (text.length > 512 || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.origin === text ? url : undefined
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'base64url'))
}
