import type { Engine } from '../../mechanisms/feature/engine.ts'
import { statement } from '../../vocabulary/statement.ts'
import type { UmaPosition } from './contract.ts'

/** Lists of the operator are not paged; nobody reads more than this. */
const listLimit = 1_000

const positions = statement(
  'uma.positions',
  `select platform_id as "platformId", environment,
     substr(id, length('cpty:') + 1, length(id) - length('cpty::') - length(currency)) as "peerDomain",
     (credits_posted - debits_posted)::text as "owedMsats"
   from ledger_accounts where split_part(id, ':', 1) = 'cpty' order by 1, 2, 3 limit $1`,
)

/** What is owed to each institution that settles bilaterally, of all books (webhooks-uma 6.7). */
export async function listPositions({ database }: Pick<Engine, 'database'>) {
  const data = await database.system((connection) => connection.query<UmaPosition>(positions, [listLimit]))
  return { data, hasMore: data.length === listLimit, totalCount: data.length }
}
