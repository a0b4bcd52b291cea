import Type, { type Static } from 'typebox'
import { recordRules } from '../../mechanisms/audit/record-rules.ts'
import { Message, MessageChannel } from '../../notices/messages/contract.ts'
import { PlatformSettings } from '../../platform/platforms/index.ts'
import { ApiToken, ApiTokenCreateRequest } from '../../platform/tokens/contract.ts'
import { operation } from '../../vocabulary/operation.ts'
import { enumOf, idOf, listOf, nameText, openObject, Proposed, timestamp } from '../../vocabulary/shapes.ts'

/**
 * What the people who run an installation may do. It stands outside the version segment and the published
 * document, and knows the operator's key alone.
 */

const tag = 'Operator'

const uuid = (description?: string) =>
  Type.String({
    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    ...(description ? { description } : {}),
  })
const environment = enumOf(['SANDBOX', 'PRODUCTION'])
const bookQuery = Type.Object({ environment })

const platformFacts = {
  name: nameText({ pattern: '\\S' }),
  environment,
  isRegulated: Type.Boolean({ description: 'True for a regulated financial institution.' }),
  skipPaperwork: Type.Boolean({ description: 'True if simulated verification does not require documents.' }),
  settings: PlatformSettings,
}

export const OperatorPlatform = Type.Object(
  { id: uuid(), ...platformFacts, createdAt: timestamp() },
  { $id: 'OperatorPlatform', description: 'A platform in one environment.' },
)
export type OperatorPlatform = Static<typeof OperatorPlatform>

export const OperatorPlatformCreateRequest = Type.Object(
  {
    name: platformFacts.name,
    environment,
    isRegulated: Type.Optional(Type.Boolean({ default: false })),
    skipPaperwork: Type.Optional(Type.Boolean({ default: false })),
    settings: Type.Optional(PlatformSettings),
  },
  { $id: 'OperatorPlatformCreateRequest' },
)
export type OperatorPlatformCreateRequest = Static<typeof OperatorPlatformCreateRequest>

export const createPlatform = operation({
  id: 'operatorCreatePlatform',
  method: 'POST',
  path: '/operator/platforms',
  tag,
  summary: 'Create a platform in one environment, with its first token',
  description:
    'To give a platform both environments, send its name again with the other environment. Production requires a PostgreSQL server, unless the installation allows the embedded database.',
  auth: 'operator',
  role: 'ADMINISTRATOR',
  power: 'ACCESS',
  permissions: [],
  body: OperatorPlatformCreateRequest,
  responses: {
    201: Type.Object(
      {
        ...OperatorPlatform.properties,
        webhookPublicKey: Type.String({
          description: "Public key that verifies the platform's webhooks, in PEM.",
        }),
        token: Type.Optional(
          Type.Object(
            { id: idOf('Token'), clientId: Type.String(), clientSecret: Type.String() },
            { description: 'Only the first response contains the secret. A replayed response omits it.' },
          ),
        ),
      },
      { $id: 'OperatorPlatformCreated' },
    ),
    202: Proposed,
  },
  errors: ['CONFLICT'],
  secretFields: ['token'],
})

const ListedPlatform = Type.Object(
  {
    ...OperatorPlatform.properties,
    keys: Type.Integer({ minimum: 0, description: 'Number of credentials that are currently valid.' }),
    lastUsedAt: Type.Optional(
      timestamp({
        description: 'Last use of any of these credentials, to the hour. If absent, none was ever used.',
      }),
    ),
    lastRequestAt: Type.Optional(
      timestamp({
        description:
          'Last request of the platform, on the same clock as `now`. Absent if the request log has no entry, for example in production without `CORRIDOR_REQUEST_LOG`.',
      }),
    ),
    now: timestamp({
      description: 'Current time of the environment. The clock of a sandbox may be ahead of real time.',
    }),
  },
  { $id: 'OperatorListedPlatform' },
)

export const listPlatforms = operation({
  id: 'operatorListPlatforms',
  method: 'GET',
  path: '/operator/platforms',
  tag,
  summary: 'List platforms, one entry per environment',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  responses: { 200: listOf('OperatorPlatformList', ListedPlatform) },
  errors: [],
})

