import { failed, mulDivFloor, ok, type Rate, type Result } from '@corridor/kernel'
import { isCurrencyCode } from '../../reference/currencies/index.ts'
import { type Failure, type FieldProblem, failFields } from '../../vocabulary/errors.ts'
import { agentPermissions } from '../../vocabulary/operation.ts'
import type { AccountRule, Policy, SpendingLimits } from './agent.ts'
import type { AgentPolicy, AgentPolicyUpdateRequest } from './schemas.ts'

/** What a policy may say, and how a change is merged into it (wallets 12.3). Pure. */

/** The policy of a new agent: permissions once each, and null where a limit is not given. */
export function toPolicy(request: AgentPolicy): Policy {
  const { permissions, defaultExecutionMode, accountRestrictions, approvalThresholds: thresholds } = request
  return {
    permissions: agentPermissions.filter((permission) => permissions.includes(permission)),
    defaultExecutionMode,
    spendingLimits: limitsOf(request.spendingLimits),
    ...(accountRestrictions ? { accountRestrictions: restrictionsOf(accountRestrictions) } : {}),
    ...(thresholds
      ? {
          approvalThresholds: {
            ...(thresholds.currency === undefined ? {} : { currency: thresholds.currency }),
            amount: thresholds.amount ?? null,
          },
        }
      : {}),
  }
}

function limitsOf(limits: AgentPolicy['spendingLimits']): SpendingLimits {
  const { currency, perTransactionLimit, dailyLimit, dailyTransactionLimit, monthlyLimit } = limits
  return {
    currency,
    perTransactionLimit,
    dailyLimit: dailyLimit ?? null,
    ...(dailyTransactionLimit === undefined ? {} : { dailyTransactionLimit }),
    monthlyLimit: monthlyLimit ?? null,
  }
}

function restrictionsOf({
  allowedAccountIds = null,
  accountRules,
}: NonNullable<AgentPolicy['accountRestrictions']>): NonNullable<Policy['accountRestrictions']> {
  const rules = accountRules?.map(
    ({ accountId, executionMode, perTransactionLimit }): AccountRule => ({
      accountId,
      ...(executionMode ? { executionMode } : {}),
      perTransactionLimit: perTransactionLimit ?? null,
    }),
  )
  return {
    allowedAccountIds: allowedAccountIds && [...new Set(allowedAccountIds)],
    ...(rules ? { accountRules: rules } : {}),
  }
}

/**
 * The policy after a change. `rateTo` gives what a minor unit of the present currency is worth in another:
 * where the limits change their currency, those that are not given are converted, rounded down. INVALID_INPUT
 * where there is no rate.
 */
export function mergePolicy(
  before: Policy,
  request: AgentPolicyUpdateRequest,
  rateTo: (currency: string) => Rate | undefined,
): Result<Policy, Failure> {
  const { permissions, defaultExecutionMode, spendingLimits, accountRestrictions, approvalThresholds } =
    request
  const currency = spendingLimits?.currency ?? before.spendingLimits.currency
  const rate = rateTo(currency)
  if (!rate) return failed(noRate)
  const kept = convertLimits(before, rate)
  const restrictions = { ...kept.accountRestrictions, ...accountRestrictions }
  const thresholds = { ...before.approvalThresholds, ...approvalThresholds }
  return ok(
    toPolicy({
      permissions: [...(permissions ?? before.permissions)],
      defaultExecutionMode: defaultExecutionMode ?? before.defaultExecutionMode,
      spendingLimits: { ...kept.spendingLimits, ...spendingLimits, currency },
      ...((before.accountRestrictions ?? accountRestrictions) ? { accountRestrictions: restrictions } : {}),
      ...((before.approvalThresholds ?? approvalThresholds) ? { approvalThresholds: thresholds } : {}),
    } as AgentPolicy),
  )
}

export const noRate = failFields([{ field: 'spendingLimits.currency', message: 'has no rate at the moment' }])

/** The limits in another currency; thresholds have one of their own. */
function convertLimits({ spendingLimits, accountRestrictions }: Policy, { numerator, denominator }: Rate) {
  const convert = (amount: number) => {
    const converted = mulDivFloor(BigInt(amount), numerator, denominator)
    // What no amount can exceed limits no more and no less than the largest amount.
    return Number(converted < mostMinor ? converted : mostMinor)
  }
  const orNull = (amount: number | null) => (amount === null ? null : convert(amount))
  const limits: SpendingLimits = {
    ...spendingLimits,
    perTransactionLimit: convert(spendingLimits.perTransactionLimit),
    dailyLimit: orNull(spendingLimits.dailyLimit),
    monthlyLimit: orNull(spendingLimits.monthlyLimit),
  }
  const { accountRules } = accountRestrictions ?? {}
  return {
    spendingLimits: limits,
    accountRestrictions: accountRestrictions && {
      ...accountRestrictions,
      ...(accountRules
        ? {
            accountRules: accountRules.map((rule) => ({
              ...rule,
              perTransactionLimit: orNull(rule.perTransactionLimit),
            })),
          }
        : {}),
    },
  }
}

const mostMinor = 9_000_000_000_000_000n

type Body = Readonly<Record<string, unknown>>

/**
 * What the schema of a policy cannot say; the body may have any shape. `owned` are the internal accounts of the
 * agent's customer, `before` is the policy that is changed.
 */
export function policyProblems(
  policy: unknown,
  { prefix, owned, before }: { prefix: string; owned: ReadonlySet<string>; before?: Policy | undefined },
): FieldProblem[] {
  const body = toBody(policy)
  const thresholds = toBody(body.approvalThresholds)
  const restrictions = toBody(body.accountRestrictions)
  const problems = [
    ...currencyProblems(`${prefix}spendingLimits.currency`, toBody(body.spendingLimits).currency),
    ...currencyProblems(`${prefix}approvalThresholds.currency`, thresholds.currency),
  ]
  const { currency, amount } = { ...before?.approvalThresholds, ...thresholds }
  if (typeof amount === 'number' && currency === undefined) {
    problems.push({ field: `${prefix}approvalThresholds.currency`, message: 'is required with an amount' })
  }
  const field = `${prefix}accountRestrictions`
  const isForeign = (id: unknown) => typeof id === 'string' && !owned.has(id)
  const foreign = 'is not an internal account of the customer'
  for (const [index, id] of toList(restrictions.allowedAccountIds).entries()) {
    if (isForeign(id)) problems.push({ field: `${field}.allowedAccountIds.${index}`, message: foreign })
  }
  const ruled = new Set<unknown>()
  for (const [index, rule] of toList(restrictions.accountRules).entries()) {
    const { accountId } = toBody(rule)
    const name = `${field}.accountRules.${index}.accountId`
    if (isForeign(accountId)) problems.push({ field: name, message: foreign })
    else if (ruled.has(accountId)) problems.push({ field: name, message: 'already has a rule' })
    ruled.add(accountId)
  }
  return problems
}

function currencyProblems(field: string, code: unknown): FieldProblem[] {
  return typeof code === 'string' && !isCurrencyCode(code) ? [{ field, message: 'is not a currency' }] : []
}

function toBody(value: unknown): Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {}
}

/** Not more than the schema allows, whatever was sent. */
function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, 1000) : []
}

/** The policy as answers show it: exactly what is kept. */
export function renderPolicy(policy: Policy): AgentPolicy {
  return structuredClone(policy) as AgentPolicy
}
