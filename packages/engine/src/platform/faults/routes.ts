import { failed, ok, toTimestamp } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import * as commands from './commands.ts'
import * as contract from './contract.ts'
import { checkFault, checkFaults } from './field-checks.ts'
import { type ActivationRow, activationList, faultList, loadFault } from './store.ts'

export const faultRoutes = [
  route(contract.createSandboxFault, (engine, { scope, body }) => commands.createFault(engine, scope, body), {
    check: checkFault,
  }),

  route(contract.applySandboxFaults, (engine, { scope, body }) => commands.applyFaults(engine, scope, body), {
    check: checkFaults,
  }),

  route(contract.listSandboxFaults, async (engine, { scope, query }) => {
    const { limit, cursor, sortOrder, ...filters } = query
    const page = readPage(engine.keys, scope, 'faults', query, filters)
    if (!page.ok) return page
    const { rows, totalCount } = await faultList.read(engine.database, scope, filters, page.value)
    const { renderFault } = commands
    const body = toPage(engine.keys, scope, 'faults', page.value, filters, rows, totalCount, renderFault)
    return ok({ status: 200, body })
  }),

  route(contract.getSandboxFault, async (engine, { scope, params: { faultId } }) => {
    const fault = await loadFault(engine.database, scope, faultId)
    return fault ? ok({ status: 200, body: commands.renderFault(fault) }) : failed(commands.noFault(faultId))
  }),

  route(contract.listSandboxFaultActivations, async (engine, { scope, params: { faultId }, query }) => {
    if (!(await loadFault(engine.database, scope, faultId))) return failed(commands.noFault(faultId))
    const filters = { faultId }
    const page = readPage(engine.keys, scope, 'faultActivations', query, filters)
    if (!page.ok) return page
    const { rows, totalCount } = await activationList.read(engine.database, scope, filters, page.value)
    const body = toPage(
      engine.keys,
      scope,
      'faultActivations',
      page.value,
      filters,
      rows,
      totalCount,
      renderActivation,
    )
    return ok({ status: 200, body })
  }),

  route(contract.deleteSandboxFault, (engine, { scope, params }) =>
    commands.deleteFault(engine, scope, params.faultId),
  ),

  route(contract.deleteSandboxFaults, (engine, { scope }) => commands.deleteFaults(engine, scope)),
]

function renderActivation({ createdAt, faultId, ...row }: ActivationRow): contract.SandboxFaultActivation {
  return {
    ...row,
    faultId: faultId as contract.SandboxFaultActivation['faultId'],
    createdAt: toTimestamp(createdAt),
  }
}
