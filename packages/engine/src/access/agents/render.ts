import { type Instant, toTimestamp } from '@corridor/kernel'
import type { Agent } from './agent.ts'
import { renderPolicy } from './policy.ts'
import type { Agent as AgentWire } from './schemas.ts'
import { renderUsage, type Usage } from './usage.ts'

export function renderAgent(agent: Agent, usage: Usage, now: Instant): AgentWire {
  const { id, name, customerId, isPaused, isConnected } = agent
  return {
    id,
    name,
    customerId,
    isPaused,
    isConnected,
    policy: renderPolicy(agent.policy),
    usage: renderUsage(usage, now),
    createdAt: toTimestamp(agent.createdAt),
    updatedAt: toTimestamp(agent.updatedAt),
  }
}
