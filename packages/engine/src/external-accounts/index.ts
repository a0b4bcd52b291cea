export { primaryIdOf, screenExternalAccount } from './commands.ts'
export { externalAccountJobs } from './jobs.ts'
export { externalAccountMachine } from './machine.ts'
export { renderExternalAccount } from './render.ts'
export { externalAccountRoutes } from './routes.ts'
export {
  type ExternalAccount,
  loadDefaultUmaDepositAccount,
  loadExternalAccount,
  loadExternalAccounts,
} from './store.ts'
export { externalAccountRefusal, isPullable } from './usability.ts'
