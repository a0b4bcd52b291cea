export { deleteExternalAccount, registerExternalAccount, screenExternalAccount } from './commands.ts'
export { sealedDetails } from './details.ts'
export { checkDetails, readExternalAccount, readExternalAccounts } from './reads.ts'
export { endingLength, searchHashesOf } from './search-hashes.ts'
export {
  type ExternalAccount,
  loadDefaultUmaDepositAccount,
  loadExternalAccount,
  loadExternalAccounts,
} from './store.ts'
export { externalAccountRefusal, isPullable } from './usability.ts'
