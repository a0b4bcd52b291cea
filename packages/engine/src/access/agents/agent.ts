import { type Id, type Instant, isId } from '@corridor/kernel'
import type { Requirement } from '../../vocabulary/decision.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import type { AgentPermission } from '../../vocabulary/operation.ts'
import type { Actor } from '../../vocabulary/scope.ts'
import type { AgentExecutionMode } from './schemas.ts'

/** Software that acts for one customer under one policy (wallets 12). */
export interface Agent {
  readonly id: Id<'Agent'>
  readonly version: bigint
  readonly customerId: Id<'Customer'>
  readonly name: string
  readonly isPaused: boolean
  readonly isConnected: boolean
  readonly policy: Policy
  /**
   * Currencies that the limits stood in before, each with what one minor unit of it is worth in minor units of the
   * present one, as a fraction. Actions that began meanwhile are counted in them.
   */
  readonly formerCurrencies: Readonly<Record<string, string>>
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** As it is kept and shown: what may be null always is there (conventions 4). Amounts in minor units. */
export interface Policy {
  readonly permissions: readonly AgentPermission[]
  readonly defaultExecutionMode: AgentExecutionMode
  readonly spendingLimits: SpendingLimits
  readonly accountRestrictions?: {
    /** Null: all internal accounts of the customer. */
    readonly allowedAccountIds: readonly Id<'InternalAccount'>[] | null
    readonly accountRules?: readonly AccountRule[]
  }
  readonly approvalThresholds?: { readonly currency?: string; readonly amount: number | null }
}

export interface SpendingLimits {
  readonly currency: string
  readonly perTransactionLimit: number
  readonly dailyLimit: number | null
  readonly dailyTransactionLimit?: number
  readonly monthlyLimit: number | null
}

export interface AccountRule {
  readonly accountId: Id<'InternalAccount'>
  readonly executionMode?: AgentExecutionMode
  /** Instead of the general one, in the currency of the spending limits. */
  readonly perTransactionLimit: number | null
}

/** Whether an agent acts, and not its platform or a job. */
export function isAgent({ id }: Actor): boolean {
  return isId('Agent', id)
}

/** The agent that starts a payment, and why its policy does not allow it (vocabulary/gates.ts). */
export interface AgentGate {
  readonly id: Id<'Agent'>
  readonly refusal?: Failure | undefined
}

/** For a decision that counts on the agent as it was read: running, and under this policy. */
export function whileAgentStays({ id, version }: Pick<Agent, 'id' | 'version'>): Requirement {
  return { table: 'agents', id, version }
}
