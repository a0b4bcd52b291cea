import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import {
  enumOf,
  idOf,
  repeatable,
  SignedRequestChallenge,
  signedRetryHeaders,
  timestamp,
} from '../../vocabulary/shapes.ts'

const tag = 'Embedded Wallet Auth'
const path = Type.Object({ id: Type.String() })

const DelegatedKeyStatus = enumOf(['PENDING', 'ACTIVE', 'REVOKED'], { $id: 'DelegatedKeyStatus' })

export const DelegatedKey = Type.Object(
  {
    id: idOf('DelegatedKey'),
    cardId: idOf('Card'),
    fundingSourceId: idOf('CardFundingSource'),
    accountId: idOf('InternalAccount'),
    publicKey: Type.String({
      description: 'Compressed P-256 public key, in hex. No response contains the private key.',
    }),
    nickname: Type.String(),
    status: DelegatedKeyStatus,
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'DelegatedKey' },
)
export type DelegatedKeyWire = Static<typeof DelegatedKey>

export const listDelegatedKeys = operation({
  id: 'listDelegatedKeys',
  method: 'GET',
  path: '/auth/delegated-keys',
  tag,
  summary: 'List delegated keys',
  description:
    'Filter by account, by funding source, or by both. Returns all keys on one page, oldest first.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    accountId: Type.Optional(repeatable(idOf('InternalAccount'))),
    fundingSourceId: Type.Optional(repeatable(idOf('CardFundingSource'))),
  }),
  responses: {
    200: Type.Object({ data: Type.Array(DelegatedKey) }, { $id: 'DelegatedKeyListResponse' }),
  },
  errors: [],
})

export const createDelegatedKey = operation({
  id: 'createDelegatedKey',
  method: 'POST',
  path: '/auth/delegated-keys',
  tag,
  summary: 'Allow the service to sign card payments from a wallet',
  description:
    'The first two responses are 202. Sign `payloadToSign` of the first response and repeat the request with the headers `Service-Wallet-Signature` and `Request-Id`. Then do the same with the second response.',
  auth: 'basic',
  permissions: ['TRANSACT', 'MANAGE'],
  headers: signedRetryHeaders,
  body: Type.Object(
    {
      cardId: idOf('Card'),
      internalAccountId: idOf('InternalAccount'),
      nickname: Type.String({ minLength: 1, maxLength: 256, examples: ['Card payments key'] }),
    },
    { $id: 'DelegatedKeyCreateRequest' },
  ),
  responses: { 201: DelegatedKey, 202: SignedRequestChallenge },
  errors: [
    'REQUEST_ID_MISSING',
    'WALLET_SIGNATURE_MISSING',
    'WALLET_SIGNATURE_MALFORMED',
    'WALLET_SIGNATURE_BODY_MISMATCH',
    'WALLET_SIGNATURE_INVALID',
    'REFERENCE_NOT_FOUND',
    'CONFLICT',
  ],
  example: {
    cardId: 'Card:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70',
    internalAccountId: 'InternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f71',
    nickname: 'Card payments key',
  },
})

export const getDelegatedKey = operation({
  id: 'getDelegatedKeyById',
  method: 'GET',
  path: '/auth/delegated-keys/{id}',
  tag,
  summary: 'Read a delegated key',
  auth: 'basic',
  permissions: ['VIEW'],
  params: path,
  responses: { 200: DelegatedKey },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const revokeDelegatedKey = operation({
  id: 'revokeDelegatedKey',
  method: 'DELETE',
  path: '/auth/delegated-keys/{id}',
  tag,
  summary: 'Revoke a delegated key',
  description:
    'The revocation takes effect immediately and needs no signature. Only active keys can be revoked.',
  auth: 'basic',
  permissions: ['TRANSACT', 'MANAGE'],
  params: path,
  responses: { 204: null },
  errors: ['INVALID_INPUT', 'REFERENCE_NOT_FOUND'],
})