export const updateSettings = operation({
  id: 'operatorUpdateSettings',
  method: 'PATCH',
  path: '/operator/platforms/{platformId}',
  tag,
  summary: 'Change the settings of a platform in one environment',
  description: 'Replaces the settings that you send. Other settings do not change.',
  auth: 'operator',
  role: 'ADMINISTRATOR',
  power: 'TERMS',
  permissions: [],
  params: Type.Object({ platformId: Type.String() }),
  query: bookQuery,
  body: Type.Object({ settings: PlatformSettings }, { $id: 'OperatorSettingsUpdateRequest' }),
  responses: { 200: OperatorPlatform, 202: Proposed },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const issueToken = operation({
  id: 'operatorIssueToken',
  method: 'POST',
  path: '/operator/platforms/{platformId}/tokens',
  tag,
  summary: 'Issue a credential to a platform',
  auth: 'operator',
  role: 'ADMINISTRATOR',
  power: 'ACCESS',
  permissions: [],
  params: Type.Object({ platformId: Type.String() }),
  query: bookQuery,
  body: ApiTokenCreateRequest,
  responses: { 201: ApiToken, 202: Proposed },
  errors: ['REFERENCE_NOT_FOUND'],
  secretFields: ['clientSecret'],
})

export const revokeToken = operation({
  id: 'operatorRevokeToken',
  method: 'DELETE',
  path: '/operator/platforms/{platformId}/tokens/{tokenId}',
  tag,
  summary: 'Revoke a credential of a platform',
  auth: 'operator',
  role: 'OPERATOR',
  power: 'STOP',
  permissions: [],
  params: Type.Object({ platformId: Type.String(), tokenId: Type.String() }),
  query: bookQuery,
  responses: { 204: null },
  errors: ['REFERENCE_NOT_FOUND', 'TOKEN_NOT_FOUND'],
})

export const DeadJob = Type.Object(
  {
    id: uuid(),
    platformId: uuid(),
    environment,
    kind: Type.String(),
    payload: openObject(),
    attempts: Type.Integer(),
    lastError: Type.Optional(Type.String()),
    createdAt: timestamp(),
    deadAt: timestamp(),
  },
  { $id: 'DeadJob', description: 'Time at which Corridor stopped retrying the job.' },
)
export type DeadJob = Static<typeof DeadJob>

export const listDeadJobs = operation({
  id: 'operatorListDeadJobs',
  method: 'GET',
  path: '/operator/jobs',
  tag,
  summary: 'List dead jobs of all platforms, latest first',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  responses: { 200: listOf('DeadJobList', DeadJob) },
  errors: [],
})

export const retryJob = operation({
  id: 'operatorRetryJob',
  method: 'POST',
  path: '/operator/jobs/{jobId}/retry',
  tag,
  summary: 'Run a dead job again',
  auth: 'operator',
  role: 'OPERATOR',
  power: 'REPAIR',
  permissions: [],
  params: Type.Object({ jobId: Type.String() }),
  responses: { 204: null },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
})

export const listMessages = operation({
  id: 'operatorListMessages',
  method: 'GET',
  path: '/operator/messages',
  tag,
  summary: 'List the messages of a platform to its customers, latest first',
  description:
    'The messages include addresses and texts only in the sandbox, where no message leaves the server.',
  auth: 'operator',
  role: 'REVIEWER',
  permissions: [],
  query: Type.Object({
    platformId: uuid(),
    environment,
    customerId: Type.Optional(idOf('Customer')),
    channel: Type.Optional(MessageChannel),
  }),
  responses: { 200: listOf('OperatorMessageList', Message) },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const eraseCustomer = operation({
  id: 'operatorEraseCustomer',
  method: 'POST',
  path: '/operator/customers/{customerId}/erase',
  tag,
  summary: 'Erase the personal data of a deleted customer',
  description:
    "Deletes the customer's data key, which makes the encrypted data permanently unreadable. Ids, statuses, amounts and times remain. Returns 409 if the customer is active or has a payment in progress.",
  auth: 'operator',
  role: 'ADMINISTRATOR',
  power: 'STOP',
  permissions: [],
  params: Type.Object({ customerId: Type.String() }),
  responses: { 204: null },
  errors: ['USER_NOT_FOUND', 'CONFLICT'],
})

const AuditProblem = Type.Object({
  rule: enumOf([
    'CURRENCY_UNBALANCED',
    'NEGATIVE_BALANCE',
    'BALANCE_DIFFERS_FROM_TRANSFERS',
    'TRANSACTION_NOT_EMPTIED',
    'MINTED_NOT_IN_RESERVE',
    'OWNER_WITHOUT_RECORD',
    'AUDIT_LOG_BROKEN',
    ...recordRules.map(({ code }) => code),
  ]),
  platformId: uuid(),
  environment,
  subject: Type.String({
    description: 'Ledger account, currency, stablecoin, or id of a record.',
  }),
  found: Type.String(),
  expected: Type.String(),
  message: Type.Optional(
    Type.String({
      description: 'Table, row, platform and problem of a record. Absent for ledger accounts.',
    }),
  ),
  firstBadPosting: Type.Optional(
    Type.Object(
      { id: Type.String(), at: timestamp() },
      {
        description:
          'First posting with the problem. This posting made the balance negative, is not included in the balance, or left money in an account that should be empty. Absent if no posting caused the problem.',
      },
    ),
  ),
})

export const AuditReport = Type.Object(
  {
    sound: Type.Boolean({ description: 'True if the audit found no problem.' }),
    checkedAt: timestamp({ description: 'Time to which the report refers.' }),
    isUnderWay: Type.Boolean({
      description: 'True if another audit is running. The report is then the result of the last audit.',
    }),
    checkedAccounts: Type.Integer({ minimum: 0 }),
    checkedTransfers: Type.Integer({ minimum: 0 }),
    checkedCurrencies: Type.Integer({
      minimum: 0,
      description: 'The entries of each currency must sum to 0.',
    }),
    checkedAuditEntries: Type.Integer({ minimum: 0 }),
    problems: Type.Array(AuditProblem, { description: 'The first 100 problems of each rule.' }),
    inBackground: Type.Optional(
      Type.Object(
        {
          completedAt: Type.Optional(
            timestamp({
              description:
                'Time at which the last round of all rules ended. Absent before the first round ends.',
            }),
          ),
          problems: Type.Array(AuditProblem),
        },
        {
          description:
            'Problems that the background audit found in its last check of each rule. One process runs this audit, rule by rule.',
        },
      ),
    ),
  },
  { $id: 'AuditReport' },
)

export const auditLedger = operation({
  id: 'operatorAuditLedger',
  method: 'GET',
  path: '/operator/audit',
  tag,
  summary: 'Audit the ledgers of all platforms',
  description:
    'Reads every row. An installation runs one audit at a time. While an audit is running, the response is the result of the previous audit, or CONFLICT if there is no previous audit.',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  responses: { 200: AuditReport },
  errors: ['CONFLICT'],
})
