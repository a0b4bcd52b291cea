import Type from 'typebox'
import { type Operation, operation } from '../../vocabulary/operation.ts'
import { enumOf, idOf, Proposed, paging, plainText, repeatable, timestamp } from '../../vocabulary/shapes.ts'
import {
  Stablecoin,
  StablecoinBurnRequest,
  StablecoinGridOperationsStatus,
  StablecoinIssuanceStatus,
  StablecoinList,
  StablecoinMintRequest,
  StablecoinOperation,
  StablecoinOperationList,
  StablecoinOperationType,
  StablecoinProvider,
  StablecoinProviderAccount,
  StablecoinProviderAccountLinkRequest,
  StablecoinProviderAccountList,
  StablecoinProviderAccountStatus,
  StablecoinRegisterRequest,
} from './stablecoin-schemas.ts'

const tag = 'Stablecoins'

const coinPath = Type.Object({ stablecoinId: Type.String() })
const linkPath = Type.Object({ stablecoinProviderAccountId: Type.String() })
const operationPath = Type.Object({ stablecoinOperationId: Type.String() })

/** Required where repeating would link, register, mint or burn twice (conventions 6). */
const requiredKey = Type.Object({
  'Idempotency-Key': Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'If you repeat a request with the same key, Corridor returns the first response and does nothing else.',
  }),
})

const dayMs = 24 * 60 * 60 * 1000
/** How long the answers of these operations are kept for repetition (conventions 6). */
const keepsAnswersMs = 30 * dayMs

const linkErrors = [
  'STABLECOIN_PROVIDER_ACCOUNT_INVALID',
  'STABLECOIN_PROVIDER_ACCOUNT_REVOKED',
  'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED',
  'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND',
] as const satisfies Operation['errors']

export const linkProviderAccount = operation({
  id: 'linkStablecoinProviderAccount',
  method: 'POST',
  path: '/stablecoin-provider-accounts',
  tag,
  summary: 'Link an account of a stablecoin provider',
  description: 'Corridor tests the credentials before it responds, and stores them encrypted.',
  auth: 'basic',
  permissions: ['MANAGE'],
  headers: requiredKey,
  keepsAnswersMs,
  body: StablecoinProviderAccountLinkRequest,
  responses: { 201: StablecoinProviderAccount },
  errors: ['INVALID_INPUT', 'STABLECOIN_PROVIDER_ACCOUNT_INVALID', 'CONFLICT', 'NOT_IMPLEMENTED'],
  example: { provider: 'BRALE', apiClientId: 'provider_client_123', apiClientSecret: 'provider_secret_456' },
})

export const listProviderAccounts = operation({
  id: 'listStablecoinProviderAccounts',
  method: 'GET',
  path: '/stablecoin-provider-accounts',
  tag,
  summary: 'List linked provider accounts',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    provider: Type.Optional(repeatable(StablecoinProvider)),
    status: Type.Optional(repeatable(StablecoinProviderAccountStatus)),
    ...paging,
  }),
  responses: { 200: StablecoinProviderAccountList },
  errors: [],
})

export const getProviderAccount = operation({
  id: 'getStablecoinProviderAccount',
  method: 'GET',
  path: '/stablecoin-provider-accounts/{stablecoinProviderAccountId}',
  tag,
  summary: 'Read a linked provider account',
  auth: 'basic',
  permissions: ['VIEW'],
  params: linkPath,
  responses: { 200: StablecoinProviderAccount },
  errors: ['STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND'],
})

export const registerStablecoin = operation({
  id: 'registerStablecoin',
  method: 'POST',
  path: '/stablecoins',
  tag,
  summary: 'Register an existing stablecoin of the provider',
  description:
    'Registers the coin in Corridor without creating a token on the network. If you do not name a provider account, Corridor uses the only active provider account.',
  auth: 'basic',
  permissions: ['MANAGE'],
  headers: requiredKey,
  keepsAnswersMs,
  body: StablecoinRegisterRequest,
  responses: { 201: Stablecoin },
  errors: ['INVALID_INPUT', ...linkErrors, 'CONFLICT', 'NOT_IMPLEMENTED'],
  example: {
    providerTokenIdentifier: 'ACME',
    networkTokenIdentifier: 'btkn1qw508d6qejxtdg4y5r3zarvary0c5xw7k',
    network: 'SPARK',
  },
})

export const listStablecoins = operation({
  id: 'listStablecoins',
  method: 'GET',
  path: '/stablecoins',
  tag,
  summary: 'List stablecoins',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    issuanceStatus: Type.Optional(repeatable(StablecoinIssuanceStatus)),
    gridOperationsStatus: Type.Optional(repeatable(StablecoinGridOperationsStatus)),
    provider: Type.Optional(repeatable(StablecoinProvider)),
    ...paging,
  }),
  responses: { 200: StablecoinList },
  errors: [],
})

