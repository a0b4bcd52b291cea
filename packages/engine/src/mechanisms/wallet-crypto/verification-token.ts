import type { Instant } from '@corridor/kernel'
import type { QuorumKey } from '../keys/quorum-keys.ts'

/** What an OTP proved; the holder of `publicKey` stamps it to get the session (wallets 3.4). */
export interface VerifiedOtp {
  readonly id: string
  readonly type: 'EMAIL_OTP' | 'SMS_OTP'
  readonly contact: string
  readonly organizationId: string
  /** Compressed hex of the key that the attempt named. */
  readonly publicKey: string
  readonly issuedAt: Instant
  readonly expiresAt: Instant
}

/**
 * A compact ES256 JWS whose claims are all texts, times in milliseconds, as the strictest client checks it. It
 * is opaque to us: a retry is found by its Request-Id, and nobody reads the token back.
 */
export function verificationToken(otp: VerifiedOtp, signer: QuorumKey): string {
  const header = { alg: 'ES256', kid: 'otp-1', typ: 'JWT' }
  const claims = {
    id: otp.id,
    verification_type: otp.type === 'EMAIL_OTP' ? 'OTP_TYPE_EMAIL' : 'OTP_TYPE_SMS',
    contact: otp.contact,
    organization_id: otp.organizationId,
    public_key: otp.publicKey,
    iat: String(otp.issuedAt),
    exp: String(otp.expiresAt),
  }
  const signed = `${base64url(header)}.${base64url(claims)}`
  return `${signed}.${signer.signRaw(Buffer.from(signed)).toString('base64url')}`
}

function base64url(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
