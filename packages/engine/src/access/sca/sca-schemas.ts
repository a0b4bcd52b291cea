import Type, { type Static } from 'typebox'
import {
  enumOf,
  idOf,
  nullable,
  openObject,
  partOf,
  plainText,
  taggedUnion,
  timestamp,
} from '../../vocabulary/shapes.ts'
import { ScaChallenge, ScaFactor } from './challenge-schemas.ts'

const code = (options?: object) => plainText({ examples: ['123456'], ...options })
const origin = (options?: object) =>
  Type.String({ maxLength: 2048, examples: ['https://app.example.com'], ...options })
const ipAddress = () =>
  Type.String({
    maxLength: 64,
    description: "Address of the customer's device, not of your server.",
    examples: ['203.0.113.42'],
  })
const assertion = () => openObject({ description: 'Result of navigator.credentials.get(), as JSON.' })

// A part of the body that proves something: exactly one of `code`, and `passkeyAssertion` with `origin`.
const proofFields = {
  code: Type.Optional(nullable(code())),
  passkeyAssertion: Type.Optional(nullable(assertion())),
  origin: Type.Optional(nullable(origin({ description: 'Origin of the page that used the passkey.' }))),
}

export const ScaAuthorization = Type.Object(
  { ...proofFields, endUserIpAddress: Type.Optional(nullable(ipAddress())) },
  { $id: 'ScaAuthorization', description: 'Exactly one proof for the factor that the challenge names.' },
)
export type ScaAuthorization = Static<typeof ScaAuthorization>

export const BeneficiaryTrustStartRequest = Type.Object(
  { scaFactor: Type.Optional(ScaFactor) },
  { $id: 'BeneficiaryTrustStartRequest' },
)
export type BeneficiaryTrustStartRequest = Static<typeof BeneficiaryTrustStartRequest>

export const BeneficiaryTrustStart = Type.Object(
  { scaChallenge: Type.Optional(ScaChallenge) },
  { $id: 'BeneficiaryTrustStart' },
)

export const BeneficiaryTrustConfirmRequest = Type.Object(
  { challengeId: Type.Optional(nullable(plainText())), ...proofFields },
  {
    $id: 'BeneficiaryTrustConfirmRequest',
    anyOf: [{ required: ['code'] }, { required: ['passkeyAssertion', 'origin'] }],
  },
)
export type BeneficiaryTrustConfirmRequest = Static<typeof BeneficiaryTrustConfirmRequest>

export const BeneficiaryTrustConfirm = Type.Object(
  { trusted: Type.Boolean() },
  { $id: 'BeneficiaryTrustConfirm' },
)

// Factors

const ScaFactorView = Type.Object(
  {
    factor: ScaFactor,
    credentialId: Type.Optional(
      Type.String({ description: 'WebAuthn id of the passkey. Present only for a passkey.' }),
    ),
    name: Type.Optional(Type.String()),
  },
  { $id: 'ScaFactorView' },
)

export const ScaFactorList = Type.Object({ factors: Type.Array(ScaFactorView) }, { $id: 'ScaFactorList' })

const totp = () => partOf(ScaFactor, 'TOTP')
const passkey = () => partOf(ScaFactor, 'PASSKEY')

export const ScaFactorEnrollRequest = taggedUnion(
  'type',
  [
    Type.Object({ type: totp() }, { $id: 'TotpFactorEnrollRequest' }),
    Type.Object({ type: passkey() }, { $id: 'PasskeyFactorEnrollRequest' }),
  ],
  { $id: 'ScaFactorEnrollRequestOneOf' },
)

export const ScaFactorEnrollStart = taggedUnion(
  'type',
  [
    Type.Object(
      {
        type: totp(),
        secret: Type.String({
          description: 'Secret in hexadecimal. Only this response contains the secret.',
        }),
        secretBase32Encoded: Type.String({
          description: 'The same secret in Base32, for manual entry in an app.',
        }),
        totpUri: Type.String({ description: 'The same secret as a URI for a QR code.' }),
      },
      { $id: 'TotpEnrollmentStart' },
    ),
    Type.Object(
      {
        type: passkey(),
        options: openObject({ description: 'Options for navigator.credentials.create().' }),
        allowedOrigins: Type.Array(Type.String()),
        relyingPartyId: Type.String({ examples: ['app.example.com'] }),
      },
      { $id: 'PasskeyEnrollmentStart' },
    ),
  ],
  { $id: 'ScaFactorEnrollStartOneOf' },
)

const TotpEnrollmentConfirmRequest = Type.Object(
  {
    type: totp(),
    secret: plainText({ description: 'Secret from the response that started the enrolment.' }),
    code: code(),
  },
  { $id: 'TotpEnrollmentConfirmRequest' },
)
export type TotpEnrollmentConfirmRequest = Static<typeof TotpEnrollmentConfirmRequest>

const PasskeyEnrollmentConfirmRequest = Type.Object(
  {
    type: passkey(),
    origin: origin(),
    credential: openObject({ description: 'Result of navigator.credentials.create(), as JSON.' }),
  },
  { $id: 'PasskeyEnrollmentConfirmRequest' },
)
export type PasskeyEnrollmentConfirmRequest = Static<typeof PasskeyEnrollmentConfirmRequest>

