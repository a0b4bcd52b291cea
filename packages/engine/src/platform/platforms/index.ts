export type { FeeConfig } from './contract.ts'
export { isDomainOfService, isHostName, isUmaDomain } from './host-name.ts'
export { isCurrencyOf } from './known-currencies.ts'
export { type MoneyGates, moneyGates, PlatformSettings } from './platform-settings.ts'
export {
  createPlatform,
  loadPlatform,
  type NewPlatform,
  type ProvisionedPlatform,
  provisionPlatform,
} from './provision.ts'
export { currenciesAddedJob } from './rules.ts'
export { type Configuration, loadConfig, loadDomainHolder, type SupportedCurrency } from './store.ts'
