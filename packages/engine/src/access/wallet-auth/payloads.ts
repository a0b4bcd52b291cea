import { createHash } from 'node:crypto'
import type { Instant } from '@corridor/kernel'
import { activityPayload } from '../../mechanisms/signed-requests/index.ts'
import type { WalletIdentity } from '../../platform/internal-accounts/index.ts'
import type { AuthMethod, OtpType } from '../../platform/wallet-credentials/index.ts'
import type { OauthCreateRequest, PasskeyCreateRequest } from './credential-schemas.ts'

/** What is signed for changes of credentials and sessions (wallets 4.3). Opaque to clients. */
interface Signer {
  readonly names: WalletIdentity
  readonly now: Instant
}

function activity({ names, now }: Signer, type: string, parameters: Record<string, unknown>): string {
  const { organizationId, userId } = names
  return activityPayload({
    type,
    timestampMs: now,
    organizationId,
    parameters: { ...parameters, userId },
  })
}

/** S1 and S2 of one-time passwords; taking one away sets its contact to nothing. */
export function contactPayload(signer: Signer, type: OtpType, contact: string): string {
  return type === 'EMAIL_OTP'
    ? activity(signer, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userEmail: contact })
    : activity(signer, 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER', { userPhoneNumber: contact })
}

export function oauthPayload(signer: Signer, { oidcToken }: OauthCreateRequest, issuer: string): string {
  const providerName = providerNames[issuer] ?? hostOf(issuer)
  return activity(signer, 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS', {
    oauthProviders: [{ oidcToken, providerName }],
  })
}

const providerNames: Readonly<Record<string, string>> = {
  'https://accounts.google.com': 'Google',
  'accounts.google.com': 'Google',
  'https://appleid.apple.com': 'Apple',
}

function hostOf(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).host : issuer
}

export function passkeyPayload(signer: Signer, request: PasskeyCreateRequest, nickname: string): string {
  const { attestation, challenge } = request
  const { attestationObject, clientDataJson, credentialId, transports = [] } = attestation
  const authenticator = {
    attestation: { attestationObject, clientDataJson, credentialId },
    authenticatorName: nickname,
    challenge,
    transports,
  }
  return activity(signer, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', { authenticators: [authenticator] })
}

export function revokePayload(signer: Signer, { id, type }: AuthMethod): string {
  if (type === 'PASSKEY') {
    return activity(signer, 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS', { authenticatorIds: [id] })
  }
  if (type === 'OAUTH') {
    return activity(signer, 'ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS', { providerIds: [id] })
  }
  return contactPayload(signer, type, '')
}

export function endSessionPayload(signer: Signer, sessionId: string): string {
  return activity(signer, 'ACTIVITY_TYPE_DELETE_API_KEYS', { apiKeyIds: [sessionId] })
}

/** The creation of a session: signed for a refresh, and hashed into the challenge of a passkey. */
export function sessionPayload({ names, now }: Signer, clientPublicKey: string): string {
  return activityPayload({
    type: 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
    timestampMs: now,
    organizationId: names.organizationId,
    parameters: { targetPublicKey: clientPublicKey },
  })
}

/** 64 hex digits, whose text is what the authenticator signs (wallets 3.6). */
export function passkeyChallenge(signer: Signer, clientPublicKey: string): string {
  return createHash('sha256').update(sessionPayload(signer, clientPublicKey)).digest('hex')
}
