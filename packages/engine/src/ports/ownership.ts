import type { Instant } from '@corridor/kernel'
import type { CryptoNetwork } from '../reference/account-types/index.ts'

/** Proves that somebody controls the keys of a wallet (accounts 4.9). */
export interface OwnershipVerifier {
  /** Whether the key behind `address` signed exactly `message`. Whatever cannot be read is not a signature. */
  verifySignature(proof: SignatureProof): Promise<boolean>
  /** Opens a session with a liveness provider; undefined where this installation has none. */
  startLiveness(session: LivenessSession, now: Instant): Promise<LivenessStart | undefined>
  /** What has become of a session. */
  fetchLiveness(session: LivenessSession, now: Instant): Promise<LivenessOutcome>
}

export interface SignatureProof {
  readonly network: CryptoNetwork
  readonly address: string
  readonly message: string
  readonly signature: string
  /** How a Bitcoin-style signature is laid out; the other networks have one form. */
  readonly scheme: 'bip137' | 'electrum'
}

export interface LivenessSession {
  /** Ours, and the provider's idempotency key. */
  readonly challengeId: string
  readonly address: string
  readonly startedAt: Instant
}

export interface LivenessStart {
  /** For the owner of the wallet to open. */
  readonly verificationLink: string
  /** For providers whose kit is embedded instead of linked to. */
  readonly token?: string
  readonly checkAt: Instant
}

export type LivenessOutcome =
  | { readonly status: 'PENDING'; readonly checkAt: Instant }
  | { readonly status: 'PASSED' }
  | { readonly status: 'FAILED' }
