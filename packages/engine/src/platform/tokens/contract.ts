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
  expiresAt: Type.Optional(timestamp({ ...ours, description: 'When it ends. Absent: never.' })),
  allowedAddresses: Type.Optional(
    Type.Array(Type.String({ minLength: 2, maxLength: 49 }), {
      ...ours,
      minItems: 1,
      maxItems: 50,
      description:
        'Addresses of IPv4 and networks that it is good from, IPv6 in a /64 or larger. Absent: all.',
      examples: [['192.0.2.17', '2001:db8:1::/48']],
    }),
  ),
  areas: Type.Optional(
    Type.Array(TokenArea, {
      ...ours,
      minItems: 1,
      maxItems: 50,
      description: 'Parts of the API that it is good for, as far as its permissions go. Absent: all.',
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
    clientId: Type.String({ description: 'The user name of HTTP Basic authentication.' }),
    clientSecret: Type.Optional(
      Type.String({ description: 'The password. Shown once, in the answer that creates the token.' }),
    ),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    ...limits,
    lastUsedAt: Type.Optional(
      timestamp({ ...ours, description: 'When it was used last, to the hour. Absent: never.' }),
    ),
    overlapEndsAt: Type.Optional(
      timestamp({ ...ours, description: 'How long the secret before the last rotation is good.' }),
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
    name: Type.Optional(repeatable(nameText({ description: 'Exact, case-sensitive.' }))),
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
    'The token belongs to the environment of the credentials that create it, and may hold only permissions that they hold. A secret of before a rotation creates none. The secret is in this answer and nowhere else.',
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
  summary: 'Give a token another secret',
  description:
    'The secret of before stays good for as long as is said, so that no request is refused meanwhile; of more than two the oldest ends. Only a token whose permissions and limits the caller has too.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: tokenPath,
  body: Type.Object(
    {
      overlapSeconds: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 604_800, default: 86_400, description: '0 ends it at once.' }),
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
    'The next request with it is refused; where several processes serve one installation, by each of them within two seconds. The last token with MANAGE cannot be deleted; one that ends or is held to addresses counts only where this one is too. A secret of before a rotation deletes none, and a token that is held to limits none that is held to less.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: tokenPath,
  responses: { 204: null },
  errors: ['INVALID_INPUT', 'TOKEN_NOT_FOUND'],
})
