export { type PasskeyAssertion, verifyAssertion } from './assertion.ts'
export {
  algorithms,
  type PasskeyAttestation,
  type RegisteredPasskey,
  verifyRegistration,
} from './registration.ts'
