export {
  type OtpAttempt,
  openOtpAttempt,
  otpTargetBundle,
  parseOtpBundle,
  sealExport,
  sealSessionKey,
} from './bundles.ts'
export { checkTimes, isExpired, isNonceOf, type OidcClaims, parseOidcToken } from './oidc.ts'
export {
  base64url,
  type Passkey,
  type PasskeyAssertion,
  type PasskeyAttestation,
  verifyPasskeyAssertion,
  verifyPasskeyRegistration,
} from './passkeys.ts'
export {
  isCompressed,
  newScalar,
  type PublicPoint,
  parsePoint,
  publicPointOf,
  type Scalar,
  uncompressedForm,
} from './points.ts'
export { verificationToken } from './verification-token.ts'
