import { failed, ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { fail } from '../../vocabulary/errors.ts'
import { submitCustomer } from './commands.ts'
import { createVerification, getVerification, listVerifications } from './contract.ts'
import { renderVerification } from './render.ts'
import { loadVerification, verificationList } from './store.ts'

export const verificationRoutes = [
  route(listVerifications, async (engine, { scope, query }) => {
    const { database, keys } = engine
    const { limit, cursor, sortOrder, ...filters } = query
    const page = readPage(keys, scope, 'verifications', query, filters)
    if (!page.ok) return page
    const { rows, totalCount } = await verificationList.read(database, scope, filters, page.value)
    const body = toPage(
      keys,
      scope,
      'verifications',
      page.value,
      filters,
      rows,
      totalCount,
      renderVerification,
    )
    return ok({ status: 200, body })
  }),

  route(createVerification, (engine, { scope, body }) => submitCustomer(engine, scope, body.customerId)),

  route(getVerification, async (engine, { scope, params: { verificationId: id } }) => {
    const verification = await loadVerification(engine.database, scope, id)
    if (!verification) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Verification', id }))
    return ok({ status: 200, body: renderVerification(verification) })
  }),
]
