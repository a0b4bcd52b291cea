import { failed, ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { fail } from '../../vocabulary/errors.ts'
import * as commands from './commands.ts'
import * as contract from './contract.ts'
import { redeemDeviceCode, requireDeviceCode } from './device-codes.ts'
import { checkChange, checkCreation, checkPolicyChange } from './field-checks.ts'
import { renderAgent } from './render.ts'
import { agentList, loadAgent } from './store.ts'
import { loadUsage } from './usage.ts'

export const agentRoutes = [
  route(contract.createAgent, (engine, { scope, body }) => commands.createAgent(engine, scope, body), {
    check: checkCreation,
  }),

  route(contract.listAgents, async (engine, { scope, query }) => {
    const { limit, cursor, sortOrder, ...filters } = query
    const page = readPage(engine.keys, scope, 'agents', query, filters)
    if (!page.ok) return page
    const { rows, totalCount } = await agentList.read(engine.database, scope, filters, page.value)
    const usages = new Map(
      await Promise.all(
        rows.map(async (row) => [row.id, await loadUsage(engine.database, scope, row, scope.now)] as const),
      ),
    )
    const body = toPage(engine.keys, scope, 'agents', page.value, filters, rows, totalCount, (row) =>
      renderAgent(row, usages.get(row.id)!, scope.now),
    )
    return ok({ status: 200, body })
  }),

  route(contract.getAgentById, async (engine, { scope, params }) => {
    const found = await commands.requireAgent(engine, scope, params.agentId)
    if (!found.ok) return found
    const usage = await loadUsage(engine.database, scope, found.value, scope.now)
    return ok({ status: 200, body: renderAgent(found.value, usage, scope.now) })
  }),

  route(
    contract.updateAgent,
    (engine, { scope, params, body }) => commands.updateAgent(engine, scope, params.agentId, body),
    { check: checkChange },
  ),

  route(
    contract.updateAgentPolicy,
    (engine, { scope, params, body }) => commands.updatePolicy(engine, scope, params.agentId, body),
    { check: checkPolicyChange },
  ),

  route(contract.deleteAgent, (engine, { scope, params }) =>
    commands.deleteAgent(engine, scope, params.agentId),
  ),

  route(contract.regenerateAgentDeviceCode, (engine, { scope, params }) =>
    commands.regenerateDeviceCode(engine, scope, params.agentId),
  ),

  route(contract.getAgentDeviceCodeStatus, async (engine, { scope, params }) => {
    const found = await requireDeviceCode(engine, scope, params.code)
    if (!found.ok) return found
    const { text, code } = found.value
    return ok({ status: 200, body: { code: text, redeemed: code.status === 'REDEEMED' } })
  }),

  route(contract.redeemAgentDeviceCode, (engine, { params, source }) =>
    redeemDeviceCode(engine, params.code, source),
  ),

  route(contract.getAgentMe, async (engine, { scope }) => {
    const agent = await loadAgent(engine.database, scope, scope.actor.id)
    // Deleted since its token was looked at.
    if (!agent) return failed(fail('UNAUTHORIZED'))
    const usage = await loadUsage(engine.database, scope, agent, scope.now)
    return ok({ status: 200, body: renderAgent(agent, usage, scope.now) })
  }),
]
