import { failed, type Id, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadOwnedInternalAccounts } from '../../platform/internal-accounts/index.ts'
import { crossRate, toSnapshot } from '../../reference/rates/index.ts'
import { areaOfAgents } from '../../vocabulary/areas.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { Agent } from './agent.ts'
import type { AgentCreateRequest, AgentPolicyUpdateRequest, AgentUpdateRequest } from './contract.ts'
import { newDeviceCode } from './device-codes.ts'
import { toPolicy } from './policy.ts'
import { decideChange, decideCreate, decideDelete, decideNewCode, renamed, underPolicy } from './rules.ts'
import { loadAgent, loadLiveDeviceCodes } from './store.ts'
import { loadUsage } from './usage.ts'

/** The fields were checked before, the customer and its accounts among them (field-checks.ts). */
export async function createAgent(
  engine: Engine,
  scope: Scope,
  { name, customerId, policy }: AgentCreateRequest,
): Promise<Result<Reply, Failure>> {
  const id = engine.world.id('Agent')
  const wanted = toPolicy(policy)
  const broader = beyondAreas(scope, wanted)
  if (broader) return failed(broader)
  return commit(engine.applier, scope, async () => {
    const agent: Agent = {
      id,
      version: 1n,
      customerId: customerId as Id<'Customer'>,
      name: name.trim(),
      isPaused: false,
      isConnected: false,
      policy: wanted,
      formerCurrencies: {},
      createdAt: scope.now,
      updatedAt: scope.now,
    }
    const usage = await loadUsage(engine.database, scope, agent, scope.now)
    return ok(decideCreate(scope, agent, usage, newDeviceCode(engine)))
  })
}

/**
 * FORBIDDEN where a policy allows an agent to act in an area that the token is not held to itself. A token's end and its
 * addresses say how long and from where its secret is good, and bind what is made with it no more than they bind a
 * customer that is made with it.
 */
function beyondAreas({ actor }: Scope, { permissions }: Agent['policy']): Failure | undefined {
  const held = actor.limits?.areas
  const isWithin = !held || permissions.every((permission) => held.includes(areaOfAgents[permission]))
  return isWithin ? undefined : fail('FORBIDDEN', { reason: 'BROADER_THAN_CALLER' })
}

/** REFERENCE_NOT_FOUND for an agent that is unknown, deleted, or gone with its customer. */
export async function requireAgent(
  { database }: Engine,
  scope: Scope,
  id: string,
): Promise<Result<Agent, Failure>> {
  const agent = await loadAgent(database, scope, id)
  return agent ? ok(agent) : failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Agent', id }))
}

/** The agent that acts in a scope: UNAUTHORIZED for one that is gone since its token was looked at. */
export async function requireActingAgent(
  { database }: Engine,
  scope: Scope,
): Promise<Result<Agent, Failure>> {
  const agent = await loadAgent(database, scope, scope.actor.id)
  return agent ? ok(agent) : failed(fail('UNAUTHORIZED'))
}

export async function updateAgent(
  engine: Engine,
  scope: Scope,
  id: string,
  request: AgentUpdateRequest,
): Promise<Result<Reply, Failure>> {
  return changeAgent(engine, scope, id, async (agent) => ok(renamed(agent, request)))
}

export async function updatePolicy(
  engine: Engine,
  scope: Scope,
  id: string,
  request: AgentPolicyUpdateRequest,
): Promise<Result<Reply, Failure>> {
  return changeAgent(engine, scope, id, async (agent) => {
    const snapshot = toSnapshot(await engine.adapters[scope.environment].rates.snapshot(scope.now))
    const after = underPolicy(agent, request, (source, destination) =>
      crossRate(snapshot, { source, destination }),
    )
    const broader = after.ok && beyondAreas(scope, after.value.policy)
    return broader ? failed(broader) : after
  })
}

async function changeAgent(
  engine: Engine,
  scope: Scope,
  id: string,
  changed: (agent: Agent) => Promise<Result<Agent, Failure>>,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requireAgent(engine, scope, id)
    if (!found.ok) return found
    const after = await changed(found.value)
    if (!after.ok) return after
    const usage = await loadUsage(engine.database, scope, after.value, scope.now)
    return ok(decideChange(scope, found.value, after.value, usage))
  })
}

export async function deleteAgent(engine: Engine, scope: Scope, id: string): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requireAgent(engine, scope, id)
    return found.ok ? ok(decideDelete(scope, found.value)) : found
  })
}

export async function regenerateDeviceCode(
  engine: Engine,
  scope: Scope,
  id: string,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const found = await requireAgent(engine, scope, id)
    if (!found.ok) return found
    const live = await loadLiveDeviceCodes(engine.database, scope, id)
    return decideNewCode(scope, found.value, live, newDeviceCode(engine))
  })
}

/** The ids of a customer's internal accounts: all that a policy may name. */
export async function ownedAccountIds(
  { database }: Engine,
  scope: Scope,
  customerId: string,
): Promise<ReadonlySet<string>> {
  const accounts = await loadOwnedInternalAccounts(database, scope, customerId)
  return new Set(accounts.map(({ id }) => id))
}
