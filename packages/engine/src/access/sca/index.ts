export { answer, canAnswer, type ScaCustomer } from './answers.ts'
export { lockRefusal } from './attempts.ts'
export {
  type Asked,
  answersRefusal,
  ask,
  type Challenge,
  challengeMs,
  decideResend,
  isRevoked,
  moveChallenge,
} from './challenges.ts'
export {
  applicabilityRefusal,
  availableFactors,
  chooseFactor,
  isAuthorizedMovement,
  isUnderSca,
} from './factors.ts'
export { hasSession } from './login.ts'
export { challengeMachine, lockMachine, loginMachine, resetMachine } from './machines.ts'
export { checkProof, isOfFactor, readProof } from './proofs.ts'
export { saveState, sealedFactors } from './state.ts'
export { loadOverduePayments, loadPendingChallenge, loadState } from './store.ts'
