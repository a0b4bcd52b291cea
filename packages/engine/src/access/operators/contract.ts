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
    id: Type.String({ description: '`operator` for the key of the environment.' }),
    name: Type.String(),
    role,
    status: enumOf(['INVITED', 'ACTIVE', 'EXPIRED', 'ENDED'], {
      description:
        'INVITED until the code was used; EXPIRED when the key, or the code, was not renewed in time.',
    }),
    keyExpiresAt: Type.Optional(timestamp()),
    createdAt: Type.Optional(timestamp()),
    invitedBy: Type.Optional(
      Type.String({ description: 'The operator who invited or proposed the account.' }),
    ),
    approvedBy: Type.Optional(Type.String({ description: 'The operator who approved that proposal.' })),
    isConfirmed: Type.Boolean({
      description:
        'Whether the account may approve proposals of those two: seven days after it joined, or once another operator confirms it.',
    }),
  },
  { $id: 'OperatorAccount', description: 'A person who runs the installation.' },
)
export type OperatorAccount = Static<typeof OperatorAccount>

const key = Type.String({ description: 'Bearer key of the operator API. Shown once.' })
const operatorPath = Type.Object({ operatorId: Type.String() })

export const createOperator = operation({
  id: 'operatorCreateOperator',
  method: 'POST',
  path: '/operator/operators',
  tag,
  summary: 'Give somebody an account of their own',
  description:
    'The answer has a code that makes the first key, once and within three days: nobody but its owner ever sees a key.',
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
          description: 'How long each key is good for.',
        }),
      ),
    },
    { $id: 'OperatorAccountCreateRequest' },
  ),
  responses: {
    201: Type.Object(
      {
        ...OperatorAccount.properties,
        joinCode: Type.Optional(Type.String({ description: 'Shown once, and not in a replay.' })),
      },
      { $id: 'OperatorAccountCreated' },
    ),
    202: Type.Object(
      {
        ...Proposed.properties,
        joinCode: Type.Optional(
          Type.String({
            description:
              'Makes a key once the proposal is approved. Shown once, to who proposed it: who approves never sees it.',
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
  summary: 'Turn a code into a key, once',
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
  summary: 'List who runs the installation',
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
  summary: 'Read who one is, and what one may do',
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
  summary: 'Get another key; the one before ends at once',
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
  summary: 'Give an operator another role',
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
  summary: 'Confirm that an account belongs to the person it is for',
  description:
    'It counts as a second person for who invited and who approved it from then on, instead of seven days after it joined. Neither of them can confirm it, nor can the key of the environment.',
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
  summary: 'End an account: the next request with its key is refused by every process',
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
    operation: Type.String({ description: 'What is to be done, by the name of its operation.' }),
    params: Type.Record(Type.String(), Type.String()),
    query: openObject(),
    body: Type.Optional(openObject()),
    reason: Type.Optional(
      Type.String({ description: 'Why, as who proposed it at the console has said for the audit log.' }),
    ),
    status: enumOf(['OPEN', 'APPROVED', 'REFUSED', 'EXPIRED']),
    proposedBy: Type.String(),
    decidedBy: Type.Optional(Type.String()),
    createdAt: timestamp(),
    expiresAt: timestamp(),
  },
  { $id: 'OperatorProposal', description: 'What one operator wants done and another has to approve.' },
)
export type Proposal = Static<typeof Proposal>

const proposalPath = Type.Object({ proposalId: Type.String() })

export const listProposals = operation({
  id: 'operatorListProposals',
  method: 'GET',
  path: '/operator/proposals',
  tag,
  summary: 'List what waits for a second person, and what did',
  description: 'A REVIEWER sees what is about reviews.',
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
  summary: 'Do what another operator has proposed',
  description:
    'Answered as the operation itself would be. Whoever proposed it cannot approve it, nor can the key of the environment, which is nobody in particular; the role that the operation asks for is asked of whoever approves, too.',
  auth: 'operator',
  role: 'REVIEWER',
  power: 'OWN',
  permissions: [],
  params: proposalPath,
  responses: {
    200: Type.Object(
      { status: Type.Integer(), answer: Type.Optional(openObject()) },
      { $id: 'OperatorProposalDone', description: 'Status and body of the answer of the operation.' },
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
  summary: 'Refuse, or take back, what was proposed',
  auth: 'operator',
  role: 'REVIEWER',
  power: 'OWN',
  permissions: [],
  params: proposalPath,
  responses: { 200: Proposal },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
})
