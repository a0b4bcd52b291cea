import Type, { type Static } from 'typebox'
import { paymentInstructions } from '../../reference/account-types/index.ts'
import { operation } from '../../vocabulary/operation.ts'
import type { Power } from '../../vocabulary/powers.ts'
import {
  CurrencyAmount,
  currencyCode,
  enumOf,
  idOf,
  listOf,
  Proposed,
  paging,
  repeatable,
  SignedRequestChallenge,
  signedRetryHeaders,
  timestamp,
} from '../../vocabulary/shapes.ts'
import type { InternalAccountEvent } from './machine.ts'

const tag = 'Internal Accounts'

export const InternalAccountType = enumOf(['INTERNAL_FIAT', 'INTERNAL_CRYPTO', 'EMBEDDED_WALLET'], {
  $id: 'InternalAccountType',
})
export type InternalAccountType = Static<typeof InternalAccountType>

export const InternalAccountStatus = enumOf(['PENDING', 'ACTIVE', 'CLOSED', 'FROZEN', 'FAILED'], {
  $id: 'InternalAccountStatus',
})
export type InternalAccountStatus = Static<typeof InternalAccountStatus>

export const InternalAccount = Type.Object(
  {
    id: idOf('InternalAccount'),
    customerId: Type.Optional(idOf('Customer')),
    type: InternalAccountType,
    status: InternalAccountStatus,
    balance: CurrencyAmount,
    totalBalance: CurrencyAmount,
    receivable: Type.Optional(CurrencyAmount),
    fundingPaymentInstructions: Type.Array(paymentInstructions),
    privateEnabled: Type.Optional(
      Type.Boolean({ description: 'True if the embedded wallet hides its balance from the public.' }),
    ),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    version: Type.Integer({
      minimum: 1,
      description:
        'Increases by one with each change of the balance or status. If you have two versions of an account, keep the higher version.',
    }),
  },
  {
    $id: 'InternalAccount',
    description:
      'balance is the available amount, and totalBalance also includes reserved amounts. receivable is the amount that the owner owes in this currency, and is absent if the owner owes nothing. Without customerId, the account belongs to the platform.',
  },
)
export type InternalAccount = Static<typeof InternalAccount>

export const InternalAccountList = listOf('InternalAccountListResponse', InternalAccount)

const filters = {
  currency: Type.Optional(repeatable(currencyCode())),
  customerId: Type.Optional(repeatable(idOf('Customer'))),
  type: Type.Optional(repeatable(InternalAccountType)),
}

const accountPath = Type.Object({ id: Type.String() })

export const listCustomerInternalAccounts = operation({
  id: 'listCustomerInternalAccounts',
  method: 'GET',
  path: '/customers/internal-accounts',
  tag,
  summary: 'List the internal accounts of customers',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({ ...filters, ...paging }),
  responses: { 200: InternalAccountList },
  errors: [],
})

export const findInternalAccounts = operation({
  id: 'findInternalAccounts',
  method: 'GET',
  path: '/internal-account',
  tag,
  summary: 'Find the internal account of a customer by currency',
  description: 'Returns the same list and has the same filters as GET /customers/internal-accounts.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({ ...filters, ...paging }),
  responses: { 200: InternalAccountList },
  errors: [],
  extension: true,
})

export const listPlatformInternalAccounts = operation({
  id: 'listPlatformInternalAccounts',
  method: 'GET',
  path: '/platform/internal-accounts',
  tag,
  summary: "List the platform's internal accounts",
  description: 'Returns all accounts on one page.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({ currency: filters.currency, type: filters.type }),
  responses: { 200: listOf('PlatformInternalAccountListResponse', InternalAccount) },
  errors: [],
})

export const getInternalAccount = operation({
  id: 'getInternalAccount',
  method: 'GET',
  path: '/internal-accounts/{id}',
  tag,
  summary: 'Read an internal account',
  auth: 'basic',
  permissions: ['VIEW'],
  params: accountPath,
  responses: { 200: InternalAccount },
  errors: ['REFERENCE_NOT_FOUND'],
  extension: true,
})

