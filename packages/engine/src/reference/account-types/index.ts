export {
  type AccountInfo,
  type AccountType,
  type CheckContext,
  CRYPTO_NETWORKS,
  type CryptoNetwork,
  isRailed,
  type Strictness,
  textOf,
} from './account-type.ts'
export { beneficiaryOf } from './beneficiary.ts'
export { acceptsCurrency, accountTypeOf, accountTypes, findAccountType } from './catalogue.ts'
export {
  externalAccountCreateInfo,
  externalAccountInfo,
  type PaymentInstructions,
  paymentInstructions,
} from './published-schemas.ts'
export { type Invoice, readInvoice } from './wallet-addresses.ts'
