import Type, { type Static } from 'typebox'
import { agentPermissions } from '../../vocabulary/operation.ts'
import { currencyCode, enumOf, idOf, listOf, nullable, timestamp } from '../../vocabulary/shapes.ts'

/** Agents as their own API and that of their platform show them (wallets 12). */

export const AgentPermission = enumOf([...agentPermissions], { $id: 'AgentPermission' })

export const AgentExecutionMode = enumOf(['AUTO', 'APPROVAL_REQUIRED'], { $id: 'AgentExecutionMode' })
export type AgentExecutionMode = Static<typeof AgentExecutionMode>

/** Far more than a customer has accounts. */
const mostAccounts = 1000

const limit = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 9_000_000_000_000_000, description, examples: [50_000] })

const limits = {
  perTransactionLimit: limit('Limit for one action, in the smallest unit of the currency, including fees.'),
  dailyLimit: Type.Optional(
    nullable(limit('Limit for all actions on a UTC day. If null, there is no limit.')),
  ),
  dailyTransactionLimit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 9_000_000_000_000_000,
      description: 'Maximum number of actions per UTC day. If absent, there is no limit.',
      examples: [10],
    }),
  ),
  monthlyLimit: Type.Optional(
    nullable(limit('Limit for all actions in a UTC month. If null, there is no limit.')),
  ),
}

export const AgentSpendingLimits = Type.Object(
  { currency: currencyCode(), ...limits },
  { $id: 'AgentSpendingLimits', description: 'Hard limits, which even an approval does not lift.' },
)

export const AgentAccountRule = Type.Object(
  {
    accountId: idOf('InternalAccount'),
    executionMode: Type.Optional(AgentExecutionMode),
    perTransactionLimit: Type.Optional(
      nullable(
        limit(
          'Limit for this account instead of the general limit, in the currency of spendingLimits. The limit can be higher or lower than the general limit.',
        ),
      ),
    ),
  },
  { $id: 'AgentAccountRule' },
)

export const AgentAccountRestrictions = Type.Object(
  {
    allowedAccountIds: Type.Optional(
      nullable(
        Type.Array(idOf('InternalAccount'), {
          maxItems: mostAccounts,
          description:
            'If null, the agent can use all internal accounts of the customer. If the list is empty, the agent can use no account.',
        }),
      ),
    ),
    accountRules: Type.Optional(
      Type.Array(AgentAccountRule, {
        maxItems: mostAccounts,
        description: 'Rules for single accounts, with at most one rule per account.',
      }),
    ),
  },
  { $id: 'AgentAccountRestrictions' },
)

export const AgentApprovalThresholds = Type.Object(
  {
    currency: Type.Optional(currencyCode()),
    amount: Type.Optional(
      nullable(limit('Payments above this amount need an approval. If null, there is no threshold.')),
    ),
  },
  { $id: 'AgentApprovalThresholds' },
)

const permissions = Type.Array(AgentPermission, {
  maxItems: mostAccounts,
  description: 'If the list is empty, the agent can only read itself and its actions.',
})

export const AgentPolicy = Type.Object(
  {
    permissions,
    defaultExecutionMode: AgentExecutionMode,
    spendingLimits: AgentSpendingLimits,
    accountRestrictions: Type.Optional(AgentAccountRestrictions),
    approvalThresholds: Type.Optional(AgentApprovalThresholds),
  },
  { $id: 'AgentPolicy' },
)
export type AgentPolicy = Static<typeof AgentPolicy>

const AgentSpendingLimitsUpdate = Type.Object(
  {
    currency: Type.Optional(currencyCode()),
    ...limits,
    perTransactionLimit: Type.Optional(limits.perTransactionLimit),
  },
  {
    $id: 'AgentSpendingLimitsUpdate',
    description:
      'If you change the currency, Corridor converts the usage so far and the limits that you omit.',
  },
)

export const AgentPolicyUpdateRequest = Type.Object(
  {
    permissions: Type.Optional(permissions),
    defaultExecutionMode: Type.Optional(AgentExecutionMode),
    spendingLimits: Type.Optional(AgentSpendingLimitsUpdate),
    accountRestrictions: Type.Optional(AgentAccountRestrictions),
    approvalThresholds: Type.Optional(AgentApprovalThresholds),
  },
  { $id: 'AgentPolicyUpdateRequest' },
)
export type AgentPolicyUpdateRequest = Static<typeof AgentPolicyUpdateRequest>

const used = (description: string) => Type.Integer({ minimum: 0, description, examples: [150_000] })

export const AgentUsage = Type.Object(
  {
    dailyTransactionCount: used('Number of actions that started today (UTC).'),
    dailySpend: used('Amount spent today (UTC), in the currency of spendingLimits.'),
    dailyResetDate: Type.Optional(Type.String({ format: 'date', examples: ['2025-07-22'] })),
    monthlySpend: used('Amount spent this month (UTC), in the currency of spendingLimits.'),
    monthlyResetMonth: Type.Optional(Type.String({ examples: ['2025-08'] })),
  },
  { $id: 'AgentUsage' },
)
export type AgentUsage = Static<typeof AgentUsage>

export const Agent = Type.Object(
  {
    id: idOf('Agent'),
    name: Type.String({ examples: ['Payroll Automation Agent'] }),
    customerId: idOf('Customer'),
    isPaused: Type.Boolean({ description: 'A paused agent can only read.' }),
    isConnected: Type.Boolean({ description: 'True once a device code has been redeemed.' }),
    policy: AgentPolicy,
    usage: AgentUsage,
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'Agent' },
)
export type Agent = Static<typeof Agent>

export const AgentList = listOf('AgentListResponse', Agent)

export const AgentDeviceCode = Type.Object(
  {
    code: Type.String({ description: 'Only this response contains the code. Treat the code as opaque.' }),
    agentId: idOf('Agent'),
    expiresAt: timestamp(),
    redeemed: Type.Boolean(),
  },
  { $id: 'AgentDeviceCode' },
)
export type AgentDeviceCode = Static<typeof AgentDeviceCode>
