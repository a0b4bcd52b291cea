import type { Instant } from '@corridor/kernel'

/** What customers prove themselves with, besides codes by SMS (customers 13.2). Nothing here decides or stores. */
export interface Factors {
  readonly totp: TotpCodes
  readonly passkeys: Passkeys
  readonly liveness: FactorLiveness
}

/** Codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). */
export interface TotpCodes {
  /** The address that an app reads from a QR code. */
  uri(secret: Uint8Array, label: { readonly issuer: string; readonly account: string }): string
  /**
   * The time step that a code is of: the one now, or one beside it for clocks that are off. Undefined for a
   * wrong code, and for one of `lastStep` or earlier: a code is good once (RFC 6238, 5.2).
   */
  match(given: {
    readonly secret: Uint8Array
    readonly code: string
    readonly now: Instant
    readonly lastStep: number
  }): number | undefined
}

/** A credential of a customer's device. */
export interface Passkey {
  readonly credentialId: string
  /** COSE key in base64url; null for one that a simulated world took as it was. */
  readonly publicKey: string | null
  /** Its signature counter when it was last seen. */
  readonly counter: number
}

export interface RelyingParty {
  readonly id: string
  readonly name: string
}

/** WebAuthn. Whatever cannot be read is not a proof; nothing throws. */
export interface Passkeys {
  /** For navigator.credentials.create(). `challenge` is base64url. */
  creationOptions(start: {
    readonly challenge: string
    readonly relyingParty: RelyingParty
    readonly userName: string
    readonly userId: string
  }): Promise<Record<string, unknown>>
  /** For navigator.credentials.get(). */
  requestOptions(start: {
    readonly challenge: string
    readonly relyingPartyId: string
    readonly credentialId: string
  }): Promise<Record<string, unknown>>
  /** The passkey that a registration proves, if it does. */
  register(registration: Ceremony & { readonly credential: unknown }): Promise<Passkey | undefined>
  /** The passkey with the counter that an assertion leaves it with, if it is its own. */
  authenticate(
    authentication: Ceremony & { readonly assertion: unknown; readonly passkey: Passkey },
  ): Promise<Passkey | undefined>
}

/** What both ceremonies are held against. */
export interface Ceremony {
  readonly challenge: string
  /** One of the origins that the platform's people use; checked before. */
  readonly origin: string
  readonly relyingPartyId: string
}

/** Proves that a person who lost a factor is still the same one (customers 13.6). */
export interface FactorLiveness {
  /** Opens a session; what is absent is not offered. `resetId` is the provider's idempotency key. */
  start(session: LivenessOfReset): Promise<{ readonly accessToken?: string; readonly link?: string }>
  /** What has become of the session; undefined: nothing yet. */
  outcome(session: LivenessOfReset & { readonly reads: number }): Promise<FactorLivenessOutcome | undefined>
}

export interface LivenessOfReset {
  readonly resetId: string
  /** The first full name that the customer gave. */
  readonly originalName: string | undefined
}

export type FactorLivenessOutcome = 'PASSED' | 'PENDING_REVIEW' | 'REJECTED'
