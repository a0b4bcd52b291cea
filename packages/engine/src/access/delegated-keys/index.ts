export {
  loadActiveDelegatedKey,
  revokeKeysOfFundingSources,
  sealedDelegatedSecrets,
  whileKeyStays,
} from './store.ts'
