import type { Passkeys } from '@corridor/engine/ports/factors.ts'
import { base64url } from '@corridor/kernel'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'

/** ES256, EdDSA and RS256: what authenticators make. */
const algorithms = [-7, -8, -257]

/**
 * WebAuthn by the standard. User verification is required: the device is one factor, what unlocks it the
 * other. Attestation is not asked for; which make of device a customer has is nobody's business here.
 */
export const webAuthnPasskeys: Passkeys = {
  async creationOptions({ challenge, relyingParty, userName, userId }) {
    const options = await generateRegistrationOptions({
      rpName: relyingParty.name,
      rpID: relyingParty.id,
      userName,
      userID: new TextEncoder().encode(userId),
      challenge: bytesOf(challenge),
      attestationType: 'none',
      supportedAlgorithmIDs: algorithms,
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    })
    return { ...options }
  },
  async requestOptions({ challenge, relyingPartyId, credentialId }) {
    const options = await generateAuthenticationOptions({
      rpID: relyingPartyId,
      challenge: bytesOf(challenge),
      allowCredentials: [{ id: credentialId }],
      userVerification: 'required',
    })
    return { ...options }
  },
  async register({ credential, challenge, origin, relyingPartyId }) {
    try {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: readResponse(credential) as Parameters<typeof verifyRegistrationResponse>[0]['response'],
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: relyingPartyId,
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      })
      if (!verified || !registrationInfo) return undefined
      const { id, publicKey, counter } = registrationInfo.credential
      if (id !== readResponse(credential)?.id) return undefined
      return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter }
    } catch {
      // The library throws for every check that fails, as for what it cannot read.
      return undefined
    }
  },
  async authenticate({ assertion, challenge, origin, relyingPartyId, passkey }) {
    const { credentialId, publicKey, counter } = passkey
    const response = readResponse(assertion) as
      | Parameters<typeof verifyAuthenticationResponse>[0]['response']
      | undefined
    if (publicKey === null || response?.id !== base64url(credentialId)) return undefined
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: relyingPartyId,
        requireUserVerification: true,
        credential: { id: base64url(credentialId), publicKey: new Uint8Array(bytesOf(publicKey)), counter },
      })
      return verified ? { ...passkey, counter: authenticationInfo.newCounter } : undefined
    } catch {
      return undefined
    }
  },
}

/**
 * What a browser made, in one alphabet: many clients encode it as standard base64, of whose `+` and `/` the library makes
 * zero bits without a word.
 */
function readResponse(given: unknown): { readonly id?: unknown } | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const encoded = ([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' && name !== 'type' ? base64url(value) : value,
  ]
  const { response, id, rawId = id, ...others } = given as Record<string, unknown>
  return {
    ...others,
    ...Object.fromEntries([encoded(['id', id]), encoded(['rawId', rawId])]),
    response:
      typeof response === 'object' && response !== null
        ? Object.fromEntries(Object.entries(response).map(encoded))
        : response,
  }
}

function bytesOf(text: string) {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}