export const ScaFactorConfirmRequest = taggedUnion(
  'type',
  [TotpEnrollmentConfirmRequest, PasskeyEnrollmentConfirmRequest],
  { $id: 'ScaFactorConfirmRequestOneOf' },
)

export const ScaFactorConfirmResponse = taggedUnion(
  'type',
  [
    Type.Object(
      {
        type: totp(),
        recoveryCodes: Type.Array(Type.String({ examples: ['7GQ2-M4XK-9TBW'] }), {
          description:
            'You can use each recovery code once instead of a code from the app. Only this response contains the codes.',
        }),
      },
      { $id: 'TotpEnrollmentConfirmResponse' },
    ),
    Type.Object({ type: passkey(), factor: ScaFactorView }, { $id: 'PasskeyEnrollmentConfirmResponse' }),
  ],
  { $id: 'ScaFactorConfirmResponseOneOf' },
)

// Login

export const ScaLoginStartRequest = Type.Object({ factor: ScaFactor }, { $id: 'ScaLoginStartRequest' })

export const ScaLoginStart = Type.Object(
  {
    factor: ScaFactor,
    challengeId: Type.Optional(nullable(idOf('ScaChallenge'))),
    expiresAt: Type.Optional(nullable(timestamp())),
    passkeyOptions: Type.Optional(
      nullable(openObject({ description: 'Options for navigator.credentials.get().' })),
    ),
    allowedOrigins: Type.Optional(nullable(Type.Array(Type.String()))),
    relyingPartyId: Type.Optional(nullable(Type.String({ examples: ['app.example.com'] }))),
  },
  { $id: 'ScaLoginStart' },
)

export const ScaLoginCompleteRequest = Type.Object(
  {
    factor: ScaFactor,
    endUserIpAddress: ipAddress(),
    challengeId: Type.Optional(
      nullable(
        plainText({
          description: 'Id of the challenge from the response that started the login. Only for SMS_OTP.',
        }),
      ),
    ),
    ...proofFields,
  },
  {
    $id: 'ScaLoginCompleteRequest',
    anyOf: [{ required: ['code'] }, { required: ['passkeyAssertion', 'origin'] }],
  },
)
export type ScaLoginCompleteRequest = Static<typeof ScaLoginCompleteRequest>

export const ScaLoginComplete = Type.Object(
  {
    status: Type.String({ examples: ['SUCCESS'] }),
    sessionExpiresAt: Type.Optional(nullable(timestamp())),
  },
  { $id: 'ScaLoginComplete' },
)

const SecurityEventType = () => enumOf(['RESET_PASSWORD_COMPLETED', 'FAILED_LOGIN_ATTEMPT'])

export const RecordSecurityEventRequest = Type.Object(
  { eventType: SecurityEventType() },
  { $id: 'RecordSecurityEventRequest' },
)
export type RecordSecurityEventRequest = Static<typeof RecordSecurityEventRequest>

export const RecordSecurityEventResponse = Type.Object(
  {
    eventType: SecurityEventType(),
    suspended: Type.Boolean({ description: 'If true, the customer is locked until a password reset.' }),
    lockedUntil: Type.Optional(nullable(timestamp())),
    failedAttempts: Type.Integer({ minimum: 0 }),
  },
  { $id: 'RecordSecurityEventResponse' },
)

// Resets

export const TwoFactorResetStartRequest = Type.Object(
  { factor: ScaFactor },
  { $id: 'TwoFactorResetStartRequest' },
)

export const TwoFactorResetStart = Type.Object(
  {
    resetId: idOf('ScaReset'),
    livenessAccessToken: Type.Optional(
      nullable(Type.String({ description: 'Token for an embedded liveness check.' })),
    ),
    verificationLink: Type.Optional(nullable(Type.String({ description: 'Page with a liveness check.' }))),
    expiresAt: Type.Optional(nullable(timestamp())),
  },
  { $id: 'TwoFactorResetStart' },
)

export const TwoFactorResetStatus = Type.Object(
  {
    status: enumOf(['INITIATED', 'PENDING_REVIEW', 'LIVENESS_PASSED', 'COMPLETED', 'REJECTED', 'EXPIRED']),
    factor: ScaFactor,
    enrollmentStatus: Type.Optional(
      nullable(
        enumOf(['PENDING', 'COMPLETED'], { description: 'Enrolment status of the factor after the reset.' }),
      ),
    ),
    expiresAt: timestamp(),
    completedAt: Type.Optional(nullable(timestamp())),
  },
  { $id: 'TwoFactorResetStatus' },
)

export const TwoFactorResetCompleteRequest = Type.Object(
  {
    mobile: Type.Optional(
      Type.Object(
        {
          countryCode: plainText({ examples: ['+1'] }),
          number: plainText({ examples: ['4155550123'] }),
        },
        { description: 'New phone number. Only for SMS_OTP.' },
      ),
    ),
  },
  { $id: 'TwoFactorResetCompleteRequest' },
)
export type TwoFactorResetCompleteRequest = Static<typeof TwoFactorResetCompleteRequest>
