import Type, { type Static } from 'typebox'
import { scaTag } from '../../access/sca/contract.ts'
import {
  BeneficiaryTrustConfirm,
  BeneficiaryTrustConfirmRequest,
  BeneficiaryTrustStart,
  BeneficiaryTrustStartRequest,
} from '../../access/sca/sca-schemas.ts'
import { externalAccountCreateInfo, externalAccountInfo } from '../../reference/account-types/index.ts'
import { operation } from '../../vocabulary/operation.ts'
import {
  currencyCode,
  enumOf,
  extend,
  idOf,
  listOf,
  nullable,
  paging,
  repeatable,
  taggedUnion,
  timestamp,
} from '../../vocabulary/shapes.ts'

const tag = 'External Accounts'

export const ExternalAccountStatus = enumOf(
  ['PENDING', 'ACTIVE', 'PENDING_OWNERSHIP_VERIFICATION', 'UNVERIFIED', 'UNDER_REVIEW', 'INACTIVE'],
  { $id: 'ExternalAccountStatus' },
)
export type ExternalAccountStatus = Static<typeof ExternalAccountStatus>

export const OwnershipType = enumOf(['FIRST_PARTY', 'THIRD_PARTY'], {
  $id: 'OwnershipType',
  description:
    'A FIRST_PARTY account belongs to the customer. A THIRD_PARTY account belongs to another person or company.',
})
export type OwnershipType = Static<typeof OwnershipType>

export const BeneficiaryVerificationStatus = enumOf(
  ['MATCHED', 'PARTIAL_MATCH', 'NOT_MATCHED', 'UNSUPPORTED', 'CHECKED_BY_RECEIVING_FI', 'PENDING'],
  {
    $id: 'BeneficiaryVerificationStatus',
    description:
      'Result of the comparison between the name that you sent and the name of the account holder.',
  },
)
export type BeneficiaryVerificationStatus = Static<typeof BeneficiaryVerificationStatus>

const platformAccountId = Type.Optional(
  Type.String({ minLength: 1, maxLength: 255, description: 'Your own id for the account.' }),
)

const defaultUmaDepositAccount = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      "If true, this account receives incoming UMA payments of the customer. Setting the flag clears it on the customer's other accounts.",
  }),
)

export const PlatformExternalAccountCreateRequest = Type.Object(
  {
    currency: currencyCode(),
    platformAccountId,
    ownershipType: Type.Optional(OwnershipType),
    accountInfo: externalAccountCreateInfo,
  },
  { $id: 'PlatformExternalAccountCreateRequest' },
)
export type PlatformExternalAccountCreateRequest = Static<typeof PlatformExternalAccountCreateRequest>

export const ExternalAccountCreateRequest = extend(
  PlatformExternalAccountCreateRequest,
  {
    customerId: Type.Optional(idOf('Customer')),
    defaultUmaDepositAccount,
  },
  { $id: 'ExternalAccountCreateRequest' },
)
export type ExternalAccountCreateRequest = Static<typeof ExternalAccountCreateRequest>

export const ExternalAccount = Type.Object(
  {
    id: idOf('ExternalAccount'),
    customerId: nullable(idOf('Customer')),
    status: ExternalAccountStatus,
    platformAccountId,
    ownershipType: Type.Optional(OwnershipType),
    currency: currencyCode(),
    defaultUmaDepositAccount: Type.Optional(
      Type.Boolean({ description: 'Default account for incoming UMA payments. Default: false.' }),
    ),
    beneficiaryVerificationStatus: Type.Optional(BeneficiaryVerificationStatus),
    beneficiaryVerifiedData: Type.Optional(
      Type.Object(
        { fullName: Type.Optional(Type.String({ description: 'The name that the rail reports.' })) },
        { $id: 'BeneficiaryVerifiedData' },
      ),
    ),
    accountInfo: externalAccountInfo,
  },
  {
    $id: 'ExternalAccount',
    description:
      'External account of a customer or of the platform. customerId is null if the account belongs to the platform.',
  },
)
export type ExternalAccount = Static<typeof ExternalAccount>

export const ExternalAccountList = listOf('ExternalAccountListResponse', ExternalAccount)

const OwnershipChallengeRequest = Type.Object(
  { method: enumOf(['WALLET_SIGNATURE', 'LIVENESS'], { $id: 'OwnershipVerificationMethod' }) },
  { $id: 'OwnershipChallengeRequest' },
)

