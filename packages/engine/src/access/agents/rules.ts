import {
  failed,
  type Id,
  ok,
  type Rate,
  type Result,
  stateAfter,
  statesBefore,
  toTimestamp,
} from '@corridor/kernel'
import type { Decision, Insert, Update } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import type { Agent } from './agent.ts'
import type { AgentPolicyUpdateRequest, AgentUpdateRequest } from './contract.ts'
import { deviceCodeMachine } from './machine.ts'
import { mergePolicy, noRate, renderPolicy } from './policy.ts'
import { renderAgent } from './render.ts'
import type { AgentDeviceCode } from './schemas.ts'
import type { DeviceCode } from './store.ts'
import type { Usage } from './usage.ts'

/** How long a device code can be redeemed (wallets 12.1). */
const codeLifeMs = 24 * 60 * 60 * 1000

/** A code on its way to the platform, and what is kept of it. */
export interface NewCode {
  readonly id: Id<'AgentDeviceCode'>
  readonly code: string
  readonly hash: string
}

/** A new agent, not connected and with nothing used, and its first device code (wallets 12.2). */
export function decideCreate(scope: Scope, agent: Agent, usage: Usage, newCode: NewCode): Decision<Reply> {
  const at = toTimestamp(agent.createdAt)
  const { insert, shown } = codeOf(scope, agent, newCode)
  const row = {
    id: agent.id,
    customer_id: agent.customerId,
    name: agent.name,
    is_paused: agent.isPaused,
    is_connected: agent.isConnected,
    policy: agent.policy,
    former_currencies: agent.formerCurrencies,
    created_at: at,
    updated_at: at,
  }
  return {
    inserts: [{ table: 'agents', row }, insert],
    unique: { agent_device_codes_code: 'stale' },
    result: () => ({ status: 201, body: { agent: renderAgent(agent, usage, scope.now), deviceCode: shown } }),
  }
}

/** What the agent is with another name or a pause (wallets 12.2). */
export function renamed(
  agent: Agent,
  { name = agent.name, isPaused = agent.isPaused }: AgentUpdateRequest,
): Agent {
  return { ...agent, name: name.trim(), isPaused }
}

/**
 * What the agent is under another policy. Where the limits change their currency, what was used in others goes on
 * counting at the rates of this moment (wallets 12.3). INVALID_INPUT where there is no such rate.
 */
export function underPolicy(
  agent: Agent,
  request: AgentPolicyUpdateRequest,
  rateBetween: (source: string, destination: string) => Rate | undefined,
): Result<Agent, Failure> {
  const before = agent.policy.spendingLimits.currency
  const policy = mergePolicy(agent.policy, request, (currency) => rateBetween(before, currency))
  if (!policy.ok) return policy
  const { currency } = policy.value.spendingLimits
  if (currency === before) return ok({ ...agent, policy: policy.value })
  const formerCurrencies: Record<string, string> = {}
  for (const former of new Set([...Object.keys(agent.formerCurrencies), before])) {
    if (former === currency) continue
    const rate = rateBetween(former, currency)
    if (!rate) return failed(noRate)
    formerCurrencies[former] = `${rate.numerator}/${rate.denominator}`
  }
  return ok({ ...agent, policy: policy.value, formerCurrencies })
}

/** A changed agent: at once, for whatever has not begun (wallets 12.2). */
export function decideChange(scope: Scope, before: Agent, after: Agent, usage: Usage): Decision<Reply> {
  const at = changedAt(scope, before.updatedAt)
  const next: Agent = { ...after, updatedAt: Date.parse(at) }
  const { name, isPaused, policy, formerCurrencies } = next
  const set = { name, is_paused: isPaused, policy, former_currencies: formerCurrencies, updated_at: at }
  return {
    updates: [{ table: 'agents', id: before.id, version: before.version, set }],
    result: () => ({ status: 200, body: renderAgent(next, usage, scope.now) }),
  }
}

/** Its token ends at once; its codes and its pending actions end with it (wallets 12.2). */
export function decideDelete(scope: Scope, { id, version, updatedAt }: Agent): Decision<Reply> {
  const at = changedAt(scope, updatedAt)
  return {
    updates: [{ table: 'agents', id, version, set: { deleted_at: at, updated_at: at, token_hash: null } }],
    result: () => ({ status: 204 }),
  }
}

/** A code in place of those before it; CONFLICT for an agent that is connected (wallets 12.1). */
export function decideNewCode(
  scope: Scope,
  agent: Agent,
  live: readonly DeviceCode[],
  newCode: NewCode,
): Result<Decision<Reply>, Failure> {
  if (agent.isConnected) return failed(fail('CONFLICT', { reason: 'AGENT_CONNECTED' }))
  const at = toTimestamp(scope.now)
  const { insert, shown } = codeOf(scope, agent, newCode)
  return ok({
    updates: [
      // Of two new codes at once one comes after the other and voids it.
      { table: 'agents', id: agent.id, version: agent.version, set: {} },
      ...live.map(
        ({ id, version }): Update => ({
          table: 'agent_device_codes',
          id,
          version,
          from: statesBefore(deviceCodeMachine, 'replace'),
          set: { status: stateAfter(deviceCodeMachine, 'replace'), updated_at: at },
        }),
      ),
    ],
    inserts: [insert],
    unique: { agent_device_codes_code: 'stale' },
    result: () => ({ status: 201, body: shown }),
  })
}

function codeOf(scope: Scope, agent: Agent, { id, code, hash }: NewCode) {
  const at = toTimestamp(scope.now)
  const expiresAt = toTimestamp(scope.now + codeLifeMs)
  const insert: Insert = {
    table: 'agent_device_codes',
    row: {
      id,
      agent_id: agent.id,
      customer_id: agent.customerId,
      code_hash: hash,
      status: 'LIVE',
      created_at: at,
      updated_at: at,
      expires_at: expiresAt,
    },
  }
  const shown: AgentDeviceCode = { code, agentId: agent.id, expiresAt, redeemed: false }
  return { insert, shown }
}

const refusedCodes = {
  REDEEMED: 'Device code already redeemed',
  INVALIDATED: 'Device code invalidated',
} as const

/** Connects the agent with a token, once. INVALID_INPUT with the reason for a code that is over (wallets 12.1). */
export function decideRedeem(
  scope: Scope,
  code: DeviceCode,
  agent: Agent,
  { token, hash }: { readonly token: string; readonly hash: string },
): Result<Decision<Reply>, Failure> {
  const reason =
    code.status === 'LIVE'
      ? scope.now >= code.expiresAt
        ? 'Device code expired'
        : undefined
      : refusedCodes[code.status]
  if (reason !== undefined) return failed(fail('INVALID_INPUT', { reason }))
  const at = changedAt(scope, agent.updatedAt)
  return ok({
    updates: [
      {
        table: 'agent_device_codes',
        id: code.id,
        version: code.version,
        from: statesBefore(deviceCodeMachine, 'redeem'),
        set: { status: stateAfter(deviceCodeMachine, 'redeem'), updated_at: at },
      },
      {
        table: 'agents',
        id: agent.id,
        version: agent.version,
        set: { is_connected: true, token_hash: hash, updated_at: at },
      },
    ],
    result: () => ({
      status: 200,
      body: {
        agentId: agent.id,
        agentName: agent.name,
        accessToken: token,
        policy: renderPolicy(agent.policy),
      },
    }),
  })
}
