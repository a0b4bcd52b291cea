import type { Id, Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { defineList, equals, timeConditions } from '../../mechanisms/lists/list.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'
import { statement } from '../../vocabulary/statement.ts'
import type { Agent } from './agent.ts'

const columns = `id, version, customer_id as "customerId", name, is_paused as "isPaused",
  is_connected as "isConnected", policy, former_currencies as "formerCurrencies", created_at as "createdAt",
  updated_at as "updatedAt"`

/** An agent ends with its customer (wallets 12.2). A value, because PostgreSQL may look for `exists` among all customers. */
const live = `deleted_at is null and (
  select c.deleted_at from customers c where c.platform_id = agents.platform_id and c.environment = agents.environment
    and c.id = agents.customer_id) is null`

const load = statement(
  'agents.load',
  `select ${columns} from agents where platform_id = $1 and environment = $2 and id = $3 and ${live}`,
)

export async function loadAgent(database: Database, book: Book, id: string): Promise<Agent | undefined> {
  const [agent] = await database.read<Agent>(book, load, [book.platformId, book.environment, id])
  return agent
}

export const agentList = defineList<Agent>()({
  name: 'agents.list',
  table: 'agents',
  columns,
  where: live,
  filters: {
    customerId: equals('customer_id'),
    isPaused: 'is_paused = ?',
    isConnected: 'is_connected = ?',
    ...timeConditions,
  },
})

/** What an agent is connected with (wallets 12.1). */
export interface DeviceCode {
  readonly id: Id<'AgentDeviceCode'>
  readonly version: bigint
  readonly agentId: Id<'Agent'>
  readonly status: 'LIVE' | 'REDEEMED' | 'INVALIDATED'
  readonly expiresAt: Instant
}

const codeColumns = `d.id, d.version, d.agent_id as "agentId", d.status, d.expires_at as "expiresAt"`

const findBook = statement(
  'agents.findBookOfCode',
  `select d.platform_id as "platformId", d.environment from agent_device_codes d where d.code_hash = $1`,
)

/** Whose code it is: whoever redeems one says nothing else. */
export async function findBookOfCode(database: Database, codeHash: string): Promise<Book | undefined> {
  type Row = { platformId: string; environment: Environment }
  const [book] = await database.system((connection) => connection.query<Row>(findBook, [codeHash]))
  return book
}

const loadCode = statement(
  'agents.loadCode',
  `select ${codeColumns} from agent_device_codes d
   where d.platform_id = $1 and d.environment = $2 and d.code_hash = $3`,
)

export async function loadDeviceCode(
  database: Database,
  book: Book,
  codeHash: string,
): Promise<DeviceCode | undefined> {
  const parameters = [book.platformId, book.environment, codeHash]
  const [code] = await database.read<DeviceCode>(book, loadCode, parameters)
  return code
}

const loadLiveCodes = statement(
  'agents.loadLiveCodes',
  `select ${codeColumns} from agent_device_codes d
   where d.platform_id = $1 and d.environment = $2 and d.agent_id = $3 and d.status = 'LIVE'`,
)

export async function loadLiveDeviceCodes(
  database: Database,
  book: Book,
  agentId: string,
): Promise<DeviceCode[]> {
  return database.read<DeviceCode>(book, loadLiveCodes, [book.platformId, book.environment, agentId])
}
