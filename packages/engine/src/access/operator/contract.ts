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
  isRegulated: Type.Boolean({ description: 'Whether it is a regulated financial institution.' }),
  skipPaperwork: Type.Boolean({ description: 'Whether simulated verification asks for no documents.' }),
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
  summary: 'Create a platform in one environment, with a first token',
  description:
    'Send the same name again with the other environment to give the platform both. Production needs a database server, unless the installation allows otherwise.',
  auth: 'operator',
  role: 'ADMINISTRATOR',
  power: 'ACCESS',
  permissions: [],
  body: OperatorPlatformCreateRequest,
  responses: {
    201: Type.Object(
      {
        ...OperatorPlatform.properties,
        webhookPublicKey: Type.String({ description: 'Verifies the webhooks of the platform, in PEM.' }),
        token: Type.Optional(
          Type.Object(
            { id: idOf('Token'), clientId: Type.String(), clientSecret: Type.String() },
            { description: 'Shown once, and not in a replay.' },
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
    keys: Type.Integer({ minimum: 0, description: 'Credentials that are good now.' }),
    lastUsedAt: Type.Optional(
      timestamp({ description: 'When one of them was last used; noted once an hour. Absent: never.' }),
    ),
    lastRequestAt: Type.Optional(
      timestamp({
        description:
          'When the platform asked for something last, by the clock of `now`. Absent where the request log has nothing of it, as in production unless `CORRIDOR_REQUEST_LOG` says so.',
      }),
    ),
    now: timestamp({
      description:
        "What time it is there: in the sandbox by the platform's own clock, which may have been moved.",
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
  description: 'Each setting that is given replaces the one before.',
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
  summary: 'Revoke a credential, even the last one',
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
  { $id: 'DeadJob', description: 'Background work that failed until nobody tried any more.' },
)
export type DeadJob = Static<typeof DeadJob>

export const listDeadJobs = operation({
  id: 'operatorListDeadJobs',
  method: 'GET',
  path: '/operator/jobs',
  tag,
  summary: 'List dead jobs of all platforms, the latest first',
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
  summary: 'List what a platform has sent to its customers, the latest first',
  description: 'With addresses and texts in the sandbox alone, where nothing leaves.',
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
  summary: 'Make the personal data of a deleted customer unreadable for good',
  description:
    'Deletes the key that its data is sealed with. Ids, statuses, amounts and times stay. 409 while the customer is active or a payment of it is under way.',
  auth: 'operator',
  role: 'ADMINISTRATOR',
  power: 'STOP',
  permissions: [],
  params: Type.Object({ customerId: Type.String() }),
  responses: { 204: null },
  errors: ['USER_NOT_FOUND', 'CONFLICT'],
})

export const AuditReport = Type.Object(
  {
    sound: Type.Boolean({ description: 'Whether no problem was found.' }),
    checkedAccounts: Type.Integer({ minimum: 0 }),
    checkedTransfers: Type.Integer({ minimum: 0 }),
    checkedCurrencies: Type.Integer({ minimum: 0, description: 'Each of them is to sum to 0.' }),
    checkedAuditEntries: Type.Integer({ minimum: 0 }),
    problems: Type.Array(
      Type.Object({
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
          description: 'The ledger account, the currency or the stablecoin, or the id of a record.',
        }),
        found: Type.String(),
        expected: Type.String(),
        message: Type.Optional(
          Type.String({
            description: 'Of a record: names the table, the row and its platform, and says what is wrong.',
          }),
        ),
        firstBadPosting: Type.Optional(
          Type.Object(
            { id: Type.String(), at: timestamp() },
            {
              description:
                'Where it begins: the posting that took the account below zero, the first that its balance does not know of, or the first whose money has not left since. Absent where no posting can be named.',
            },
          ),
        ),
      }),
      { description: 'The first 100 of each rule.' },
    ),
  },
  { $id: 'AuditReport' },
)

export const auditLedger = operation({
  id: 'operatorAuditLedger',
  method: 'GET',
  path: '/operator/audit',
  tag,
  summary: 'Check the ledgers of all platforms',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  responses: { 200: AuditReport },
  errors: [],
})