export const OwnershipChallenge = taggedUnion(
  'method',
  [
    Type.Object(
      {
        method: Type.Literal('WALLET_SIGNATURE'),
        messageToSign: Type.String({ description: 'Sign exactly these bytes with the key of the wallet.' }),
        expiresAt: timestamp(),
      },
      { $id: 'WalletSignatureChallenge' },
    ),
    Type.Object(
      {
        method: Type.Literal('LIVENESS'),
        verificationLink: Type.String({ format: 'uri', description: 'Link for the owner of the wallet.' }),
        token: Type.Optional(Type.String()),
        expiresAt: timestamp(),
      },
      { $id: 'LivenessChallenge' },
    ),
  ],
  { $id: 'OwnershipChallenge' },
)
export type OwnershipChallenge = Static<typeof OwnershipChallenge>

const OwnershipVerifyRequest = Type.Object(
  {
    signature: Type.String({ minLength: 1, maxLength: 8192 }),
    signatureScheme: Type.Optional(
      enumOf(['bip137', 'electrum'], { description: 'Scheme of Bitcoin-style signatures. Default: bip137.' }),
    ),
  },
  { $id: 'OwnershipVerifyRequest' },
)

const accountPath = Type.Object({ externalAccountId: Type.String() })

const bankAccountExample = {
  currency: 'USD',
  accountInfo: {
    accountType: 'USD_ACCOUNT',
    accountNumber: '123456789',
    routingNumber: '021000021',
    bankAccountType: 'CHECKING',
    bankName: 'Example Bank',
    beneficiary: {
      beneficiaryType: 'INDIVIDUAL',
      fullName: 'Ana Lopez',
      birthDate: '1990-04-23',
      nationality: 'US',
      address: { line1: '123 Main Street', postalCode: '94105', country: 'US' },
    },
  },
}

// Accounts of customers

export const listCustomerExternalAccounts = operation({
  id: 'listCustomerExternalAccounts',
  method: 'GET',
  path: '/customers/external-accounts',
  tag,
  summary: 'List the external accounts of customers',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    currency: Type.Optional(repeatable(currencyCode())),
    customerId: Type.Optional(repeatable(idOf('Customer'))),
    ...paging,
  }),
  responses: { 200: ExternalAccountList },
  errors: [],
})

export const createCustomerExternalAccount = operation({
  id: 'createCustomerExternalAccount',
  method: 'POST',
  path: '/customers/external-accounts',
  tag,
  summary: 'Register an external account',
  description:
    'Without customerId, the account belongs to the platform. You cannot update an external account. To change the details, delete the account and register it again.',
  auth: 'basic',
  permissions: ['MANAGE'],
  body: ExternalAccountCreateRequest,
  responses: { 201: ExternalAccount },
  errors: ['INVALID_CURRENCY', 'INVALID_BANK_ACCOUNT', 'CONFLICT'],
  example: { customerId: 'Customer:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70', ...bankAccountExample },
})

