export { loadActiveDelegatedKey, revokeKeysOfFundingSources, sealedDelegatedSecrets } from './store.ts'
