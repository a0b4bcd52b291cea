import { ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { installationBook } from '../../vocabulary/scope.ts'
import * as accounts from './accounts.ts'
import * as contract from './contract.ts'
import * as proposals from './proposals.ts'
import { loadOperator, operatorList, proposalList } from './store.ts'

export const operatorsRoutes = [
  route(
    contract.createOperator,
    (engine, { scope, body, approved }) => accounts.createOperator(engine, scope, body, approved),
    { prepare: (engine) => accounts.makeJoinCode(engine) },
  ),

  route(contract.joinOperators, (engine, { scope, body }) => accounts.join(engine, scope, body.joinCode)),

  route(contract.listOperators, async (engine, { query }) => {
    const page = readPage(engine.keys, installationBook, 'operators', query, {})
    if (!page.ok) return page
    const { rows, totalCount } = await operatorList.read(engine.database, installationBook, {}, page.value)
    const now = engine.world.now()
    const render = (row: (typeof rows)[number]) => accounts.renderOperator(row, now)
    const body = toPage(engine.keys, installationBook, 'operators', page.value, {}, rows, totalCount, render)
    return ok({ status: 200, body })
  }),

  route(contract.getSelf, async (engine, { scope }) =>
    ok({ status: 200, body: await accounts.readSelf(engine, scope) }),
  ),

  route(contract.renewKey, (engine, { scope }) => accounts.renewKey(engine, scope)),

  route(
    contract.changeRole,
    (engine, { scope, params, body }) => accounts.changeRole(engine, scope, params.operatorId, body.role),
    {
      // What is refused in any case is refused at once, and is nothing that somebody could approve.
      needsSecondPerson: async ({ database }, { params }) => {
        const operator = await loadOperator(database, params.operatorId)
        return operator !== undefined && operator.endedAt === null
      },
    },
  ),

  route(contract.confirmOperator, (engine, { scope, params }) =>
    accounts.confirmOperator(engine, scope, params.operatorId),
  ),

  route(contract.endOperator, (engine, { scope, params }) =>
    accounts.endOperator(engine, scope, params.operatorId),
  ),

  route(contract.listProposals, async (engine, { scope, query }) => {
    const { keys, database } = engine
    const filters = { operation: await proposals.visibleTo(engine, scope) }
    const page = readPage(keys, installationBook, 'proposals', query, filters)
    if (!page.ok) return page
    const { rows, totalCount } = await proposalList.read(database, installationBook, filters, page.value)
    const render = (row: (typeof rows)[number]) => proposals.renderProposal(engine, row)
    const body = toPage(keys, installationBook, 'proposals', page.value, filters, rows, totalCount, render)
    return ok({ status: 200, body })
  }),

  route(contract.approveProposal, (engine, call) => proposals.approve(engine, call, call.params.proposalId)),

  route(contract.refuseProposal, (engine, { scope, params }) =>
    proposals.refuse(engine, scope, params.proposalId),
  ),
]
