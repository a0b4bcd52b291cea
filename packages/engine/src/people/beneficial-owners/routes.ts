import { failed, ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { renderOwner } from '../customers/index.ts'
import { checkChangedOwner, checkNewOwner } from './checks.ts'
import * as commands from './commands.ts'
import {
  createBeneficialOwner,
  getBeneficialOwner,
  listBeneficialOwners,
  updateBeneficialOwner,
} from './contract.ts'
import { listOwners, loadOwner } from './store.ts'

export const beneficialOwnerRoutes = [
  route(listBeneficialOwners, async (engine, { scope, query }) => {
    const { keys } = engine
    const { limit, cursor, sortOrder, ...filters } = query
    const page = readPage(keys, scope, 'beneficial-owners', query, filters)
    if (!page.ok) return page
    const { rows, totalCount } = await listOwners(engine, scope, filters, page.value)
    const body = toPage(keys, scope, 'beneficial-owners', page.value, filters, rows, totalCount, renderOwner)
    return ok({ status: 200, body })
  }),

  route(createBeneficialOwner, (engine, { scope, body }) => commands.createOwner(engine, scope, body), {
    check: checkNewOwner,
  }),

  route(getBeneficialOwner, async (engine, { scope, params: { beneficialOwnerId: id } }) => {
    const owner = await loadOwner(engine, scope, id)
    if (!owner) return failed(commands.unknownOwner(id))
    return ok({ status: 200, body: renderOwner(owner) })
  }),

  route(
    updateBeneficialOwner,
    (engine, { scope, params, body }) =>
      commands.updateOwner(engine, scope, { id: params.beneficialOwnerId, request: body }),
    { check: checkChangedOwner },
  ),
]
