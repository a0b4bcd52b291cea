import { createHash, timingSafeEqual } from 'node:crypto'
import { base64url, failed, ok, type Result } from '@corridor/kernel'
import { parseAuthenticatorData, verifySignature } from '@simplewebauthn/server/helpers'
import { bytesOf, parseClientData } from './client-data.ts'

/** The parts of a signature, in either alphabet of base64. */
export interface PasskeyAssertion {
  readonly credentialId: string
  readonly clientDataJson: string
  readonly authenticatorData: string
  readonly signature: string
}

export interface AssertionTerms {
  readonly isChallenge: (given: string) => boolean
  readonly isOrigin: (origin: string) => boolean
  /** Hex. */
  readonly rpIdHash: string
  readonly requiresUserVerification: boolean
}

const flags = { userPresent: 0x01, userVerified: 0x04 } as const
const authenticatorDataBytes = 37

/** Checks the signature of a passkey. Returns its new counter, or the check that failed. */
export async function verifyAssertion(
  passkey: { readonly credentialId: string; readonly publicKey: string; readonly counter: number },
  assertion: PasskeyAssertion,
  { isChallenge, isOrigin, rpIdHash, requiresUserVerification }: AssertionTerms,
): Promise<Result<number, string>> {
  if (base64url(assertion.credentialId) !== passkey.credentialId) return failed('Passkey credential mismatch')
  const clientDataJSON = base64url(assertion.clientDataJson)
  const clientData = parseClientData(clientDataJSON)
  const { type, challenge, origin, topOrigin } = clientData ?? {}
  if (type !== 'webauthn.get' || typeof challenge !== 'string' || !isChallenge(challenge)) {
    return failed('Passkey challenge mismatch')
  }
  if (topOrigin !== undefined || typeof origin !== 'string' || !isOrigin(origin)) {
    return failed('Passkey origin mismatch')
  }
  const authData = bytesOf(base64url(assertion.authenticatorData))
  if (authData.length < authenticatorDataBytes) return failed('Passkey RP ID mismatch')
  const isOfRp = timingSafeEqual(authData.subarray(0, 32), Buffer.from(rpIdHash, 'hex'))
  if (!isOfRp) return failed('Passkey RP ID mismatch')
  if ((authData[32]! & flags.userPresent) === 0) return failed('User presence required')
  if (requiresUserVerification && (authData[32]! & flags.userVerified) === 0) {
    return failed('User verification required')
  }
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
  { publicKey }: { readonly publicKey: string },
  { signature }: PasskeyAssertion,
  authData: Uint8Array<ArrayBuffer>,
  clientDataHash: Uint8Array,
): Promise<boolean> {
  try {
    // Refuses data that the flags do not announce.
    parseAuthenticatorData(authData)
    return await verifySignature({
      signature: bytesOf(base64url(signature)),
      data: Uint8Array.from(Buffer.concat([authData, clientDataHash])),
      credentialPublicKey: bytesOf(publicKey),
    })
  } catch {
    return false
  }
}
