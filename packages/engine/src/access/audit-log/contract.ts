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
  description: 'DONE; REFUSED, with the code of the refusal; FAILED by an error that nobody foresaw.',
})

export const AuditLogEntry = Type.Object(
  {
    id: uuid('Its own.'),
    at: timestamp(),
    platformId: Type.Optional(uuid('Absent: it concerns the installation itself.')),
    environment: Type.Optional(environment),
    actor: Type.String({
      description:
        'Who: a token, an agent or an operator by its id; `operator` for the key of the environment; `stranger`.',
    }),
    source: Type.String({ description: 'From where: an address of IPv4, or the /64 of one of IPv6.' }),
    operation: Type.String({ description: 'The operation, or signIn.' }),
    resources: Type.Record(Type.String(), Type.String(), {
      description: 'Ids that were named or made, by the names of their parameters.',
    }),
    changed: Type.Array(Type.String(), { description: 'Fields that were given.' }),
    values: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'Those of them that say nothing of a person and are no secrets.',
      }),
    ),
    reason: Type.Optional(
      Type.String({ maxLength: 200, description: 'Why, as who did it at the console has said.' }),
    ),
    outcome,
    code: Type.Optional(Type.String()),
    requestId: Type.Optional(Type.String({ description: 'As in the log of the server.' })),
    count: Type.Optional(
      Type.Integer({ description: 'How often until `until`, where attempts are counted.' }),
    ),
    until: Type.Optional(timestamp()),
    position: Type.Integer({ description: 'In the chain of its platform and environment.' }),
  },
  { $id: 'AuditLogEntry', description: 'Who did what.' },
)
export type AuditLogEntry = Static<typeof AuditLogEntry>

export const listAuditLog = operation({
  id: 'operatorListAuditLog',
  method: 'GET',
  path: '/operator/audit-log',
  tag,
  summary: 'List who did what, the latest first',
  description:
    'Every request of an operator, every change by a token or an agent, and every refused sign-in, these counted by the minute.',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  query: Type.Object({
    platformId: Type.Optional(uuid('Entries of this platform.')),
    environment: Type.Optional(environment),
    actor: Type.Optional(text('Entries of this actor.')),
    operation: Type.Optional(text('Entries about this operation.')),
    resource: Type.Optional(text('Entries that name this id.')),
    outcome: Type.Optional(outcome),
    createdAfter: Type.Optional(timestamp({ description: 'At this time or later.' })),
    createdBefore: Type.Optional(timestamp({ description: 'At this time or earlier.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Entries per page.' }),
    ),
    cursor: Type.Optional(uuid('`nextCursor` of the page before.')),
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
  summary: 'Export the audit log of a platform, or of the installation, with its hashes',
  description:
    'In the order of the chain. The hash of an entry is that of the hash before, a line feed, the position, a line feed and the entry as it is here; the first begins with the hash in `forgotten`.',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  query: Type.Object({
    platformId: Type.Optional(uuid('Absent: the log of the installation itself.')),
    environment: Type.Optional(environment),
    after: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: 'A position.' }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 1000, description: 'Entries per page.' }),
    ),
  }),
  responses: {
    200: Type.Object(
      {
        forgotten: Type.Object(
          { position: Type.Integer(), hash: Type.Optional(hash) },
          { description: 'The last entry that retention has removed.' },
        ),
        head: Type.Object(
          { position: Type.Integer(), hash: Type.Optional(hash) },
          { description: 'The last entry. Keep it: a chain that was cut off later does not come to it.' },
        ),
        data: Type.Array(
          Type.Object({
            position: Type.Integer(),
            hash,
            entry: Type.String({ description: 'JSON, byte for byte as it was hashed.' }),
          }),
        ),
        hasMore: Type.Boolean(),
      },
      { $id: 'AuditLogExport' },
    ),
  },
  errors: [],
})
