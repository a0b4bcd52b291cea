import Type, { type Static } from 'typebox'
import { authMethodTypes } from '../../platform/wallet-credentials/index.ts'
import {
  enumOf,
  extend,
  idOf,
  partOf,
  SignedRequestChallenge,
  taggedUnion,
  timestamp,
} from '../../vocabulary/shapes.ts'

export const AuthMethodType = enumOf([...authMethodTypes], { $id: 'AuthMethodType' })

const nickname = Type.String({ examples: ['ana.lopez@example.com'] })
const webauthnId = Type.String({ description: 'WebAuthn id of a passkey.' })

const fields = {
  id: idOf('AuthMethod'),
  accountId: idOf('InternalAccount'),
  type: AuthMethodType,
  credentialId: Type.Optional(webauthnId),
  nickname,
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

/** A credential as lists show it. `credentialId` is a passkey's alone. */
export const AuthMethod = Type.Object(fields, { $id: 'AuthMethod' })
export type AuthMethodWire = Static<typeof AuthMethod>

const bundle = {
  otpEncryptionTargetBundle: Type.Optional(
    Type.String({
      description:
        'JSON in a string with the key to which the client encrypts the code. Present only right after Corridor sent a code.',
    }),
  ),
}

export const AuthMethodResponse = Type.Object({ ...fields, ...bundle }, { $id: 'AuthMethodResponse' })

/** The two shapes of a challenge are told apart by their members, so neither has one more. */
const OtpAuthChallenge = Type.Object(
  { ...fields, type: partOf(AuthMethodType, 'EMAIL_OTP', 'SMS_OTP'), ...bundle },
  { $id: 'OtpAuthChallenge', additionalProperties: false },
)

const PasskeyAuthChallenge = Type.Object(
  {
    ...fields,
    type: partOf(AuthMethodType, 'PASSKEY'),
    credentialId: webauthnId,
    challenge: Type.String({
      description: '64 hex digits. Pass the text to the authenticator as bytes, without decoding the digits.',
    }),
    requestId: idOf('Request'),
    expiresAt: timestamp(),
  },
  { $id: 'PasskeyAuthChallenge' },
)

export const AuthCredentialResponse = taggedUnion('type', [OtpAuthChallenge, PasskeyAuthChallenge], {
  $id: 'AuthCredentialResponseOneOf',
})

export const AuthCredentialList = Type.Object(
  { data: Type.Array(AuthMethod) },
  { $id: 'AuthCredentialListResponse' },
)

export const AuthSignedRequestChallenge = extend(
  SignedRequestChallenge,
  { type: AuthMethodType },
  { $id: 'AuthSignedRequestChallenge' },
)

export const AuthSession = Type.Object(
  {
    ...fields,
    id: idOf('Session'),
    encryptedSessionSigningKey: Type.Optional(
      Type.String({
        deprecated: true,
        description:
          'Private key of the session, encrypted to an uncompressed clientPublicKey. Only this response contains the key. Absent if the clientPublicKey was compressed.',
      }),
    ),
    expiresAt: timestamp(),
  },
  { $id: 'AuthSession' },
)
export type AuthSessionWire = Static<typeof AuthSession>

export const SessionList = Type.Object({ data: Type.Array(AuthSession) }, { $id: 'SessionListResponse' })

// Requests. Lengths are bounds on what is parsed, far above what clients send.

/** Compressed keeps the session key with the client; uncompressed has one made and sealed (wallets 1). */
export const clientPublicKey = Type.String({
  pattern: '^(0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128})$',
  minLength: 66,
  maxLength: 130,
  description:
    'P-256 public key, in hex. A compressed key becomes the session key. If the key is uncompressed, Corridor creates a session key and encrypts it to your key.',
})

const accountId = idOf('InternalAccount')
const webauthnText = (maxLength: number) => Type.String({ minLength: 1, maxLength, description: 'base64url' })
const oidcToken = Type.String({ minLength: 1, maxLength: 16_384 })

const OtpCreate = (type: 'EMAIL_OTP' | 'SMS_OTP', $id: string) =>
  Type.Object({ type: partOf(AuthMethodType, type), accountId }, { $id })

const OauthCreate = Type.Object(
  { type: partOf(AuthMethodType, 'OAUTH'), accountId, oidcToken },
  { $id: 'OauthCredentialCreateRequest' },
)

const PasskeyAttestation = Type.Object(
  {
    credentialId: webauthnText(2048),
    clientDataJson: webauthnText(8192),
    attestationObject: webauthnText(16_384),
    transports: Type.Optional(
      Type.Array(enumOf(['usb', 'nfc', 'ble', 'internal', 'hybrid']), { maxItems: 5 }),
    ),
  },
  { $id: 'PasskeyAttestation' },
)

const PasskeyCreate = Type.Object(
  {
    type: partOf(AuthMethodType, 'PASSKEY'),
    accountId,
    nickname: Type.String({
      maxLength: 512,
      description: "Up to 100 letters, digits and . _ - ' ( ).",
      examples: ['iPhone Face-ID'],
    }),
    challenge: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'Challenge that the authenticator received when it created the passkey, in base64url.',
    }),
    attestation: PasskeyAttestation,
  },
  { $id: 'PasskeyCredentialCreateRequest' },
)

