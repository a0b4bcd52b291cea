import Type, { type Static } from 'typebox'
import { areaNames } from '../../vocabulary/areas.ts'
import { operation } from '../../vocabulary/operation.ts'
import {
  enumOf,
  idOf,
  listOf,
  nameText,
  paging,
  repeatable,
  timeFilters,
  timestamp,
} from '../../vocabulary/shapes.ts'

const tag = 'API Tokens'

const ours = { 'x-corridor-extension': true }
const TokenArea = enumOf(areaNames, { $id: 'TokenArea' })

/** What a token is held to beside its permissions; ours, beyond the API that clients of this shape know. */
const limits = {
  expiresAt: Type.Optional(
    timestamp({ ...ours, description: 'Expiry of the token. If absent, the token does not expire.' }),
  ),
  allowedAddresses: Type.Optional(
    Type.Array(Type.String({ minLength: 2, maxLength: 49 }), {
      ...ours,
      minItems: 1,
      maxItems: 50,
      description:
        'IPv4 addresses and networks, and IPv6 networks of /64 or larger, from which the token works. If absent, the token works from all addresses.',
      examples: [['192.0.2.17', '2001:db8:1::/48']],
    }),
  ),
  areas: Type.Optional(
    Type.Array(TokenArea, {
      ...ours,
      minItems: 1,
      maxItems: 50,
      description:
        'Parts of the API that the token can use, within its permissions. If absent, the token can use all parts.',
    }),
  ),
}

/** TRANSACT and MANAGE each imply VIEW, and do not imply each other (conventions 2.3). */
export const TokenPermission = enumOf(['VIEW', 'TRANSACT', 'MANAGE'], { $id: 'Permission' })

export const ApiToken = Type.Object(
  {
    id: idOf('Token'),
    name: Type.String({ examples: ['Reporting, read-only'] }),
    permissions: Type.Array(TokenPermission),
    clientId: Type.String({ description: 'User name for HTTP Basic authentication.' }),
    clientSecret: Type.Optional(
      Type.String({
        description:
          'Password for HTTP Basic authentication. Only the response that creates the token contains the password.',
      }),
    ),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    ...limits,
    lastUsedAt: Type.Optional(
      timestamp({
        ...ours,
        description: 'Last use of the token, to the hour. If absent, the token was never used.',
      }),
    ),
    overlapEndsAt: Type.Optional(
      timestamp({ ...ours, description: 'Expiry of the previous secret after a rotation.' }),
    ),
  },
  { $id: 'ApiToken' },
)
export type ApiToken = Static<typeof ApiToken>

export const ApiTokenCreateRequest = Type.Object(
  {
    name: nameText({ pattern: '\\S', examples: ['Reporting, read-only'] }),
    permissions: Type.Array(TokenPermission, { minItems: 1, maxItems: 1000 }),
    ...limits,
  },
  { $id: 'ApiTokenCreateRequest' },
)
export type ApiTokenCreateRequest = Static<typeof ApiTokenCreateRequest>

export const TokenList = listOf('TokenListResponse', ApiToken)

const tokenPath = Type.Object({ tokenId: Type.String() })

export const listTokens = operation({
  id: 'listTokens',
  method: 'GET',
  path: '/tokens',
  tag,
  summary: 'List tokens',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    name: Type.Optional(repeatable(nameText({ description: 'The match is exact and case-sensitive.' }))),
    ...timeFilters,
    ...paging,
  }),
  responses: { 200: TokenList },
  errors: [],
})

export const createToken = operation({
  id: 'createToken',
  method: 'POST',
  path: '/tokens',
  tag,
  summary: 'Create a token',
  description:
    'The token belongs to the environment of your credentials and can only have permissions that you have. After a rotation, the previous secret cannot create tokens. Only this response contains the secret.',
  auth: 'basic',
  permissions: ['MANAGE'],
  body: ApiTokenCreateRequest,
  responses: { 201: ApiToken },
  secretFields: ['clientSecret'],
  errors: [],
  example: { name: 'Reporting, read-only', permissions: ['VIEW'] },
})

export const getTokenById = operation({
  id: 'getTokenById',
  method: 'GET',
  path: '/tokens/{tokenId}',
  tag,
  summary: 'Read a token',
  auth: 'basic',
  permissions: ['VIEW'],
  params: tokenPath,
  responses: { 200: ApiToken },
  errors: ['TOKEN_NOT_FOUND'],
})

export const rotateToken = operation({
  id: 'rotateToken',
  method: 'POST',
  path: '/tokens/{tokenId}/rotate',
  tag,
  summary: 'Rotate the secret of a token',
  description:
    'The previous secret stays valid for overlapSeconds, so that no request fails in the meantime. A token has at most two secrets, so another rotation invalidates the oldest secret. You can only rotate a token whose permissions and limits you also have.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: tokenPath,
  body: Type.Object(
    {
      overlapSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 604_800,
          default: 86_400,
          description:
            'Seconds for which the previous secret stays valid. With 0, the previous secret becomes invalid immediately.',
        }),
      ),
    },
    { $id: 'ApiTokenRotateRequest' },
  ),
  bodyOptional: true,
  responses: { 200: ApiToken },
  secretFields: ['clientSecret'],
  errors: ['TOKEN_NOT_FOUND'],
  extension: true,
})

export const deleteTokenById = operation({
  id: 'deleteTokenById',
  method: 'DELETE',
  path: '/tokens/{tokenId}',
  tag,
  summary: 'Delete a token',
  description:
    'The token stops working immediately, or within two seconds if the installation runs several processes. You cannot delete the last token with MANAGE. Tokens with an expiry or address limits count only if the deleted token has such limits too. After a rotation, the previous secret cannot delete tokens. A token with limits cannot delete a token with fewer limits.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: tokenPath,
  responses: { 204: null },
  errors: ['INVALID_INPUT', 'TOKEN_NOT_FOUND'],
})
