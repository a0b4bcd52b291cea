import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { idOf, paging, repeatable, timeFilters } from '../../vocabulary/shapes.ts'
import { Agent, AgentDeviceCode, AgentList, AgentPolicy, AgentPolicyUpdateRequest } from './schemas.ts'

export {
  Agent,
  AgentAccountRestrictions,
  AgentAccountRule,
  AgentApprovalThresholds,
  AgentDeviceCode,
  AgentExecutionMode,
  AgentList,
  AgentPermission,
  AgentPolicy,
  AgentPolicyUpdateRequest,
  AgentSpendingLimits,
  AgentUsage,
} from './schemas.ts'

/** The platform's side of agents; what an agent itself may ask is of `operationsTag`. */
export const managementTag = 'Agent Management'
export const operationsTag = 'Agent Operations'

/** Trimmed before it is measured (wallets 12.2). */
const agentName = Type.String({ maxLength: 1024, examples: ['Payroll Automation Agent'] })

const agentPath = Type.Object({ agentId: Type.String() })
const codePath = Type.Object({ code: Type.String() })

const policyExample = {
  permissions: ['CREATE_TRANSFERS'],
  defaultExecutionMode: 'AUTO',
  spendingLimits: { currency: 'USD', perTransactionLimit: 50_000, dailyLimit: 500_000 },
} as const

export const AgentCreateRequest = Type.Object(
  { name: agentName, customerId: idOf('Customer'), policy: AgentPolicy },
  { $id: 'AgentCreateRequest' },
)
export type AgentCreateRequest = Static<typeof AgentCreateRequest>

export const createAgent = operation({
  id: 'createAgent',
  method: 'POST',
  path: '/agents',
  tag: managementTag,
  summary: 'Create an agent',
  description:
    'It acts for one customer, in the environment of these credentials. Its software gets an access token for the device code, which is good for 24 hours and for one time.',
  auth: 'basic',
  permissions: ['MANAGE'],
  body: AgentCreateRequest,
  responses: {
    201: Type.Object({ agent: Agent, deviceCode: AgentDeviceCode }, { $id: 'AgentCreateResponse' }),
  },
  errors: [],
  example: {
    name: 'Payroll Automation Agent',
    customerId: 'Customer:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70',
    policy: policyExample,
  },
})

export const listAgents = operation({
  id: 'listAgents',
  method: 'GET',
  path: '/agents',
  tag: managementTag,
  summary: 'List agents',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    customerId: Type.Optional(repeatable(idOf('Customer'))),
    isPaused: Type.Optional(Type.Boolean()),
    isConnected: Type.Optional(Type.Boolean()),
    ...timeFilters,
    ...paging,
  }),
  responses: { 200: AgentList },
  errors: [],
})

export const getAgentById = operation({
  id: 'getAgentById',
  method: 'GET',
  path: '/agents/{agentId}',
  tag: managementTag,
  summary: 'Read an agent',
  auth: 'basic',
  permissions: ['VIEW'],
  params: agentPath,
  responses: { 200: Agent },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const AgentUpdateRequest = Type.Object(
  { name: Type.Optional(agentName), isPaused: Type.Optional(Type.Boolean()) },
  { $id: 'AgentUpdateRequest' },
)
export type AgentUpdateRequest = Static<typeof AgentUpdateRequest>

export const updateAgent = operation({
  id: 'updateAgent',
  method: 'PATCH',
  path: '/agents/{agentId}',
  tag: managementTag,
  summary: 'Rename or pause an agent',
  description: 'Pausing holds at once. Actions that await an approval go on waiting, and fail when approved.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: agentPath,
  body: AgentUpdateRequest,
  responses: { 200: Agent },
  errors: ['REFERENCE_NOT_FOUND'],
  example: { isPaused: true },
})

export const deleteAgent = operation({
  id: 'deleteAgent',
  method: 'DELETE',
  path: '/agents/{agentId}',
  tag: managementTag,
  summary: 'Delete an agent',
  description:
    'Its token and its device codes end at once, and what awaits an approval is rejected. Its transactions stay.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: agentPath,
  responses: { 204: null },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const updateAgentPolicy = operation({
  id: 'updateAgentPolicy',
  method: 'PATCH',
  path: '/agents/{agentId}/policy',
  tag: managementTag,
  summary: 'Change the policy of an agent',
  description:
    'Lists are replaced, objects merged. It holds at once, also for actions that already await an approval.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: agentPath,
  body: AgentPolicyUpdateRequest,
  responses: { 200: Agent },
  errors: ['REFERENCE_NOT_FOUND'],
  example: { spendingLimits: { dailyLimit: null } },
})

export const regenerateAgentDeviceCode = operation({
  id: 'regenerateAgentDeviceCode',
  method: 'POST',
  path: '/agents/{agentId}/device-codes',
  tag: managementTag,
  summary: 'Make another device code',
  description:
    'The codes before it are void. An agent that is connected gets none: delete it and make another.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: agentPath,
  responses: { 201: AgentDeviceCode },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
})

export const getAgentDeviceCodeStatus = operation({
  id: 'getAgentDeviceCodeStatus',
  method: 'GET',
  path: '/agents/device-codes/{code}/status',
  tag: managementTag,
  summary: 'Ask whether a device code was redeemed',
  auth: 'basic',
  permissions: ['VIEW'],
  params: codePath,
  responses: {
    200: Type.Object(
      { code: Type.String(), redeemed: Type.Boolean() },
      { $id: 'AgentDeviceCodeStatusResponse' },
    ),
  },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const redeemAgentDeviceCode = operation({
  id: 'redeemAgentDeviceCode',
  method: 'POST',
  path: '/agents/device-codes/{code}/redeem',
  tag: managementTag,
  summary: 'Redeem a device code for an access token',
  description:
    'Open: the code is the proof, once and until it expires. The token is in this answer and nowhere else.',
  auth: 'none',
  permissions: [],
  params: codePath,
  responses: {
    200: Type.Object(
      {
        agentId: idOf('Agent'),
        agentName: Type.String(),
        accessToken: Type.String({ examples: ['gat_ed0ad25881e234cc28fb2dec0a4fe64e4172a3b9'] }),
        policy: AgentPolicy,
      },
      { $id: 'AgentDeviceCodeRedeemResponse' },
    ),
  },
  secretFields: ['accessToken'],
  errors: ['INVALID_INPUT', 'REFERENCE_NOT_FOUND'],
})

export const getAgentMe = operation({
  id: 'getAgentMe',
  method: 'GET',
  path: '/agents/me',
  tag: operationsTag,
  summary: 'Read yourself, as an agent',
  description: 'Your policy, and what of its limits is used. Works while you are paused.',
  auth: 'agent',
  permissions: [],
  responses: { 200: Agent },
  errors: [],
})
