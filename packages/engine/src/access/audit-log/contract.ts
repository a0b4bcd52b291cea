import Type, { type Static } from 'typebox'
import { auditOutcomes } from '../../mechanisms/audit-log/entry.ts'
import { operation } from '../../vocabulary/operation.ts'
import { environments } from '../../vocabulary/scope.ts'
import { enumOf, timestamp } from '../../vocabulary/shapes.ts'

const tag = 'Operator'
const uuid = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', description })
const environment = enumOf([...environments])
const hash = Type.String({ description: 'SHA-256 in hexadecimal.' })
const text = (description: string) => Type.String({ minLength: 1, maxLength: 80, description })

const outcome = enumOf([...auditOutcomes], {
  description:
    'DONE means that the operation succeeded, REFUSED that it was rejected with an error code, and FAILED that an unexpected error occurred.',
})

export const AuditLogEntry = Type.Object(
  {
    id: uuid('Its own.'),
    at: timestamp(),
    platformId: Type.Optional(uuid('If absent, the entry is about the installation itself.')),
    environment: Type.Optional(environment),
    actor: Type.String({
      description:
        "Id of the token, agent or operator; `operator` for the environment's operator key; `stranger` for a caller without valid credentials.",
    }),
    source: Type.String({
      description: 'Address of the caller: IPv4, or the /64 network of an IPv6 address.',
    }),
    operation: Type.String({ description: 'Operation id, or signIn.' }),
    resources: Type.Record(Type.String(), Type.String(), {
      description: 'Ids that the request named or created, by parameter name.',
    }),
    changed: Type.Array(Type.String(), { description: 'Fields that the request set.' }),
    values: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'Values of the fields, except personal data and secrets.',
      }),
    ),
    reason: Type.Optional(
      Type.String({ maxLength: 200, description: 'Reason that the person entered in the console.' }),
    ),
    outcome,
    code: Type.Optional(Type.String()),
    requestId: Type.Optional(Type.String({ description: 'Request id, as in the server log.' })),
    count: Type.Optional(
      Type.Integer({
        description: 'Number of attempts up to `until`. Present only in entries that count attempts.',
      }),
    ),
    until: Type.Optional(timestamp()),
    position: Type.Integer({
      description: 'Position of the entry in the chain of the platform and environment.',
    }),
  },
  { $id: 'AuditLogEntry', description: 'An entry of the audit log.' },
)
export type AuditLogEntry = Static<typeof AuditLogEntry>

export const listAuditLog = operation({
  id: 'operatorListAuditLog',
  method: 'GET',
  path: '/operator/audit-log',
  tag,
  summary: 'List audit log entries, latest first',
  description:
    'Returns every request by an operator, every change by a token or an agent, and every rejected sign-in. An entry for rejected sign-ins counts the attempts per minute.',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  query: Type.Object({
    platformId: Type.Optional(uuid('Returns entries about this platform.')),
    environment: Type.Optional(environment),
    actor: Type.Optional(text('Returns entries by this actor.')),
    operation: Type.Optional(text('Returns entries about this operation.')),
    resource: Type.Optional(text('Returns entries that name this id.')),
    outcome: Type.Optional(outcome),
    createdAfter: Type.Optional(timestamp({ description: 'Returns entries at or after this time.' })),
    createdBefore: Type.Optional(timestamp({ description: 'Returns entries at or before this time.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Number of entries per page.' }),
    ),
    cursor: Type.Optional(uuid('Value of `nextCursor` on the previous page.')),
  }),
  responses: {
    200: Type.Object(
      {
        data: Type.Array(AuditLogEntry),
        hasMore: Type.Boolean(),
        nextCursor: Type.Optional(Type.String()),
      },
      { $id: 'AuditLogPage' },
    ),
  },
  errors: [],
})

export const exportAuditLog = operation({
  id: 'operatorExportAuditLog',
  method: 'GET',
  path: '/operator/audit-log/export',
  tag,
  summary: 'Export the audit log of a platform or of the installation, with hashes',
  description:
    'Returns the entries in the order of the chain. The hash of an entry covers the previous hash, a line feed, the position, a line feed and the entry as in this response. The first hash builds on the hash in `forgotten`.',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  query: Type.Object({
    platformId: Type.Optional(uuid('If absent, Corridor exports the log of the installation itself.')),
    environment: Type.Optional(environment),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'The export starts after this position.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 1000, description: 'Number of entries per page.' }),
    ),
  }),
  responses: {
    200: Type.Object(
      {
        forgotten: Type.Object(
          { position: Type.Integer(), hash: Type.Optional(hash) },
          { description: 'Last entry that retention removed.' },
        ),
        head: Type.Object(
          { position: Type.Integer(), hash: Type.Optional(hash) },
          {
            description:
              'Latest entry. Store its hash to detect later whether entries were removed from the end of the chain.',
          },
        ),
        data: Type.Array(
          Type.Object({
            position: Type.Integer(),
            hash,
            entry: Type.String({ description: 'Exact JSON bytes that the hash covers.' }),
          }),
        ),
        hasMore: Type.Boolean(),
      },
      { $id: 'AuditLogExport' },
    ),
  },
  errors: [],
})