export const AuthCredentialCreateRequest = taggedUnion(
  'type',
  [
    OtpCreate('EMAIL_OTP', 'EmailOtpCredentialCreateRequest'),
    OtpCreate('SMS_OTP', 'SmsOtpCredentialCreateRequest'),
    OauthCreate,
    PasskeyCreate,
  ],
  { $id: 'AuthCredentialCreateRequestOneOf' },
)
export type AuthCredentialCreateRequest = Static<typeof AuthCredentialCreateRequest>
export type PasskeyCreateRequest = Static<typeof PasskeyCreate>
export type OauthCreateRequest = Static<typeof OauthCreate>

export const AuthCredentialChallengeRequest = Type.Object(
  { clientPublicKey: Type.Optional(clientPublicKey) },
  { $id: 'AuthCredentialChallengeRequest' },
)

const encryptedOtpBundle = Type.String({
  minLength: 1,
  maxLength: 8192,
  description:
    'JSON in a string, {encappedPublic, ciphertext}. The ciphertext contains the code and the session key, encrypted with HPKE.',
})
const OtpVerify = (type: 'EMAIL_OTP' | 'SMS_OTP', $id: string) =>
  Type.Object({ type: partOf(AuthMethodType, type), encryptedOtpBundle }, { $id })

const OauthVerify = Type.Object(
  { type: partOf(AuthMethodType, 'OAUTH'), oidcToken, clientPublicKey },
  { $id: 'OauthCredentialVerifyRequest' },
)
export type OauthVerifyRequest = Static<typeof OauthVerify>

const PasskeyVerify = Type.Object(
  {
    type: partOf(AuthMethodType, 'PASSKEY'),
    assertion: Type.Object(
      {
        credentialId: webauthnText(2048),
        clientDataJson: webauthnText(8192),
        authenticatorData: webauthnText(4096),
        signature: webauthnText(4096),
        userHandle: Type.Optional(Type.String({ maxLength: 1024 })),
      },
      { $id: 'PasskeyAssertion' },
    ),
  },
  { $id: 'PasskeyCredentialVerifyRequest' },
)
export type PasskeyVerifyRequest = Static<typeof PasskeyVerify>

export const AuthCredentialVerifyRequest = taggedUnion(
  'type',
  [
    OtpVerify('EMAIL_OTP', 'EmailOtpCredentialVerifyRequest'),
    OtpVerify('SMS_OTP', 'SmsOtpCredentialVerifyRequest'),
    OauthVerify,
    PasskeyVerify,
  ],
  { $id: 'AuthCredentialVerifyRequestOneOf' },
)
export type AuthCredentialVerifyRequest = Static<typeof AuthCredentialVerifyRequest>

export const AuthSessionRefreshRequest = Type.Object(
  { clientPublicKey },
  { $id: 'AuthSessionRefreshRequest' },
)
