import { createECDH, createHash, createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto'

/** Bytes as text (UTF-8), or as they are. */
type Bytes = string | Uint8Array

/** A passkey without hardware: everything an authenticator and a browser do together, for tests. */
export interface SoftwarePasskey {
  /** base64url. */
  readonly credentialId: string
  /** The public key as authenticators give it out (COSE, ES256). */
  readonly publicKey: Uint8Array
  /** How often it has signed: the signature counter that the next signature exceeds by one. */
  readonly signatures: number
  /** The parts of a registration, each in base64url. `challenge` is what `navigator.credentials.create` gets. */
  attest(ceremony: Ceremony): Attestation
  /** The parts of a signature, each in base64url. */
  assert(ceremony: Ceremony & AssertionFlaws): Assertion
  /** `PublicKeyCredential.toJSON()` of a registration, from the creation options of a server. */
  register(options: RegistrationOptions, origin: string): RegistrationCredential
  /** The same of a signature, from the request options of a server. */
  authenticate(
    options: AuthenticationOptions,
    origin: string,
    flaws?: AssertionFlaws,
  ): AuthenticationCredential
}

export interface Ceremony {
  /** As the authenticator gets it: bytes, or text of which it gets the UTF-8 bytes. */
  readonly challenge: Bytes
  readonly origin: string
  readonly rpId: string
}

/** What an attacker, or a broken authenticator, would do differently. */
export interface AssertionFlaws {
  /** Sent instead of the next one: a copy of the key does not know how often the original has signed. */
  readonly counter?: number
  readonly userPresent?: boolean
}

export interface Attestation {
  readonly credentialId: string
  readonly clientDataJson: string
  readonly attestationObject: string
}

export interface Assertion {
  readonly credentialId: string
  readonly clientDataJson: string
  readonly authenticatorData: string
  readonly signature: string
}

interface RegistrationOptions {
  /** base64url. */
  readonly challenge: string
  readonly rp: { readonly id?: string }
}

interface AuthenticationOptions {
  /** base64url. */
  readonly challenge: string
  readonly rpId?: string
}

export type RegistrationCredential = ReturnType<typeof registrationCredential>
export type AuthenticationCredential = ReturnType<typeof authenticationCredential>

const userPresent = 0x01
const userVerified = 0x04
const hasCredential = 0x40

/**
 * A new passkey; the same one again for the same seed. `privateKey` is a scalar of P-256, for published
 * vectors.
 */
export function softwarePasskey({
  seed,
  privateKey = seed === undefined ? randomBytes(32) : hash(`passkey ${seed}`),
  credentialId = hash(Buffer.concat([Buffer.from('credential '), privateKey])),
}: {
  readonly seed?: string
  readonly privateKey?: Uint8Array
  readonly credentialId?: Uint8Array
} = {}): SoftwarePasskey {
  const { key, x, y } = keyPair(privateKey)
  const publicKey = coseKey(x, y)
  const id = encode(credentialId)
  let signatures = 0

  const passkey: SoftwarePasskey = {
    credentialId: id,
    publicKey,
    get signatures() {
      return signatures
    },
    attest({ challenge, origin, rpId }) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const aaguid = Buffer.alloc(16)
      const authData = Buffer.concat([
        authenticatorData(rpId, userPresent | userVerified | hasCredential, signatures),
        aaguid,
        length,
        credentialId,
        publicKey,
      ])
      return {
        credentialId: id,
        clientDataJson: encode(clientData('webauthn.create', challenge, origin)),
        attestationObject: encode(attestationObject(authData)),
      }
    },
    assert({ challenge, origin, rpId, counter, userPresent: isPresent = true }) {
      signatures += 1
      const flags = isPresent ? userPresent | userVerified : 0
      const authData = authenticatorData(rpId, flags, counter ?? signatures)
      const client = clientData('webauthn.get', challenge, origin)
      return {
        credentialId: id,
        clientDataJson: encode(client),
        authenticatorData: encode(authData),
        signature: encode(sign('sha256', Buffer.concat([authData, hash(client)]), key)),
      }
    },
    register({ challenge, rp }, origin) {
      const rpId = rp.id ?? new URL(origin).hostname
      return registrationCredential(
        passkey.attest({ challenge: Buffer.from(challenge, 'base64url'), origin, rpId }),
      )
    },
    authenticate({ challenge, rpId = '' }, origin, flaws = {}) {
      return authenticationCredential(
        passkey.assert({
          challenge: Buffer.from(challenge, 'base64url'),
          origin,
          rpId: rpId || new URL(origin).hostname,
          ...flaws,
        }),
      )
    },
  }
  return passkey
}

function registrationCredential({ credentialId, clientDataJson, attestationObject }: Attestation) {
  return {
    id: credentialId,
    rawId: credentialId,
    type: 'public-key' as const,
    response: { clientDataJSON: clientDataJson, attestationObject, transports: ['internal'] },
    clientExtensionResults: {},
  }
}

function authenticationCredential({ credentialId, clientDataJson, authenticatorData, signature }: Assertion) {
  return {
    id: credentialId,
    rawId: credentialId,
    type: 'public-key' as const,
    response: { clientDataJSON: clientDataJson, authenticatorData, signature },
    clientExtensionResults: {},
  }
}

function clientData(type: 'webauthn.create' | 'webauthn.get', challenge: Bytes, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge: encode(challenge), origin, crossOrigin: false }))
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([hash(rpId), Buffer.from([flags]), count])
}

function keyPair(privateKey: Uint8Array): { key: KeyObject; x: Buffer; y: Buffer } {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(privateKey)
  const point = pair.getPublicKey()
  const x = point.subarray(1, 33)
  const y = point.subarray(33)
  const jwk = { kty: 'EC', crv: 'P-256', d: encode(privateKey), x: encode(x), y: encode(y) }
  return { key: createPrivateKey({ key: jwk, format: 'jwk' }), x, y }
}

/** CBOR: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}. */
function coseKey(x: Buffer, y: Buffer): Buffer {
  const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x58, value.length]), value])
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(x),
    Buffer.from([0x22]),
    bytes(y),
  ])
}

/** CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}. */
function attestationObject(authData: Buffer): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x58, authData.length]),
    authData,
  ])
}

function hash(bytes: Bytes): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function encode(bytes: Bytes): string {
  return Buffer.from(bytes as Uint8Array).toString('base64url')
}
