export {
  type AccountInfo,
  type AccountKind,
  type AccountType,
  type CheckContext,
  type CheckResult,
  CRYPTO_NETWORKS,
  type CryptoNetwork,
  isRailed,
  type Strictness,
  textOf,
} from './account-type.ts'
export { beneficiaryOf, isCalendarDate } from './beneficiary.ts'
export {
  acceptsCurrency,
  accountTypeNames,
  accountTypeOf,
  accountTypes,
  accountTypesFor,
  findAccountType,
} from './catalogue.ts'
export {
  externalAccountCreateInfo,
  externalAccountInfo,
  type PaymentInstructions,
  paymentAccountInfo,
  paymentInstructions,
} from './published-schemas.ts'
