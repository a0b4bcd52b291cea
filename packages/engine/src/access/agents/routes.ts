import { ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import * as commands from './commands.ts'
import * as contract from './contract.ts'
import { redeemDeviceCode, requireDeviceCode } from './device-codes.ts'
import { checkChange, checkCreation, checkPolicyChange } from './field-checks.ts'
import { renderAgent } from './render.ts'
import { agentList } from './store.ts'
import { loadUsage, loadUsages } from './usage.ts'

export const agentRoutes = [
  route(contract.createAgent, (engine, { scope, body }) => commands.createAgent(engine, scope, body), {
    check: checkCreation,
  }),

  route(contract.listAgents, async (engine, { scope, query }) => {
    const { limit, cursor, sortOrder, ...filters } = query
    const page = readPage(engine.keys, scope, 'agents', query, filters)
    if (!page.ok) return page
    const { rows, totalCount } = await agentList.read(engine.database, scope, filters, page.value)
    const usages = await loadUsages(engine.database, scope, rows, scope.now)
    const shown = new Map(rows.map((row, at) => [row.id, renderAgent(row, usages[at]!, scope.now)]))
    const render = ({ id }: { id: string }) => shown.get(id as never)!
    const body = toPage(engine.keys, scope, 'agents', page.value, filters, rows, totalCount, render)
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
    const agent = await commands.requireActingAgent(engine, scope)
    if (!agent.ok) return agent
    const usage = await loadUsage(engine.database, scope, agent.value, scope.now)
    return ok({ status: 200, body: renderAgent(agent.value, usage, scope.now) })
  }),
]
