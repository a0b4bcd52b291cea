export { issueForQuote } from './issue.ts'
export { fundingReference, openAccounts } from './open-accounts.ts'
export { readInternalAccounts } from './reads.ts'
export {
  balanceEvents,
  owingChanges,
  renderInternalAccount,
  whileShown,
  withBalancesAfter,
  withReceivableAfter,
} from './render.ts'
export { hasRoomFor, replaySuspense, replaySuspenseKind, whileStatusStays } from './rules.ts'
export {
  type InternalAccount,
  type LedgerLine,
  loadInternalAccount,
  loadInternalAccounts,
  loadInternalAccountsButBalances,
  loadInternalAccountWithLedger,
  loadOwnedInternalAccount,
  loadOwnedInternalAccounts,
  platformOwner,
} from './store.ts'
export { type WalletIdentity, walletIdentity } from './wallet.ts'
