export { documentCategories } from './business-packet.ts'
export { type Assessment, assess, ownerDecider, submit } from './commands.ts'
export { createCustomerKycLink, type VerificationError } from './contract.ts'
export { isIdentityType } from './identity-documents.ts'
export { renderVerification } from './render.ts'
export { decideReview, declaredVolumeOf, hasVerifiedContacts, isFinal } from './rules.ts'
export {
  type DeclaredVolume,
  loadNewestVerification,
  loadVerification,
  loadVerificationsInReview,
  sealedNotes,
  type Verification,
} from './store.ts'