export const getCustomerExternalAccountById = operation({
  id: 'getCustomerExternalAccountById',
  method: 'GET',
  path: '/customers/external-accounts/{externalAccountId}',
  tag,
  summary: 'Read an external account of a customer',
  auth: 'basic',
  permissions: ['VIEW'],
  params: accountPath,
  responses: { 200: ExternalAccount },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const deleteCustomerExternalAccountById = operation({
  id: 'deleteCustomerExternalAccountById',
  method: 'DELETE',
  path: '/customers/external-accounts/{externalAccountId}',
  tag,
  summary: 'Delete an external account of a customer',
  description:
    'Payments in progress continue. If the account is a trusted beneficiary, remove the trust first.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: accountPath,
  responses: { 204: null },
  errors: ['REFERENCE_NOT_FOUND', 'BENEFICIARY_TRUSTED'],
})

export const createExternalAccountOwnershipChallenge = operation({
  id: 'createExternalAccountOwnershipChallenge',
  method: 'POST',
  path: '/customers/external-accounts/{externalAccountId}/challenge',
  tag,
  summary: 'Start the ownership proof of a wallet',
  description: 'A new challenge voids the previous one.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: accountPath,
  body: OwnershipChallengeRequest,
  responses: { 201: OwnershipChallenge },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT', 'NOT_IMPLEMENTED'],
  events: ['EXTERNAL_ACCOUNT.STATUS_UPDATED'],
  example: { method: 'WALLET_SIGNATURE' },
})

export const verifyExternalAccountOwnership = operation({
  id: 'verifyExternalAccountOwnership',
  method: 'POST',
  path: '/customers/external-accounts/{externalAccountId}/verify',
  tag,
  summary: 'Complete the ownership proof of a wallet',
  description: 'If the signature is invalid, the account becomes UNVERIFIED until a new challenge succeeds.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: accountPath,
  body: OwnershipVerifyRequest,
  responses: { 200: ExternalAccount },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
  events: ['EXTERNAL_ACCOUNT.STATUS_UPDATED'],
})

// Accounts of the platform

export const listPlatformExternalAccounts = operation({
  id: 'listPlatformExternalAccounts',
  method: 'GET',
  path: '/platform/external-accounts',
  tag,
  summary: "List the platform's external accounts",
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({ currency: Type.Optional(repeatable(currencyCode())), ...paging }),
  responses: { 200: ExternalAccountList },
  errors: [],
})

export const createPlatformExternalAccount = operation({
  id: 'createPlatformExternalAccount',
  method: 'POST',
  path: '/platform/external-accounts',
  tag,
  summary: 'Register an external account of the platform',
  auth: 'basic',
  permissions: ['MANAGE'],
  body: PlatformExternalAccountCreateRequest,
  responses: { 201: ExternalAccount },
  errors: ['INVALID_CURRENCY', 'INVALID_BANK_ACCOUNT', 'CONFLICT'],
  example: bankAccountExample,
})

export const getPlatformExternalAccountById = operation({
  id: 'getPlatformExternalAccountById',
  method: 'GET',
  path: '/platform/external-accounts/{externalAccountId}',
  tag,
  summary: 'Read an external account of the platform',
  auth: 'basic',
  permissions: ['VIEW'],
  params: accountPath,
  responses: { 200: ExternalAccount },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const deletePlatformExternalAccountById = operation({
  id: 'deletePlatformExternalAccountById',
  method: 'DELETE',
  path: '/platform/external-accounts/{externalAccountId}',
  tag,
  summary: 'Delete an external account of the platform',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: accountPath,
  responses: { 204: null },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const createPlatformExternalAccountOwnershipChallenge = operation({
  id: 'createPlatformExternalAccountOwnershipChallenge',
  method: 'POST',
  path: '/platform/external-accounts/{externalAccountId}/challenge',
  tag,
  summary: "Start the ownership proof of the platform's wallet",
  auth: 'basic',
  permissions: ['MANAGE'],
  params: accountPath,
  body: OwnershipChallengeRequest,
  responses: { 201: OwnershipChallenge },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT', 'NOT_IMPLEMENTED'],
  events: ['EXTERNAL_ACCOUNT.STATUS_UPDATED'],
  example: { method: 'WALLET_SIGNATURE' },
})

export const verifyPlatformExternalAccountOwnership = operation({
  id: 'verifyPlatformExternalAccountOwnership',
  method: 'POST',
  path: '/platform/external-accounts/{externalAccountId}/verify',
  tag,
  summary: "Complete the ownership proof of the platform's wallet",
  auth: 'basic',
  permissions: ['MANAGE'],
  params: accountPath,
  body: OwnershipVerifyRequest,
  responses: { 200: ExternalAccount },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
  events: ['EXTERNAL_ACCOUNT.STATUS_UPDATED'],
})

// Trusted beneficiaries

const trust = {
  method: 'POST',
  tag: scaTag,
  auth: 'basic',
  permissions: ['TRANSACT', 'MANAGE'],
  params: accountPath,
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT', 'ACCOUNT_LOCKED'],
} as const

const trustStart = {
  ...trust,
  body: BeneficiaryTrustStartRequest,
  bodyOptional: true,
  responses: { 200: BeneficiaryTrustStart },
} as const

const trustConfirm = {
  ...trust,
  body: BeneficiaryTrustConfirmRequest,
  responses: { 200: BeneficiaryTrustConfirm },
  example: { challengeId: 'ScaChallenge:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70', code: '123456' },
} as const

export const startBeneficiaryTrust = operation({
  id: 'startBeneficiaryTrust',
  path: '/customers/external-accounts/{externalAccountId}/trust',
  summary: 'Request trust in a beneficiary',
  description:
    'After the customer confirms the request, payments to the beneficiary need no authorization. A new request replaces an earlier request.',
  ...trustStart,
})

export const confirmBeneficiaryTrust = operation({
  id: 'confirmBeneficiaryTrust',
  path: '/customers/external-accounts/{externalAccountId}/trust/confirm',
  summary: 'Confirm trust in a beneficiary',
  ...trustConfirm,
})

export const startBeneficiaryUntrust = operation({
  id: 'startBeneficiaryUntrust',
  path: '/customers/external-accounts/{externalAccountId}/untrust',
  summary: 'Request the removal of trust in a beneficiary',
  ...trustStart,
})

export const confirmBeneficiaryUntrust = operation({
  id: 'confirmBeneficiaryUntrust',
  path: '/customers/external-accounts/{externalAccountId}/untrust/confirm',
  summary: 'Confirm the removal of trust in a beneficiary',
  ...trustConfirm,
})
