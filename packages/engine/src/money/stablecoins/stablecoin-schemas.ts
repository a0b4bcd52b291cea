import Type, { type Static } from 'typebox'
import {
  descriptionText,
  enumOf,
  idOf,
  listOf,
  nameText,
  partOf,
  taggedUnion,
  timestamp,
} from '../../vocabulary/shapes.ts'

/** Shapes of stablecoins (cards-stablecoins 2). Amounts are digit strings, unlike everywhere else. */

export const StablecoinProvider = enumOf(['BRALE'], { $id: 'StablecoinProvider' })
export const StablecoinNetwork = enumOf(['SPARK'], { $id: 'StablecoinNetwork' })
export const StablecoinProviderEnvironment = enumOf(['SANDBOX', 'PRODUCTION'], {
  $id: 'StablecoinProviderEnvironment',
})
export const StablecoinProviderAccountStatus = enumOf(['ACTIVE', 'INVALID', 'REVOKED'], {
  $id: 'StablecoinProviderAccountStatus',
})
export type StablecoinProviderAccountStatus = Static<typeof StablecoinProviderAccountStatus>
export const StablecoinIssuanceStatus = enumOf(
  ['PENDING_REVIEW', 'PROVISIONING', 'PROVISIONED', 'REJECTED', 'FAILED'],
  { $id: 'StablecoinIssuanceStatus' },
)
export type StablecoinIssuanceStatus = Static<typeof StablecoinIssuanceStatus>
export const StablecoinGridOperationsStatus = enumOf(
  ['NOT_ENABLED', 'PENDING_APPROVAL', 'ENABLING', 'ENABLED', 'DISABLED'],
  { $id: 'StablecoinGridOperationsStatus' },
)
export type StablecoinGridOperationsStatus = Static<typeof StablecoinGridOperationsStatus>
export const StablecoinOperationType = enumOf(['MINT', 'BURN'], { $id: 'StablecoinOperationType' })
export type StablecoinOperationType = Static<typeof StablecoinOperationType>
export const StablecoinOperationStatus = enumOf(
  ['CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED'],
  { $id: 'StablecoinOperationStatus' },
)
export type StablecoinOperationStatus = Static<typeof StablecoinOperationStatus>

const providerAccountId = () => idOf('StablecoinProviderAccount')

