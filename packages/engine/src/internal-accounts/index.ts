export { fundingReference, openAccounts } from './open-accounts.ts'
export { balanceEvents, renderInternalAccount, withBalancesAfter } from './render.ts'
export { internalAccountRoutes } from './routes.ts'
export {
  type InternalAccount,
  loadInternalAccount,
  loadInternalAccounts,
  loadOwnedInternalAccounts,
  platformOwner,
} from './store.ts'
