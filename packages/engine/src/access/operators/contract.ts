import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { operatorRoles } from '../../vocabulary/roles.ts'
import {
  enumOf,
  idOf,
  listOf,
  nameText,
  openObject,
  Proposed,
  paging,
  timestamp,
} from '../../vocabulary/shapes.ts'

const tag = 'Operator'
const role = enumOf([...operatorRoles], { $id: 'OperatorRole' })

export const OperatorAccount = Type.Object(
  {
    id: Type.String({ description: "`operator` for the environment's operator key." }),
    name: Type.String(),
    role,
    status: enumOf(['INVITED', 'ACTIVE', 'EXPIRED', 'ENDED'], {
      description:
        'INVITED means that the join code has not been used. EXPIRED means that the key or the join code expired.',
    }),
    keyExpiresAt: Type.Optional(timestamp()),
    createdAt: Type.Optional(timestamp()),
    invitedBy: Type.Optional(
      Type.String({ description: 'Operator who invited the account or proposed it.' }),
    ),
    approvedBy: Type.Optional(Type.String({ description: 'Operator who approved the proposal.' })),
    isConfirmed: Type.Boolean({
      description:
        'True if the account may approve proposals of the operators who invited and approved the account. This requires a confirmation by another operator, or seven days since the account joined.',
    }),
  },
  { $id: 'OperatorAccount', description: 'A person who operates the installation.' },
)
export type OperatorAccount = Static<typeof OperatorAccount>

const key = Type.String({
  description: 'Bearer key of the operator API. Only this response contains the key.',
})
const operatorPath = Type.Object({ operatorId: Type.String() })

export const createOperator = operation({
  id: 'operatorCreateOperator',
  method: 'POST',
  path: '/operator/operators',
  tag,
  summary: 'Invite an operator',
  description:
    'The response contains a join code, with which the owner of the account creates the first key. The code works once, within three days. Only the owner sees the key.',
  auth: 'operator',
  role: 'ADMINISTRATOR',
  power: 'ACCESS',
  permissions: [],
  body: Type.Object(
    {
      name: nameText({ pattern: '\\S' }),
      role,
      keyDays: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 366,
          default: 90,
          description: 'Lifetime of each key, in days.',
        }),
      ),
    },
    { $id: 'OperatorAccountCreateRequest' },
  ),
  responses: {
    201: Type.Object(
      {
        ...OperatorAccount.properties,
        joinCode: Type.Optional(
          Type.String({
            description: 'Only the first response contains the secret. A replayed response omits it.',
          }),
        ),
      },
      { $id: 'OperatorAccountCreated' },
    ),
    202: Type.Object(
      {
        ...Proposed.properties,
        joinCode: Type.Optional(
          Type.String({
            description:
              'Join code, which creates a key once the proposal is approved. Only the operator who proposed the account sees the code, once.',
          }),
        ),
      },
      { $id: 'OperatorAccountProposed' },
    ),
  },
  errors: [],
  secretFields: ['joinCode'],
})

const WithKey = Type.Object({ ...OperatorAccount.properties, key }, { $id: 'OperatorAccountWithKey' })

export const joinOperators = operation({
  id: 'operatorJoin',
  method: 'POST',
  path: '/operator/join',
  tag,
  summary: 'Exchange a join code for a key',
  auth: 'none',
  surface: 'operator',
  permissions: [],
  body: Type.Object(
    { joinCode: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }) },
    { $id: 'OperatorJoinRequest' },
  ),
  responses: { 201: WithKey },
  errors: ['UNAUTHORIZED', 'CONFLICT'],
})

export const listOperators = operation({
  id: 'operatorListOperators',
  method: 'GET',
  path: '/operator/operators',
  tag,
  summary: 'List operators',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  query: Type.Object({ ...paging }),
  responses: { 200: listOf('OperatorAccountList', OperatorAccount) },
  errors: [],
})

export const getSelf = operation({
  id: 'operatorGetSelf',
  method: 'GET',
  path: '/operator/me',
  tag,
  summary: 'Read your own account and permissions',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  responses: { 200: OperatorAccount },
  errors: [],
})

