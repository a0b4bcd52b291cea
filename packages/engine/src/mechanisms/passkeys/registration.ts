import { createPublicKey } from 'node:crypto'
import { base64url } from '@corridor/kernel'
import { verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject, decodeCredentialPublicKey, isoCBOR } from '@simplewebauthn/server/helpers'
import { bytesOf, parseClientData } from './client-data.ts'

/** The parts of a new passkey, in either alphabet of base64: clients use both. */
export interface PasskeyAttestation {
  readonly credentialId: string
  readonly clientDataJson: string
  readonly attestationObject: string
}

export interface RegistrationTerms {
  readonly isChallenge: (given: string) => boolean
  /** The RP ids that passkeys of this origin may be for. `ANY` for an app, of which only the hash is known. */
  readonly rpIdsOf: (origin: unknown) => readonly string[] | 'ANY' | undefined
  readonly requiresUserVerification: boolean
}

/** A passkey as it registered: enough to check assertions, nothing that could make one. */
export interface RegisteredPasskey {
  /** base64url without padding, as the authenticator named itself. */
  readonly credentialId: string
  /** COSE key, base64url. */
  readonly publicKey: string
  readonly counter: number
  /** The matched RP id; null for `ANY`. */
  readonly rpId: string | null
  /** Hex. */
  readonly rpIdHash: string
  readonly origin: string
}

/** ES256, EdDSA and RS256: what authenticators make. */
export const algorithms = [-7, -8, -257]

/** Checks the attestation of a new passkey. Undefined for everything that does not fit, or cannot be read. */
export async function verifyRegistration(
  attestation: PasskeyAttestation,
  { isChallenge, rpIdsOf, requiresUserVerification }: RegistrationTerms,
): Promise<RegisteredPasskey | undefined> {
  try {
    const clientDataJSON = base64url(attestation.clientDataJson)
    const clientData = parseClientData(clientDataJSON)
    const rpIds = rpIdsOf(clientData?.origin)
    if (!clientData || rpIds === undefined || clientData.topOrigin !== undefined) return undefined
    const origin = clientData.origin as string
    const id = base64url(attestation.credentialId)
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
      expectedChallenge: isChallenge,
      expectedOrigin: origin,
      ...(rpIds === 'ANY' ? {} : { expectedRPID: [...rpIds] }),
      requireUserVerification: requiresUserVerification,
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
      origin,
    }
  } catch {
    // The library throws for every check that fails, and for data that it cannot read.
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
 * The attestation without a chain of certificates: Corridor trusts no manufacturer more than another, and
 * checking a chain would fetch revocation lists from addresses that stand in the certificate itself.
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
