import type { Instant } from '@corridor/kernel'
import { failed, mulDivCeil, ok, type Result } from '@corridor/kernel'
import { crossRate, type RateSnapshot } from '../../reference/rates/index.ts'
import type { Count } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Agent, Policy } from './agent.ts'
import { countersOf, type Usage } from './usage.ts'

/** Whether a policy allows a movement of money, and whether somebody has to approve it (wallets 12.3). Pure. */

/** What is measured. */
export interface Movement {
  /** The internal accounts of the customer that it touches: one, or both where both sides are internal. */
  readonly accountIds: readonly string[]
  readonly amountMinor: bigint
  readonly currency: string
}

export interface Allowance {
  readonly needsApproval: boolean
  /** What is counted when it begins. Refused there with POLICY_LIMIT, whoever else began meanwhile. */
  readonly counts: readonly Count[]
}

const limitRefusal = fail('FORBIDDEN', { reason: 'POLICY_LIMIT' })

/** FORBIDDEN with POLICY_ACCOUNT where an internal account is not one of those that the policy names. */
export function accountRefusal(policy: Policy, accountIds: readonly string[]): Failure | undefined {
  const allowed: readonly string[] | null | undefined = policy.accountRestrictions?.allowedAccountIds
  const isAllowed = !allowed || accountIds.every((id) => allowed.includes(id))
  return isAllowed ? undefined : fail('FORBIDDEN', { reason: 'POLICY_ACCOUNT' })
}

/**
 * FORBIDDEN with POLICY_ACCOUNT or POLICY_LIMIT, or what an action of this size takes. Amounts are converted at
 * the rates of the snapshot and rounded up; without a rate there is no limit that could be kept.
 */
export function judgeMovement(
  { id, policy }: Agent,
  usage: Usage,
  movement: Movement,
  { now, snapshot }: { readonly now: Instant; readonly snapshot: RateSnapshot },
): Result<Allowance, Failure> {
  const refusal = accountRefusal(policy, movement.accountIds)
  if (refusal) return failed(refusal)
  const { spendingLimits, approvalThresholds } = policy
  const amountMinor = amountIn(snapshot, movement, spendingLimits.currency)
  if (amountMinor === undefined || amountMinor > perTransactionLimit(policy, movement.accountIds)) {
    return failed(limitRefusal)
  }
  const { dailyLimit, dailyTransactionLimit, monthlyLimit } = spendingLimits
  const isBroken =
    isOver(usage.dailyCount + 1n, dailyTransactionLimit) ||
    isOver(usage.dailySpendMinor + amountMinor, dailyLimit) ||
    isOver(usage.monthlySpendMinor + amountMinor, monthlyLimit)
  if (isBroken) return failed(limitRefusal)

  const thresholdMinor = approvalThresholds?.amount ?? null
  let isAboveThreshold = false
  if (thresholdMinor !== null) {
    const measured = amountIn(snapshot, movement, approvalThresholds?.currency ?? spendingLimits.currency)
    if (measured === undefined) return failed(limitRefusal)
    isAboveThreshold = isOver(measured, thresholdMinor)
  }
  const counters = countersOf(id, spendingLimits.currency, now)
  return ok({
    needsApproval: isAboveThreshold || needsApproval(policy, movement.accountIds),
    counts: [
      countUp(counters.dailyCount, 1n, dailyTransactionLimit),
      countUp(counters.dailySpend, amountMinor, dailyLimit, usage.formerDailyMinor),
      countUp(counters.monthlySpend, amountMinor, monthlyLimit, usage.formerMonthlyMinor),
    ],
  })
}

function isOver(amountMinor: bigint, limit: number | null | undefined): boolean {
  return limit !== null && limit !== undefined && amountMinor > BigInt(limit)
}

function countUp(
  counter: string,
  addMinor: bigint,
  limit: number | null | undefined,
  elsewhereMinor = 0n,
): Count {
  if (limit === null || limit === undefined) return { counter, addMinor }
  return { counter, addMinor, limitMinor: BigInt(limit) - elsewhereMinor, exceeded: () => limitRefusal }
}

/** An amount in another currency, rounded up; undefined without a rate. */
function amountIn(snapshot: RateSnapshot, { amountMinor, currency }: Movement, destination: string) {
  const cross = crossRate(snapshot, { source: currency, destination })
  return cross && mulDivCeil(amountMinor, cross.numerator, cross.denominator)
}

/** Of two accounts the lower limit holds; a rule's own stands in place of the general one. */
function perTransactionLimit({ spendingLimits, ...policy }: Policy, accountIds: readonly string[]): bigint {
  const limits = accountIds.map(
    (id) => ruleOf(policy, id)?.perTransactionLimit ?? spendingLimits.perTransactionLimit,
  )
  return BigInt(limits.length > 0 ? Math.min(...limits) : spendingLimits.perTransactionLimit)
}

/** Of two accounts the stricter mode holds. */
function needsApproval(policy: Policy, accountIds: readonly string[]): boolean {
  const modes = accountIds.map((id) => ruleOf(policy, id)?.executionMode ?? policy.defaultExecutionMode)
  return (modes.length > 0 ? modes : [policy.defaultExecutionMode]).includes('APPROVAL_REQUIRED')
}

function ruleOf({ accountRestrictions }: Pick<Policy, 'accountRestrictions'>, accountId: string) {
  return accountRestrictions?.accountRules?.find((rule) => rule.accountId === accountId)
}
