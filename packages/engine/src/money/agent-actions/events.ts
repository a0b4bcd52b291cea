import { webhook } from '../../vocabulary/webhook.ts'
import { AgentAction } from './action-schemas.ts'

export const agentActionWebhook = webhook({
  name: 'agent-action',
  id: 'agentActionWebhook',
  summary: 'An action of an agent awaits an approval',
  description: 'Answering it acknowledges it and approves nothing: use the operations of the agent for that.',
  types: { 'AGENT_ACTION.PENDING_APPROVAL': 'Once for each action, with what it would do.' },
  component: 'AgentActionWebhook',
  data: AgentAction,
})
