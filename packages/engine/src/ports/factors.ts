import type { Instant } from '@corridor/kernel'

/** What customers prove themselves with, besides codes by SMS (customers 13.2). Nothing here decides or stores. */
export interface Factors {
  readonly totp: TotpCodes
  /** Passkeys without an authenticator, for trying the flow. Absent: each passkey has to be a real one. */
  readonly madeUpPasskeys?: MadeUpPasskeys
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

/** Takes everything that has an id for a passkey of that id, which every object with the id answers for. */
export interface MadeUpPasskeys {
  idOf(credential: unknown): string | undefined
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
