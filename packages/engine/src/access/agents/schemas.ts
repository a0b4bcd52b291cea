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
  perTransactionLimit: limit('Of one action, in the smallest unit of the currency, fees included.'),
  dailyLimit: Type.Optional(nullable(limit('Of all actions of a UTC day; null for no limit.'))),
  dailyTransactionLimit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 9_000_000_000_000_000,
      description: 'Actions of a UTC day; without it there is no limit.',
      examples: [10],
    }),
  ),
  monthlyLimit: Type.Optional(nullable(limit('Of all actions of a UTC month; null for no limit.'))),
}

export const AgentSpendingLimits = Type.Object(
  { currency: currencyCode(), ...limits },
  { $id: 'AgentSpendingLimits', description: 'Absolute: no approval lifts them.' },
)

export const AgentAccountRule = Type.Object(
  {
    accountId: idOf('InternalAccount'),
    executionMode: Type.Optional(AgentExecutionMode),
    perTransactionLimit: Type.Optional(
      nullable(limit('Instead of the general one, higher or lower, in the currency of spendingLimits.')),
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
          description: 'Null for all internal accounts of the customer; an empty list for none.',
        }),
      ),
    ),
    accountRules: Type.Optional(
      Type.Array(AgentAccountRule, {
        maxItems: mostAccounts,
        description: 'One for each account at the most.',
      }),
    ),
  },
  { $id: 'AgentAccountRestrictions' },
)

export const AgentApprovalThresholds = Type.Object(
  {
    currency: Type.Optional(currencyCode()),
    amount: Type.Optional(nullable(limit('What is above it needs an approval; null for no threshold.'))),
  },
  { $id: 'AgentApprovalThresholds' },
)

const permissions = Type.Array(AgentPermission, {
  maxItems: mostAccounts,
  description: 'An empty list lets it read itself and its actions, and no more.',
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
    description: 'With another currency, limits that are not given and what is used of them are converted.',
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
    dailyTransactionCount: used('Actions that began today (UTC).'),
    dailySpend: used('In the currency of spendingLimits.'),
    dailyResetDate: Type.Optional(Type.String({ format: 'date', examples: ['2025-07-22'] })),
    monthlySpend: used('In the currency of spendingLimits.'),
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
    isPaused: Type.Boolean({ description: 'A paused agent may only read.' }),
    isConnected: Type.Boolean({ description: 'Whether a device code was redeemed. It stays true.' }),
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
    code: Type.String({ description: 'Opaque. Shown here and nowhere else.' }),
    agentId: idOf('Agent'),
    expiresAt: timestamp(),
    redeemed: Type.Boolean(),
  },
  { $id: 'AgentDeviceCode' },
)
export type AgentDeviceCode = Static<typeof AgentDeviceCode>
