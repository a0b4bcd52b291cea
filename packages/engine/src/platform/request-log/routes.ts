import { failed, ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { fail } from '../../vocabulary/errors.ts'
import { getRequest, listRequests } from './contract.ts'
import { readRequest, renderRequest } from './reads.ts'
import { requestList } from './store.ts'

const listName = 'requests'

export const requestLogRoutes = [
  route(listRequests, async (engine, { scope, query }) => {
    const { limit, cursor, sortOrder, ...filters } = query
    const page = readPage(engine.keys, scope, listName, query, filters)
    if (!page.ok) return page
    // What was answered before the question is in the answer.
    await engine.requestLog.flush()
    const { rows, totalCount } = await requestList.read(engine.database, scope, filters, page.value)
    const body = toPage(engine.keys, scope, listName, page.value, filters, rows, totalCount, renderRequest)
    return ok({ status: 200, body })
  }),

  route(getRequest, async (engine, { scope, params: { requestId } }) => {
    const body = await readRequest(engine, scope, requestId)
    return body
      ? ok({ status: 200, body })
      : failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Request', id: requestId }))
  }),
]