export const getStablecoin = operation({
  id: 'getStablecoin',
  method: 'GET',
  path: '/stablecoins/{stablecoinId}',
  tag,
  summary: 'Read a stablecoin',
  auth: 'basic',
  permissions: ['VIEW'],
  params: coinPath,
  responses: { 200: Stablecoin },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const requestEnablement = operation({
  id: 'requestStablecoinGridEnablement',
  method: 'POST',
  path: '/stablecoins/{stablecoinId}/grid-enablement',
  tag,
  summary: 'Request the use of a stablecoin in normal operations',
  description: 'The operator approves or declines the request. Repeating a pending request changes nothing.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: coinPath,
  responses: { 200: Stablecoin },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT', 'STABLECOIN_GRID_ENABLEMENT_NOT_REQUESTABLE'],
  extension: true,
})

const submission = {
  method: 'POST',
  tag,
  auth: 'basic',
  permissions: ['TRANSACT'],
  params: coinPath,
  headers: requiredKey,
  keepsAnswersMs,
  responses: { 201: StablecoinOperation },
} as const

export const createMint = operation({
  ...submission,
  id: 'createStablecoinMint',
  path: '/stablecoins/{stablecoinId}/mints',
  summary: 'Mint a stablecoin',
  body: StablecoinMintRequest,
  errors: [
    'INVALID_INPUT',
    'INVALID_AMOUNT',
    'INVALID_BANK_ACCOUNT',
    ...linkErrors,
    'REFERENCE_NOT_FOUND',
    'CONFLICT',
    'NOT_IMPLEMENTED',
    'SERVICE_UNAVAILABLE',
  ],
  example: {
    amount: '1000000',
    fundingSource: { type: 'WIRE' },
    destination: { accountId: 'ExternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70' },
  },
})

export const createBurn = operation({
  ...submission,
  id: 'createStablecoinBurn',
  path: '/stablecoins/{stablecoinId}/burns',
  summary: 'Burn a stablecoin',
  body: StablecoinBurnRequest,
  errors: createMint.errors,
  example: {
    amount: '1000000',
    source: { type: 'EXTERNAL_ACCOUNT' },
    destination: {
      type: 'EXTERNAL_ACCOUNT',
      externalAccountId: 'ExternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70',
      rail: 'WIRE',
    },
  },
})

export const listOperations = operation({
  id: 'listStablecoinOperations',
  method: 'GET',
  path: '/stablecoins/{stablecoinId}/operations',
  tag,
  summary: 'List the mints and burns of a stablecoin',
  auth: 'basic',
  permissions: ['VIEW'],
  params: coinPath,
  query: Type.Object({
    operationType: Type.Optional(repeatable(StablecoinOperationType)),
    ...paging,
  }),
  responses: { 200: StablecoinOperationList },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const getOperation = operation({
  id: 'getStablecoinOperation',
  method: 'GET',
  path: '/stablecoin-operations/{stablecoinOperationId}',
  tag,
  summary: 'Read a mint or burn',
  auth: 'basic',
  permissions: ['VIEW'],
  params: operationPath,
  responses: { 200: StablecoinOperation },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const simulateFunding = operation({
  id: 'sandboxFundStablecoinOperation',
  method: 'POST',
  path: '/sandbox/stablecoin-operations/{stablecoinOperationId}/simulate/funding',
  tag: 'Sandbox',
  summary: 'Simulate the arrival of the funds for a mint or burn',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['TRANSACT'],
  params: operationPath,
  responses: { 202: StablecoinOperation },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
  extension: true,
})

const operator = { tag: 'Operator', auth: 'operator', role: 'OPERATOR', permissions: [] } as const
const reason = plainText({ minLength: 1, pattern: '\\S', description: 'Reason, stored with the decision.' })
const enablementDecision = enumOf(['APPROVE', 'DECLINE', 'DISABLE', 'RE_ENABLE'])

/** What the operator decides about a coin (cards-stablecoins 2.3). */
export const decideEnablement = operation({
  ...operator,
  method: 'POST',
  id: 'operatorDecideStablecoinEnablement',
  path: '/operator/stablecoins/{stablecoinId}/enablement',
  summary: 'Approve, decline, disable or re-enable a stablecoin',
  power: 'TERMS',
  params: coinPath,
  body: Type.Object({ decision: enablementDecision, reason }, { $id: 'OperatorStablecoinDecisionRequest' }),
  responses: { 200: Stablecoin, 202: Proposed },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
})

export const revokeProviderAccount = operation({
  ...operator,
  method: 'POST',
  id: 'operatorRevokeStablecoinProviderAccount',
  path: '/operator/stablecoin-provider-accounts/{stablecoinProviderAccountId}/revoke',
  summary: 'Revoke a linked provider account permanently',
  power: 'STOP',
  params: linkPath,
  body: Type.Object({ reason }, { $id: 'OperatorStablecoinProviderAccountRevokeRequest' }),
  responses: { 200: StablecoinProviderAccount },
  errors: ['STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND', 'CONFLICT'],
})

export const OperatorStablecoinDecision = Type.Object(
  {
    subjectId: idOf('Stablecoin', 'StablecoinProviderAccount'),
    decision: enumOf(['APPROVE', 'DECLINE', 'DISABLE', 'RE_ENABLE', 'REVOKE']),
    reason: Type.String(),
    actorId: Type.String(),
    createdAt: timestamp(),
  },
  { $id: 'OperatorStablecoinDecision' },
)

export const listDecisions = operation({
  ...operator,
  method: 'GET',
  id: 'operatorListStablecoinDecisions',
  path: '/operator/stablecoins/{stablecoinId}/decisions',
  summary: 'List decisions about a stablecoin and its provider account, latest first',
  params: coinPath,
  responses: {
    200: Type.Object(
      { data: Type.Array(OperatorStablecoinDecision, { description: 'The latest hundred decisions.' }) },
      { $id: 'OperatorStablecoinDecisions' },
    ),
  },
  errors: ['REFERENCE_NOT_FOUND'],
})
