export {
  deleteExternalAccount,
  primaryIdOf,
  registerExternalAccount,
  screenExternalAccount,
} from './commands.ts'
export { sealedDetails } from './details.ts'
export { externalAccountJobs } from './jobs.ts'
export { externalAccountMachine, trustMachine } from './machine.ts'
export { checkDetails, readExternalAccount, readExternalAccounts } from './reads.ts'
export { renderExternalAccount } from './render.ts'
export {
  type ExternalAccount,
  loadDefaultUmaDepositAccount,
  loadExternalAccount,
  loadExternalAccounts,
} from './store.ts'
export { externalAccountRefusal, isPullable } from './usability.ts'
