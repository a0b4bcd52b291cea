import { createHash } from 'node:crypto'
import { base64url } from '@corridor/kernel'
import { generateAuthenticationOptions, generateRegistrationOptions } from '@simplewebauthn/server'
import {
  algorithms,
  type PasskeyAssertion,
  type PasskeyAttestation,
  verifyAssertion,
  verifyRegistration,
} from '../../mechanisms/passkeys/index.ts'
import type { Factors } from '../../ports/factors.ts'
import type { PasskeyTerms } from './relying-party.ts'

/**
 * Passkeys as a factor. The customer's verification on the device is required: the device is one factor, what unlocks it
 * the other. Corridor asks for no attestation: the make of a customer's device is nobody's business here.
 */

export interface ScaPasskey {
  readonly credentialId: string
  /** COSE key in base64url; null for one that the sandbox took without a key. */
  readonly publicKey: string | null
  readonly counter: number
}

/** For `navigator.credentials.create()`. `challenge` is base64url. */
export async function creationOptions(start: {
  readonly challenge: string
  readonly party: PasskeyTerms
  readonly userName: string
  readonly userId: string
}): Promise<Record<string, unknown>> {
  const options = await generateRegistrationOptions({
    rpName: start.party.name,
    rpID: start.party.id,
    userName: start.userName,
    userID: new TextEncoder().encode(start.userId),
    challenge: bytesOf(start.challenge),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
  return { ...options }
}

/** For `navigator.credentials.get()`. */
export async function requestOptions(start: {
  readonly challenge: string
  readonly party: PasskeyTerms
  readonly credentialId: string
}): Promise<Record<string, unknown>> {
  const options = await generateAuthenticationOptions({
    rpID: start.party.id,
    challenge: bytesOf(start.challenge),
    allowCredentials: [{ id: asWebAuthnId(start.credentialId) }],
    userVerification: 'required',
  })
  return { ...options }
}

interface Ceremony {
  readonly challenge: string
  /** One of the origins of the platform; the caller has checked that. */
  readonly origin: string
  readonly party: PasskeyTerms
}

/** The passkey that a registration proves, if it does. Data that cannot be read is no proof. */
export async function registerPasskey(
  { madeUpPasskeys }: Factors,
  credential: unknown,
  { challenge, origin, party }: Ceremony,
): Promise<ScaPasskey | undefined> {
  const parts = partsOf(credential, ['clientDataJSON', 'attestationObject'])
  const real =
    parts &&
    (await verifyRegistration(parts as PasskeyAttestation, {
      isChallenge: (given) => given === challenge,
      rpIdsOf: (given) => (given === origin ? [party.id] : undefined),
      requiresUserVerification: true,
    }))
  if (real) return { credentialId: real.credentialId, publicKey: real.publicKey, counter: real.counter }
  const id = madeUpPasskeys?.idOf(credential)
  return id === undefined ? undefined : { credentialId: id, publicKey: null, counter: 0 }
}

/** The passkey with the counter that an assertion leaves it with, if the assertion is its own. */
export async function authenticatePasskey(
  { madeUpPasskeys }: Factors,
  passkey: ScaPasskey,
  assertion: unknown,
  { challenge, origin, party }: Ceremony,
): Promise<ScaPasskey | undefined> {
  const { publicKey } = passkey
  const credentialId = base64url(passkey.credentialId)
  if (publicKey !== null && (!madeUpPasskeys || isSigned(assertion))) {
    const parts = partsOf(assertion, ['clientDataJSON', 'authenticatorData', 'signature'])
    if (!parts) return undefined
    const checked = await verifyAssertion(
      { credentialId, publicKey, counter: passkey.counter },
      parts as PasskeyAssertion,
      {
        isChallenge: (given) => given === challenge,
        isOrigin: (given) => given === origin,
        rpIdHash: createHash('sha256').update(party.id).digest('hex'),
        requiresUserVerification: true,
      },
    )
    return checked.ok ? { ...passkey, counter: checked.value } : undefined
  }
  const id = madeUpPasskeys?.idOf(assertion)
  if (id === undefined) return undefined
  return [passkey.credentialId, asWebAuthnId(passkey.credentialId)].includes(id) ? passkey : undefined
}

const names: Readonly<Record<string, string>> = { clientDataJSON: 'clientDataJson' }

/** The parts of `PublicKeyCredential.toJSON()`; undefined for anything else. */
function partsOf(given: unknown, wanted: readonly string[]): object | undefined {
  const { id, rawId = id, type, response } = (given ?? {}) as Record<string, unknown>
  if (typeof id !== 'string' || typeof rawId !== 'string' || type !== 'public-key') return undefined
  if (base64url(id) !== base64url(rawId) || typeof response !== 'object' || response === null)
    return undefined
  const parts: Record<string, string> = { credentialId: id }
  for (const name of wanted) {
    const part = (response as Record<string, unknown>)[name]
    if (typeof part !== 'string') return undefined
    parts[names[name] ?? name] = part
  }
  return parts
}

const isSigned = (assertion: unknown) =>
  typeof assertion === 'object' && assertion !== null && 'response' in assertion

/** Browsers get ids in base64url. The id of a passkey that is made up may be any text. */
function asWebAuthnId(id: string): string {
  return /^[\w-]+$/.test(id) ? id : Buffer.from(id).toString('base64url')
}

function bytesOf(text: string) {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}
