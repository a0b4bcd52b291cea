import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { ledgerAccount as account } from '../../mechanisms/ledger/accounts.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Actor, Book } from '../../vocabulary/scope.ts'
import { statement } from '../../vocabulary/statement.ts'
import type { SettlePositionRequest, UmaPosition } from './contract.ts'
import { countCredit } from './credit.ts'

/** Lists of the operator are not paged; nobody reads more than this. */
const listLimit = 1_000

const columns = `platform_id as "platformId", environment,
     substr(id, length('cpty:') + 1, length(id) - length('cpty::') - length(currency)) as "peerDomain",
     (credits_posted - debits_posted)::text as "owedMsats"`

const positions = statement(
  'uma.positions',
  `select l.* from books b cross join lateral (
     select ${columns} from ledger_accounts
     where platform_id = b.platform_id and environment = b.environment and kind = 'cpty'
       and kind not in ('txn', 'refund', 'pfee')
     order by currency, id limit $1) l
   order by 1, 2, 3 limit $1`,
)

/** What is owed to each institution that settles bilaterally, of all books (webhooks-uma 6.7). */
export async function listPositions({ database }: Pick<Engine, 'database'>) {
  const data = await database.system((connection) => connection.query<UmaPosition>(positions, [listLimit]))
  return { data, hasMore: data.length === listLimit, totalCount: data.length }
}

const position = statement(
  'uma.position',
  `select ${columns} from ledger_accounts where platform_id = $1 and environment = $2 and id = $3`,
)
const recorded = statement(
  'uma.recordedSettlement',
  `select debit_account as debit, amount as "amountMsats" from ledger_transfers
   where platform_id = $1 and environment = $2 and id = $3`,
)

/** Where the ledger shows what institutions paid each other by other means. */
const settledBy = account.rail('UMA_SETTLEMENT', 'MSAT')

/**
 * Records that the operators settled a position between themselves (webhooks-uma 6.7): the position moves, and with it what
 * the peer has used of its credit line. Once for each reference: CONFLICT where it was recorded with something else.
 * REFERENCE_NOT_FOUND where there is no position with that institution.
 */
export async function settlePosition(
  engine: Engine,
  actor: Actor,
  request: SettlePositionRequest,
): Promise<Result<Reply, Failure>> {
  const { platformId, environment, peerDomain, direction, reference, reason } = request
  const { database, world } = engine
  const book: Book = { platformId, environment }
  const scope = await engine.clock.scope(book, actor)
  const counterparty = account.counterparty(peerDomain, 'MSAT')
  const amountMsats = BigInt(request.amountMsats)
  const id = `uma-settlement/${peerDomain}/${reference}`
  const [debit, credit] = direction === 'PAID' ? [counterparty, settledBy] : [settledBy, counterparty]
  const parameters = [platformId, environment]
  const settled = await commit<null>(engine.applier, scope, async () => {
    const [known] = await database.read<UmaPosition>(book, position, [...parameters, counterparty])
    if (!known) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'UmaPosition', id: peerDomain }))
    const [before] = await database.read<{ debit: string; amountMsats: bigint }>(book, recorded, [
      ...parameters,
      id,
    ])
    if (before) {
      return before.debit === debit && before.amountMsats === amountMsats
        ? ok({ result: () => null })
        : failed(fail('CONFLICT', { reason: 'RECORDED', id: reference }))
    }
    return ok({
      transfers: [{ id, debit, credit, currency: 'MSAT', amountMinor: amountMsats }],
      counts: [countCredit(peerDomain, direction === 'PAID' ? amountMsats : -amountMsats)],
      result: () => null,
    })
  })
  if (!settled.ok) return settled
  world.log.info(
    { ...book, peerDomain, direction, amountMsats: request.amountMsats, reference, reason },
    'a UMA position was settled by the operator',
  )
  const [after] = await database.read<UmaPosition>(book, position, [...parameters, counterparty])
  return ok({ status: 200, body: after! })
}
