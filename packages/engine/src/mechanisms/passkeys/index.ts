export { type AssertionTerms, type PasskeyAssertion, verifyAssertion } from './assertion.ts'
export {
  algorithms,
  type PasskeyAttestation,
  type RegisteredPasskey,
  type RegistrationTerms,
  verifyRegistration,
} from './registration.ts'
