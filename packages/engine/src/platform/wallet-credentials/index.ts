export { walletContactCredentials } from './contact-credentials.ts'
export { authMethodMachine, otpMachine, walletSessionMachine } from './machine.ts'
export { newAuthMethod, newSecret, provisionWallet } from './provisioning.ts'
export {
  isActive,
  loadActiveSessions,
  loadSession,
  loadSigners,
  revokeSessionsOf,
  sessionLifeMs,
  signersOf,
  type WalletSession,
} from './sessions.ts'
export {
  type Attempts,
  type AuthContent,
  type AuthMethod,
  type AuthMethodType,
  authMethodTypes,
  loadAuthMethod,
  loadAuthMethods,
  loadMnemonic,
  noAttempts,
  type Otp,
  type OtpType,
  sealAuthContent,
  sealedAuthContents,
  sealedMnemonics,
  sealedOtpTargets,
} from './store.ts'