export const StablecoinProviderAccount = Type.Object(
  {
    id: providerAccountId(),
    provider: StablecoinProvider,
    providerAccountId: Type.String({ examples: ['2VcUIonJeVQzFoBuC7LdFT0dRe4'] }),
    providerEnvironment: StablecoinProviderEnvironment,
    status: StablecoinProviderAccountStatus,
    lastVerifiedAt: Type.Optional(timestamp()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'StablecoinProviderAccount' },
)
export type StablecoinProviderAccount = Static<typeof StablecoinProviderAccount>

export const StablecoinProviderAccountLinkRequest = Type.Object(
  {
    provider: StablecoinProvider,
    apiClientId: nameText({ examples: ['provider_client_123'] }),
    apiClientSecret: nameText({
      maxLength: 1024,
      writeOnly: true,
      description: 'Corridor stores the secret encrypted. No response contains the secret.',
      examples: ['provider_secret_456'],
    }),
    providerAccountId: Type.Optional(
      nameText({ description: 'Required if the credentials give access to several accounts.' }),
    ),
  },
  { $id: 'StablecoinProviderAccountLinkRequest' },
)
export type StablecoinProviderAccountLinkRequest = Static<typeof StablecoinProviderAccountLinkRequest>

export const Stablecoin = Type.Object(
  {
    id: idOf('Stablecoin'),
    name: Type.String({ examples: ['Acme Dollar'] }),
    symbol: Type.String({ examples: ['ACME'] }),
    baseCurrency: Type.String({ examples: ['USD'] }),
    network: StablecoinNetwork,
    decimals: Type.Integer({ examples: [6] }),
    issuanceStatus: StablecoinIssuanceStatus,
    gridOperationsStatus: StablecoinGridOperationsStatus,
    networkTokenIdentifier: Type.String({ examples: ['btkn1qw508d6qejxtdg4y5r3zarvary0c5xw7k'] }),
    currency: Type.Optional(
      Type.String({
        description: 'Currency code of the coin. Present once the coin is enabled.',
        examples: ['ACME'],
      }),
    ),
    provider: StablecoinProvider,
    stablecoinProviderAccountId: providerAccountId(),
    providerEnvironment: StablecoinProviderEnvironment,
    providerTokenIdentifier: Type.String({ examples: ['ACME'] }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'Stablecoin' },
)
export type Stablecoin = Static<typeof Stablecoin>

export const StablecoinRegisterRequest = Type.Object(
  {
    providerTokenIdentifier: nameText({ examples: ['ACME'] }),
    networkTokenIdentifier: nameText({
      description: 'btkn1 (btknrt1 on the test network) followed by lower-case bech32 characters.',
      examples: ['btkn1qw508d6qejxtdg4y5r3zarvary0c5xw7k'],
    }),
    network: StablecoinNetwork,
    stablecoinProviderAccountId: Type.Optional(providerAccountId()),
  },
  { $id: 'StablecoinRegisterRequest' },
)
export type StablecoinRegisterRequest = Static<typeof StablecoinRegisterRequest>

const digits = () =>
  Type.String({
    minLength: 1,
    maxLength: 30,
    pattern: '^[0-9]+$',
    description:
      'Amount in the smallest unit of the coin, as a string of digits. The amount must be a whole number of cents. With 6 decimals, 1000000 is one coin and 10000 is the minimum.',
    examples: ['1000000'],
  })

const externalAccountId = { externalAccountId: idOf('ExternalAccount') }
const internalAccountId = { accountId: idOf('InternalAccount') }

const mintSourceType = enumOf(
  ['WIRE', 'ACH_DEBIT', 'SAME_DAY_ACH_DEBIT', 'GRID_INTERNAL_ACCOUNT', 'PROVIDER_INTERNAL_BALANCE'],
  { $id: 'StablecoinFundingSourceType' },
)
const burnSourceType = enumOf(['EXTERNAL_ACCOUNT', 'GRID_INTERNAL_ACCOUNT', 'PROVIDER_INTERNAL_BALANCE'], {
  $id: 'StablecoinBurnSourceType',
})

const achDebit = <const T extends 'ACH_DEBIT' | 'SAME_DAY_ACH_DEBIT'>($id: string, type: T) =>
  Type.Object({ type: partOf(mintSourceType, type), ...externalAccountId }, { $id })

/** Where the money of a mint comes from. The last two are reserved words of the API. */
export const StablecoinMintFundingSource = taggedUnion(
  'type',
  [
    Type.Object({ type: partOf(mintSourceType, 'WIRE') }, { $id: 'StablecoinWireFundingSource' }),
    achDebit('StablecoinAchDebitFundingSource', 'ACH_DEBIT'),
    achDebit('StablecoinSameDayAchDebitFundingSource', 'SAME_DAY_ACH_DEBIT'),
    Type.Object(
      { type: partOf(mintSourceType, 'GRID_INTERNAL_ACCOUNT'), ...internalAccountId },
      { $id: 'StablecoinGridInternalFundingSource' },
    ),
    Type.Object(
      {
        type: partOf(mintSourceType, 'PROVIDER_INTERNAL_BALANCE'),
        sourceTokenIdentifier: nameText({ examples: ['USDC'] }),
        cryptoNetwork: nameText({ examples: ['SOLANA'] }),
      },
      { $id: 'StablecoinProviderBalanceFundingSource' },
    ),
  ],
  { $id: 'StablecoinMintFundingSource' },
)

export const StablecoinMintRequest = Type.Object(
  {
    amount: digits(),
    fundingSource: StablecoinMintFundingSource,
    destination: Type.Object(
      { accountId: idOf('ExternalAccount', 'InternalAccount') },
      { $id: 'StablecoinMintDestination' },
    ),
    description: Type.Optional(descriptionText({ examples: ['Initial program funding mint'] })),
  },
  { $id: 'StablecoinMintRequest' },
)
export type StablecoinMintRequest = Static<typeof StablecoinMintRequest>

/** Where the tokens of a burn come from. `GRID_INTERNAL_ACCOUNT` is a reserved word of the API. */
export const StablecoinBurnSource = taggedUnion(
  'type',
  [
    Type.Object(
      { type: partOf(burnSourceType, 'EXTERNAL_ACCOUNT') },
      { $id: 'StablecoinExternalAccountBurnSource' },
    ),
    Type.Object(
      { type: partOf(burnSourceType, 'GRID_INTERNAL_ACCOUNT'), ...internalAccountId },
      { $id: 'StablecoinGridInternalBurnSource' },
    ),
    Type.Object(
      { type: partOf(burnSourceType, 'PROVIDER_INTERNAL_BALANCE') },
      { $id: 'StablecoinProviderBalanceBurnSource' },
    ),
  ],
  { $id: 'StablecoinBurnSource' },
)

const burnRails = ['WIRE', 'ACH_CREDIT', 'SAME_DAY_ACH_CREDIT', 'RTP_CREDIT'] as const
export type BurnRail = (typeof burnRails)[number]

export const StablecoinBurnRequest = Type.Object(
  {
    amount: digits(),
    source: StablecoinBurnSource,
    destination: Type.Object(
      { type: enumOf(['EXTERNAL_ACCOUNT']), ...externalAccountId, rail: enumOf([...burnRails]) },
      { $id: 'StablecoinBurnDestination' },
    ),
    description: Type.Optional(descriptionText({ examples: ['Redeem ACME'] })),
  },
  { $id: 'StablecoinBurnRequest' },
)
export type StablecoinBurnRequest = Static<typeof StablecoinBurnRequest>

export const StablecoinOperation = Type.Object(
  {
    id: idOf('StablecoinOperation'),
    stablecoinId: idOf('Stablecoin'),
    operationType: StablecoinOperationType,
    status: StablecoinOperationStatus,
    amount: Type.String({ examples: ['1000000'] }),
    provider: StablecoinProvider,
    providerEnvironment: StablecoinProviderEnvironment,
    stablecoinProviderAccountId: providerAccountId(),
    source: Type.Optional(
      Type.Object(
        {
          type: enumOf([
            'WIRE',
            'ACH_DEBIT',
            'SAME_DAY_ACH_DEBIT',
            'EXTERNAL_ACCOUNT',
            'GRID_INTERNAL_ACCOUNT',
            'PROVIDER_INTERNAL_BALANCE',
          ]),
          externalAccountId: Type.Optional(idOf('ExternalAccount')),
          accountId: Type.Optional(idOf('InternalAccount')),
          sourceTokenIdentifier: Type.Optional(Type.String({ examples: ['USDC'] })),
          cryptoNetwork: Type.Optional(Type.String({ examples: ['SOLANA'] })),
        },
        { $id: 'StablecoinOperationSource' },
      ),
    ),
    fundingInstructions: Type.Optional(
      Type.Object(
        {
          rail: Type.Optional(Type.String({ examples: ['SPARK'] })),
          network: Type.Optional(Type.String({ examples: ['SPARK'] })),
          address: Type.Optional(Type.String({ examples: ['spark1...'] })),
          valueType: Type.Optional(Type.String({ examples: ['ACME'] })),
        },
        { $id: 'StablecoinFundingInstructions', additionalProperties: true },
      ),
    ),
    destination: Type.Optional(
      Type.Object(
        {
          accountId: idOf('ExternalAccount', 'InternalAccount'),
          rail: Type.Optional(enumOf([...burnRails])),
        },
        { $id: 'StablecoinOperationDestination' },
      ),
    ),
    estimatedDelivery: Type.Optional(
      Type.Object(
        {
          rail: Type.Optional(Type.String({ examples: ['ACH_CREDIT'] })),
          amount: Type.Optional(Type.String({ pattern: '^[0-9]+$', examples: ['100'] })),
          currency: Type.Optional(Type.String({ examples: ['USD'] })),
          timing: Type.Optional(Type.String({ examples: ['1-3 business days'] })),
        },
        { $id: 'StablecoinEstimatedDelivery', additionalProperties: true },
      ),
    ),
    expiresAt: Type.Optional(timestamp({ description: 'Time by which the funds must arrive.' })),
    providerStatus: Type.Optional(Type.String({ examples: ['pending'] })),
    failureReason: Type.Optional(Type.String({ examples: ['PROVIDER_TRANSFER_FAILED'] })),
    description: Type.Optional(Type.String({ examples: ['Initial program funding mint'] })),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'StablecoinOperation' },
)
export type StablecoinOperation = Static<typeof StablecoinOperation>

export const StablecoinList = listOf('StablecoinListResponse', Stablecoin)
export const StablecoinOperationList = listOf('StablecoinOperationListResponse', StablecoinOperation)
export const StablecoinProviderAccountList = listOf(
  'StablecoinProviderAccountListResponse',
  StablecoinProviderAccount,
)
