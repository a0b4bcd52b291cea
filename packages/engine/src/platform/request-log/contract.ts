import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { enumOf, listOf, nullable, paging, repeatable, timestamp } from '../../vocabulary/shapes.ts'

const tag = 'API Tokens'

export const LoggedRequest = Type.Object(
  {
    requestId: Type.String({ description: 'Value of `X-Request-Id` in the response.' }),
    operation: Type.String({ description: '`operationId` of the request.' }),
    method: Type.String(),
    path: Type.String({
      description:
        'Path as in the API reference, without the version and with parameter names instead of ids.',
    }),
    resources: Type.Record(Type.String(), Type.String(), {
      description: 'Ids in the path, by parameter name.',
    }),
    status: Type.Integer({
      description: 'Response status, or 0 if a `REFUSED` fault closed the connection before a response.',
    }),
    code: nullable(Type.String({ description: 'Error code, or null if the request succeeded.' })),
    fields: Type.Array(Type.String(), {
      maxItems: 20,
      description: 'Names of invalid fields, without their values.',
    }),
    milliseconds: Type.Integer({ minimum: 0 }),
    idempotencyKey: nullable(
      Type.String({
        description: 'Hash of the `Idempotency-Key` header. Requests with the same key have the same hash.',
      }),
    ),
    replayed: Type.Boolean({ description: 'True if the response was a replay for its idempotency key.' }),
    actor: Type.String({ description: 'Id of the token, agent or operator that made the request.' }),
    source: Type.String({
      description: 'Address of the caller: IPv4, or the /64 network of an IPv6 address.',
    }),
    createdAt: timestamp({ description: 'Time of the response, on the clock of the environment.' }),
  },
  { $id: 'LoggedRequest' },
)
export type LoggedRequest = Static<typeof LoggedRequest>

const word = Type.String({ minLength: 1, maxLength: 80 })

export const listRequests = operation({
  id: 'listRequests',
  method: 'GET',
  path: '/request-log',
  tag,
  summary: 'List requests',
  description:
    'Returns about 10,000 of the latest requests of the last seven days, without bodies. The log is available in the sandbox, and in production if the operator enables it. The log omits requests for the log itself and reads by the console. Do not use the log as a record, because a busy server omits entries and a crash of the database empties the log.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    status: Type.Optional(repeatable(Type.String({ pattern: '^(0|[1-5][0-9]{2})$' }))),
    code: Type.Optional(repeatable(word)),
    operation: Type.Optional(repeatable(word)),
    method: Type.Optional(repeatable(enumOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))),
    actor: Type.Optional(repeatable(word)),
    resourceId: Type.Optional(
      repeatable(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Id of a resource in the path of the request.',
        }),
      ),
    ),
    createdAfter: Type.Optional(
      timestamp({ description: 'Returns requests with a response at or after this time.' }),
    ),
    createdBefore: Type.Optional(
      timestamp({ description: 'Returns requests with a response at or before this time.' }),
    ),
    ...paging,
  }),
  responses: { 200: listOf('LoggedRequestListResponse', LoggedRequest) },
  errors: [],
  isUnlogged: true,
  extension: true,
})

export const getRequest = operation({
  id: 'getRequest',
  method: 'GET',
  path: '/request-log/{requestId}',
  tag,
  summary: 'Read a request',
  description: 'If several requests have this id, Corridor returns the latest request.',
  auth: 'basic',
  permissions: ['VIEW'],
  params: Type.Object({ requestId: Type.String() }),
  responses: { 200: LoggedRequest },
  errors: ['REFERENCE_NOT_FOUND'],
  isUnlogged: true,
  extension: true,
})