export const renewKey = operation({
  id: 'operatorRenewKey',
  method: 'POST',
  path: '/operator/me/key',
  tag,
  summary: 'Replace your key and end the previous key immediately',
  auth: 'operator',
  role: 'VIEWER',
  power: 'OWN',
  permissions: [],
  responses: { 201: WithKey },
  errors: ['CONFLICT'],
  secretFields: ['key'],
})

export const changeRole = operation({
  id: 'operatorChangeRole',
  method: 'PATCH',
  path: '/operator/operators/{operatorId}',
  tag,
  summary: 'Change the role of an operator',
  auth: 'operator',
  role: 'ADMINISTRATOR',
  power: 'ACCESS',
  permissions: [],
  params: operatorPath,
  body: Type.Object({ role }, { $id: 'OperatorRoleRequest' }),
  responses: { 200: OperatorAccount, 202: Proposed },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
})

export const confirmOperator = operation({
  id: 'operatorConfirmOperator',
  method: 'POST',
  path: '/operator/operators/{operatorId}/confirm',
  tag,
  summary: 'Confirm that an account belongs to the right person',
  description:
    "After the confirmation, the account can immediately act as a second person for the operators who invited and approved the account. Without a confirmation, this takes seven days. Those two operators and the environment's operator key cannot confirm the account.",
  auth: 'operator',
  role: 'ADMINISTRATOR',
  power: 'OWN',
  permissions: [],
  params: operatorPath,
  responses: { 200: OperatorAccount },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
})

export const endOperator = operation({
  id: 'operatorEndOperator',
  method: 'DELETE',
  path: '/operator/operators/{operatorId}',
  tag,
  summary: 'End an account and reject its key immediately',
  auth: 'operator',
  role: 'ADMINISTRATOR',
  power: 'STOP',
  permissions: [],
  params: operatorPath,
  responses: { 204: null },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const Proposal = Type.Object(
  {
    id: idOf('Proposal'),
    operation: Type.String({ description: 'The proposed action, as an operation id.' }),
    params: Type.Record(Type.String(), Type.String()),
    query: openObject(),
    body: Type.Optional(openObject()),
    reason: Type.Optional(
      Type.String({ description: 'Reason that the proposing operator entered in the console.' }),
    ),
    status: enumOf(['OPEN', 'APPROVED', 'REFUSED', 'EXPIRED']),
    proposedBy: Type.String(),
    decidedBy: Type.Optional(Type.String()),
    createdAt: timestamp(),
    expiresAt: timestamp(),
  },
  {
    $id: 'OperatorProposal',
    description: 'An action that one operator proposed and another operator has to approve.',
  },
)
export type Proposal = Static<typeof Proposal>

const proposalPath = Type.Object({ proposalId: Type.String() })

export const listProposals = operation({
  id: 'operatorListProposals',
  method: 'GET',
  path: '/operator/proposals',
  tag,
  summary: 'List open and decided proposals',
  description: 'An operator with the role REVIEWER sees only proposals about reviews.',
  auth: 'operator',
  role: 'REVIEWER',
  permissions: [],
  query: Type.Object({ ...paging }),
  responses: { 200: listOf('OperatorProposalList', Proposal) },
  errors: [],
})

export const approveProposal = operation({
  id: 'operatorApproveProposal',
  method: 'POST',
  path: '/operator/proposals/{proposalId}/approve',
  tag,
  summary: 'Approve and run a proposal of another operator',
  description:
    "Returns the response of the proposed operation. The approving operator must have the role that the operation requires. The operator who made the proposal cannot approve it. The environment's operator key cannot approve proposals, because it does not belong to a person.",
  auth: 'operator',
  role: 'REVIEWER',
  power: 'OWN',
  permissions: [],
  params: proposalPath,
  responses: {
    200: Type.Object(
      { status: Type.Integer(), answer: Type.Optional(openObject()) },
      { $id: 'OperatorProposalDone', description: "Status and body of the operation's response." },
    ),
  },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
  // A new credential may be in it.
  secretFields: ['answer'],
})

export const refuseProposal = operation({
  id: 'operatorRefuseProposal',
  method: 'POST',
  path: '/operator/proposals/{proposalId}/refuse',
  tag,
  summary: 'Reject or withdraw a proposal',
  auth: 'operator',
  role: 'REVIEWER',
  power: 'OWN',
  permissions: [],
  params: proposalPath,
  responses: { 200: Proposal },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
})
