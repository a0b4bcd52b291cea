export { BusinessType, EntityType } from './business-schemas.ts'
export { checkCustomer, checkUpdate } from './checks.ts'
export { requireActive, updateCustomer } from './commands.ts'
export { createCustomer as createCustomerOperation, updateCustomerById } from './contract.ts'
export { countries } from './countries.ts'
export { type CreationFacts, makeCustomer } from './creation.ts'
export { decideErase } from './erasure.ts'
export {
  checkAddress,
  checkCountry,
  checkDate,
  earliestBirthDate,
  identifierForm,
  identifierWords,
} from './field-checks.ts'
export {
  type BeneficialOwner,
  type OwnerRow,
  openOwner,
  renderOwner,
  sealedOwners,
  sealOwner,
} from './owners.ts'
export {
  keyOf,
  openIdentifier,
  sealedConsents,
  sealedIdentifiers,
  sealedPersonal,
  sealPersonal,
} from './personal.ts'
export { normalizeAddress, normalizeName } from './profile.ts'
export {
  ExpectedMonthlyTransactionCount,
  ExpectedMonthlyTransactionVolume,
  PurposeOfAccount,
} from './profile-schemas.ts'
export { assertCustomerReady, whileCustomerStays } from './readiness.ts'
export { isEea } from './regions.ts'
export { customerName, renderCustomer, renderCustomerForEvent } from './render.ts'
export { informationOf, isOnRecord } from './required-fields.ts'
export { changeCustomer, customerDeletedJob } from './rules.ts'
export { hashesOfTexts } from './search-hashes.ts'
export {
  type Customer,
  findCustomerByUma,
  loadCustomer,
  loadRevocations,
  loadTakenAddresses,
  loadTakenIds,
  type Vault,
} from './store.ts'
export { normalizeUmaAddress, parseUmaAddress } from './uma-address.ts'
