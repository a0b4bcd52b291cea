export { fundingInstructions } from './funding-instructions.ts'
export { fundingReference, openAccounts } from './open-accounts.ts'
export { type RealtimePayIn, realtimeInstructions } from './realtime-instructions.ts'
export { balanceEvents, renderInternalAccount, withBalancesAfter } from './render.ts'
export { internalAccountRoutes } from './routes.ts'
export { replaySuspense, replaySuspenseKind, whileStatusStays } from './rules.ts'
export {
  type InternalAccount,
  loadInternalAccount,
  loadInternalAccounts,
  loadOwnedInternalAccount,
  loadOwnedInternalAccounts,
  platformOwner,
} from './store.ts'
export { type WalletIdentity, walletIdentity } from './wallet.ts'
