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
const asks = 'Answers 202 first: sign payloadToSign and repeat the request with both headers.'

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
  description: 'All of them, oldest first. An account that is none of yours has none.',
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
  description: `The first one of a wallet is added at once. Every other takes the signature of a session. ${asks}`,
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
  description: `Takes a session that another credential issued; the last credential stays. ${asks}`,
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
  summary: 'Ask for a one-time password or a passkey challenge',
  description:
    'A one-time password goes to the contact on file; the answer holds the key to seal it to. A passkey needs clientPublicKey.',
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
    'A passkey or an OpenID token opens a session at once; a passkey names its challenge in Request-Id. A one-time password answers 202 first: sign payloadToSign with the key that was sealed with the code, and repeat the request with both headers.',
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
  description: 'All of them, newest first, without keys.',
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
  description: `Takes the signature of any active session of the wallet, its own included. ${asks}`,
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
  summary: 'Open a new session before the old one ends',
  description: `Takes the signature of the session itself, which goes on until its own end. ${asks}`,
  auth: 'basic',
  permissions: changing,
  params: path,
  headers: signedRetryHeaders,
  body: AuthSessionRefreshRequest,
  responses: { 201: AuthSession, 202: SignedRequestChallenge },
  errors: [...signedErrors, 'REFERENCE_NOT_FOUND'],
  secretFields: ['encryptedSessionSigningKey'],
})
