export {
  hasPlatforms,
  loadPlatform,
  type NewPlatform,
  type Platform,
  type ProvisionedPlatform,
  provisionPlatform,
} from './provision.ts'
