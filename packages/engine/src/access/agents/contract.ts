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
    "The agent acts for one customer, in the environment of your credentials. The agent's software redeems the device code for an access token. The code is valid for 24 hours and can be used once.",
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
  description:
    'A pause takes effect immediately. Actions that are waiting for approval keep waiting, and fail if you approve them during the pause.',
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
    "Immediately revokes the agent's token and device codes, and rejects actions that are waiting for approval. Corridor keeps the agent's transactions.",
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
    'Replaces lists and merges objects. The new policy applies immediately, even to actions that are already waiting for approval.',
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
  summary: 'Create another device code',
  description:
    'Revokes all earlier codes. An agent that is already connected cannot get a new code. Delete the agent and create another one instead.',
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
  summary: 'Read the status of a device code',
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
    'Requires no credentials, because the code itself is the proof. A code can be used once before it expires. Only this response contains the token.',
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
  summary: 'Read your own agent, as an agent',
  description:
    'Returns your policy and your usage of its limits. Paused agents can also call this operation.',
  auth: 'agent',
  permissions: [],
  responses: { 200: Agent },
  errors: [],
})
