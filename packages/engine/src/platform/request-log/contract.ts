import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { enumOf, listOf, nullable, paging, repeatable, timestamp } from '../../vocabulary/shapes.ts'

const tag = 'API Tokens'

export const LoggedRequest = Type.Object(
  {
    requestId: Type.String({ description: 'That of the `X-Request-Id` of the answer.' }),
    operation: Type.String({ description: 'Its `operationId`.' }),
    method: Type.String(),
    path: Type.String({ description: 'As in the reference: below the version, with the names of its ids.' }),
    resources: Type.Record(Type.String(), Type.String(), {
      description: 'The ids in the path, by the names of their parameters.',
    }),
    status: Type.Integer({
      description: 'Of the answer; 0 where a fault `REFUSED` cut the connection, so that there was none.',
    }),
    code: nullable(Type.String({ description: 'Of the error; null for a success.' })),
    fields: Type.Array(Type.String(), {
      maxItems: 20,
      description: 'Names of the fields that were wrong, never what they held.',
    }),
    milliseconds: Type.Integer({ minimum: 0 }),
    idempotencyKey: nullable(
      Type.String({ description: 'The same for the same `Idempotency-Key`; not the key itself.' }),
    ),
    replayed: Type.Boolean({ description: 'Whether the answer was that of the first request with its key.' }),
    actor: Type.String({ description: 'Who asked: a token, an agent or an operator by its id.' }),
    source: Type.String({ description: 'From where: an address of IPv4, or the /64 of one of IPv6.' }),
    createdAt: timestamp({ description: 'When it was answered, on the clock of the environment.' }),
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
  summary: 'List the requests that were made',
  description:
    'The latest 10,000 or somewhat more, for seven days, without what was sent and answered; in the sandbox, and in production where the operator has switched it on. Requests for this log, and what the console reads, are not in it. It is no record: where the server is too busy lines are missing, and after a crash of the database it begins anew.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    status: Type.Optional(repeatable(Type.String({ pattern: '^(0|[1-5][0-9]{2})$' }))),
    code: Type.Optional(repeatable(word)),
    operation: Type.Optional(repeatable(word)),
    method: Type.Optional(repeatable(enumOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))),
    actor: Type.Optional(repeatable(word)),
    resourceId: Type.Optional(
      repeatable(Type.String({ minLength: 1, maxLength: 200, description: 'Had this id in its path.' })),
    ),
    createdAfter: Type.Optional(timestamp({ description: 'Answered at this time or later.' })),
    createdBefore: Type.Optional(timestamp({ description: 'Answered at this time or earlier.' })),
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
  summary: 'Read a request that was made',
  description: 'The latest with this id, where a caller has given one to several.',
  auth: 'basic',
  permissions: ['VIEW'],
  params: Type.Object({ requestId: Type.String() }),
  responses: { 200: LoggedRequest },
  errors: ['REFERENCE_NOT_FOUND'],
  isUnlogged: true,
  extension: true,
})