export const updateInternalAccount = operation({
  id: 'updateInternalAccount',
  method: 'PATCH',
  path: '/internal-accounts/{id}',
  tag,
  summary: 'Change the privacy of an embedded wallet',
  description:
    'The first response is 202. Sign `payloadToSign` from this response and repeat the request with the headers `Service-Wallet-Signature` and `Request-Id`.',
  auth: 'basic',
  permissions: ['TRANSACT', 'MANAGE'],
  params: accountPath,
  headers: signedRetryHeaders,
  body: Type.Object(
    { privateEnabled: Type.Optional(Type.Boolean()) },
    { $id: 'InternalAccountUpdateRequest' },
  ),
  responses: { 200: InternalAccount, 202: SignedRequestChallenge },
  errors: [
    'REQUEST_ID_MISSING',
    'WALLET_SIGNATURE_MISSING',
    'WALLET_SIGNATURE_MALFORMED',
    'WALLET_SIGNATURE_BODY_MISMATCH',
    'WALLET_SIGNATURE_INVALID',
    'REFERENCE_NOT_FOUND',
  ],
  example: { privateEnabled: true },
})

export const exportInternalAccount = operation({
  id: 'exportInternalAccount',
  method: 'POST',
  path: '/internal-accounts/{id}/export',
  tag,
  summary: 'Export the keys of an embedded wallet',
  description:
    'The first response is 202. Sign `payloadToSign` from this response and repeat the request with the headers `Service-Wallet-Signature` and `Request-Id`.',
  auth: 'basic',
  permissions: ['TRANSACT', 'MANAGE'],
  params: accountPath,
  headers: signedRetryHeaders,
  body: Type.Object(
    {
      clientPublicKey: Type.String({
        maxLength: 512,
        description: 'P-256 public key in hex. Corridor encrypts the exported keys to this key.',
      }),
    },
    { $id: 'InternalAccountExportRequest' },
  ),
  responses: {
    200: Type.Object(
      { id: idOf('InternalAccount'), encryptedWalletCredentials: Type.String() },
      { $id: 'InternalAccountExportResponse' },
    ),
    202: SignedRequestChallenge,
  },
  errors: [
    'REQUEST_ID_MISSING',
    'WALLET_SIGNATURE_MISSING',
    'WALLET_SIGNATURE_MALFORMED',
    'WALLET_SIGNATURE_BODY_MISMATCH',
    'WALLET_SIGNATURE_INVALID',
    'REFERENCE_NOT_FOUND',
  ],
})

const accountOfOperator = Type.Object({ internalAccountId: Type.String() })

/** What each move does to the money of the account. */
const powerOfMove: Readonly<Record<InternalAccountEvent, Power>> = {
  activate: 'REPAIR',
  fail: 'STOP',
  freeze: 'STOP',
  release: 'MONEY',
  close: 'STOP',
}

/** A status of an internal account is changed by the people who run the installation (accounts 3.1). */
function statusOperation(move: InternalAccountEvent, summary: string, description: string) {
  return operation({
    id: `operator${move[0]!.toUpperCase()}${move.slice(1)}InternalAccount`,
    method: 'POST',
    path: `/operator/internal-accounts/{internalAccountId}/${move}`,
    tag: 'Operator',
    summary,
    description,
    auth: 'operator',
    role: 'OPERATOR',
    permissions: [],
    params: accountOfOperator,
    power: powerOfMove[move],
    responses: { 200: InternalAccount, ...(move === 'release' ? { 202: Proposed } : {}) },
    errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
    events: ['INTERNAL_ACCOUNT.STATUS_UPDATED', 'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED'],
    extension: true,
  })
}

/** By the move of the machine that each of them makes; any other status than the move's is 409. */
export const statusOperations = {
  activate: statusOperation(
    'activate',
    'Activate a pending internal account',
    'Records that provisioning succeeded. Corridor credits money that arrived in the meantime.',
  ),
  fail: statusOperation(
    'fail',
    'Mark a pending internal account as failed',
    'Records that provisioning failed. The account can never be used.',
  ),
  freeze: statusOperation(
    'freeze',
    'Freeze an internal account',
    'A frozen account rejects new debits and credits. Payments in progress finish, and incoming money waits in suspense.',
  ),
  release: statusOperation(
    'release',
    'Release a frozen internal account',
    'The account keeps its funding instructions. Corridor credits money that arrived in the meantime.',
  ),
  close: statusOperation(
    'close',
    'Close an empty internal account permanently',
    'Returns 409 if balance or totalBalance is not 0, if the owner owes money in the currency, or if a payment to or from the account is in progress.',
  ),
} as const satisfies Readonly<Record<InternalAccountEvent, unknown>>
