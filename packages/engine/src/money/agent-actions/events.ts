import { webhook } from '../../vocabulary/webhook.ts'
import { AgentAction } from './action-schemas.ts'

export const agentActionWebhook = webhook({
  name: 'agent-action',
  id: 'agentActionWebhook',
  summary: 'An agent action is waiting for approval',
  description:
    'Your response only acknowledges the event. To approve or reject the action, call the agent operations.',
  types: {
    'AGENT_ACTION.PENDING_APPROVAL':
      'An agent action is waiting for approval. Corridor sends this event once per action, with the requested payment.',
  },
  component: 'AgentActionWebhook',
  data: AgentAction,
})
