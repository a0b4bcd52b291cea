import Type from 'typebox'
import { type Operation, operation } from '../../vocabulary/operation.ts'
import { idOf, repeatable, SignedRequestChallenge, signedRetryHeaders } from '../../vocabulary/shapes.ts'
import {
  AuthCredentialChallengeRequest,
  AuthCredentialCreateRequest,
  AuthCredentialList,
  AuthCredentialResponse,
  AuthCredentialVerifyRequest,
  AuthMethodResponse,
  AuthSession,
  AuthSessionRefreshRequest,
  AuthSignedRequestChallenge,
  SessionList,
} from './credential-schemas.ts'

const tag = 'Embedded Wallet Auth'
const path = Type.Object({ id: Type.String() })
const ofAccount = Type.Object({ accountId: repeatable(idOf('InternalAccount')) })
const changing = ['TRANSACT', 'MANAGE'] as const
const asks =
  'The first response is 202. Sign `payloadToSign` from this response and repeat the request with the headers `Service-Wallet-Signature` and `Request-Id`.'

/** The refusals of the second leg of a signed action (wallets 4). */
export const signedErrors = [
  'REQUEST_ID_MISSING',
  'WALLET_SIGNATURE_MISSING',
  'WALLET_SIGNATURE_MALFORMED',
  'WALLET_SIGNATURE_BODY_MISMATCH',
  'WALLET_SIGNATURE_INVALID',
] as const satisfies Operation['errors']

export const listAuthCredentials = operation({
  id: 'listAuthCredentials',
  method: 'GET',
  path: '/auth/credentials',
  tag,
  summary: 'List the credentials of an embedded wallet',
  description:
    'Returns all credentials on one page, oldest first. The list is empty if the account does not belong to your platform.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: ofAccount,
  responses: { 200: AuthCredentialList },
  errors: [],
})

export const createAuthCredential = operation({
  id: 'createAuthCredential',
  method: 'POST',
  path: '/auth/credentials',
  tag,
  summary: 'Add a credential to an embedded wallet',
  description: `The first credential of a wallet needs no signature. Every later credential needs the signature of a session. ${asks}`,
  auth: 'basic',
  permissions: changing,
  headers: signedRetryHeaders,
  body: AuthCredentialCreateRequest,
  responses: { 201: AuthMethodResponse, 202: AuthSignedRequestChallenge },
  errors: [
    ...signedErrors,
    'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS',
    'SMS_OTP_CREDENTIAL_ALREADY_EXISTS',
    'PASSKEY_CREDENTIAL_ALREADY_EXISTS',
    'REFERENCE_NOT_FOUND',
  ],
  example: { type: 'EMAIL_OTP', accountId: 'InternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70' },
})

export const revokeAuthCredential = operation({
  id: 'revokeAuthCredential',
  method: 'DELETE',
  path: '/auth/credentials/{id}',
  tag,
  summary: 'Revoke a credential and its sessions',
  description: `Requires the signature of a session that another credential opened. You cannot revoke the last credential of a wallet. ${asks}`,
  auth: 'basic',
  permissions: changing,
  params: path,
  headers: signedRetryHeaders,
  responses: { 202: AuthSignedRequestChallenge, 204: null },
  errors: ['INVALID_INPUT', ...signedErrors, 'REFERENCE_NOT_FOUND'],
})

export const challengeAuthCredential = operation({
  id: 'challengeAuthCredential',
  method: 'POST',
  path: '/auth/credentials/{id}/challenge',
  tag,
  summary: 'Request a one-time password or a passkey challenge',
  description:
    'For a one-time password, Corridor sends the password to the contact on file and returns the key with which you encrypt the password. For a passkey, clientPublicKey is required.',
  auth: 'basic',
  permissions: changing,
  params: path,
  body: AuthCredentialChallengeRequest,
  bodyOptional: true,
  responses: { 200: AuthCredentialResponse },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const verifyAuthCredential = operation({
  id: 'verifyAuthCredential',
  method: 'POST',
  path: '/auth/credentials/{id}/verify',
  tag,
  summary: 'Sign in to an embedded wallet',
  description:
    'A passkey or an OpenID token opens a session immediately. For a passkey, send the id of the challenge in Request-Id. For a one-time password, the first response is 202. Sign payloadToSign with the key that you encrypted together with the code, then repeat the request with the headers `Service-Wallet-Signature` and `Request-Id`.',
  auth: 'basic',
  permissions: changing,
  params: path,
  headers: signedRetryHeaders,
  body: AuthCredentialVerifyRequest,
  responses: { 200: AuthSession, 202: AuthSignedRequestChallenge },
  errors: [...signedErrors, 'REFERENCE_NOT_FOUND'],
  secretFields: ['encryptedSessionSigningKey'],
})

export const listAuthSessions = operation({
  id: 'listAuthSessions',
  method: 'GET',
  path: '/auth/sessions',
  tag,
  summary: 'List the active sessions of an embedded wallet',
  description: 'Returns all active sessions on one page, newest first, without their keys.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: ofAccount,
  responses: { 200: SessionList },
  errors: [],
})

export const revokeAuthSession = operation({
  id: 'revokeAuthSession',
  method: 'DELETE',
  path: '/auth/sessions/{id}',
  tag,
  summary: 'End a session',
  description: `Requires the signature of any active session of the wallet, including the session that you end. ${asks}`,
  auth: 'basic',
  permissions: changing,
  params: path,
  headers: signedRetryHeaders,
  responses: { 202: AuthSignedRequestChallenge, 204: null },
  errors: ['INVALID_INPUT', ...signedErrors, 'REFERENCE_NOT_FOUND'],
})

export const refreshAuthSession = operation({
  id: 'refreshAuthSession',
  method: 'POST',
  path: '/auth/sessions/{id}/refresh',
  tag,
  summary: 'Refresh a session',
  description: `Opens a new session. Requires the signature of the current session. The current session keeps its own expiry. ${asks}`,
  auth: 'basic',
  permissions: changing,
  params: path,
  headers: signedRetryHeaders,
  body: AuthSessionRefreshRequest,
  responses: { 201: AuthSession, 202: SignedRequestChallenge },
  errors: [...signedErrors, 'REFERENCE_NOT_FOUND'],
  secretFields: ['encryptedSessionSigningKey'],
})
