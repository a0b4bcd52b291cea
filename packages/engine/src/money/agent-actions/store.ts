import type { Database } from '../../mechanisms/db/database.ts'
import { defineList, equals } from '../../mechanisms/lists/list.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { statement } from '../../vocabulary/statement.ts'
import type { AgentAction } from './action.ts'

/** An agent ends with its customer, and what waits for an approval with the agent (wallets 12.2). */
const agentIsGone = `exists (
  select from agents a left join customers c
    on c.platform_id = a.platform_id and c.environment = a.environment and c.id = a.customer_id
  where a.platform_id = agent_actions.platform_id and a.environment = agent_actions.environment
    and a.id = agent_actions.agent_id and (a.deleted_at is not null or c.deleted_at is not null))`

const isOrphaned = `status = 'PENDING_APPROVAL' and ${agentIsGone}`

const columns = `id, version, agent_id as "agentId", customer_id as "customerId",
  platform_customer_id as "platformCustomerId", case when ${isOrphaned} then 'REJECTED' else status end as status,
  case when type = 'EXECUTE_QUOTE' then jsonb_build_object('type', type, 'quoteId', quote_id)
    else jsonb_build_object('type', type) || transfer end as subject,
  signature, transaction_id as "transactionId",
  case when ${isOrphaned} then 'Agent deleted' else rejection_reason end as "rejectionReason",
  created_at as "createdAt", updated_at as "updatedAt"`

const load = statement(
  'agentActions.load',
  `select ${columns} from agent_actions
   where platform_id = $1 and environment = $2 and agent_id = $3 and id = $4`,
)

/** An action of this agent; those of others are unknown. */
export async function loadAction(
  database: Database,
  book: Book,
  agentId: string,
  id: string,
): Promise<AgentAction | undefined> {
  const parameters = [book.platformId, book.environment, agentId, id]
  const [action] = await database.read<AgentAction>(book, load, parameters)
  return action
}

const loadOfQuote = statement(
  'agentActions.loadOfQuote',
  `select ${columns} from agent_actions
   where platform_id = $1 and environment = $2 and quote_id = $3 and status <> 'FAILED'`,
)

/** The action that a quote is for, if there is one that has not failed. */
export async function loadActionOfQuote(
  database: Database,
  book: Book,
  quoteId: string,
): Promise<AgentAction | undefined> {
  const parameters = [book.platformId, book.environment, quoteId]
  const [action] = await database.read<AgentAction>(book, loadOfQuote, parameters)
  return action
}

/** The actions of an agent. */
export const actionList = defineList<AgentAction>()({
  name: 'agentActions.list',
  table: 'agent_actions',
  columns,
  filters: { agentId: equals('agent_id'), status: equals('status') },
  always: ['agentId'],
})

/** What awaits an approval, of all agents. */
export const approvalList = defineList<AgentAction>()({
  name: 'agentActions.approvals',
  table: 'agent_actions',
  columns,
  where: `status = 'PENDING_APPROVAL' and not ${agentIsGone}`,
  filters: {
    agentId: equals('agent_id'),
    customerId: equals('customer_id'),
    startDate: 'created_at >= ?::timestamptz',
    endDate: 'created_at <= ?::timestamptz',
  },
})
