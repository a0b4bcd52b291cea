export { decideSigned, loadOwnerKey } from './commands.ts'
export { readSignature, signatureMissing } from './legs.ts'
export { signedRequestMachine } from './machine.ts'
export { activityPayload } from './payload.ts'
export {
  challengeLifeMs,
  consume,
  countFailure,
  isAnswerable,
  issueChallenge,
  noPendingRequest,
  redeemChallenge,
  type Signers,
  signatureRefusal,
  whileSignerStays,
} from './rules.ts'
export { isStampOver, parseStamp } from './stamp.ts'
export { loadSignedRequest, type SignedRequest, sealedChallenges } from './store.ts'
