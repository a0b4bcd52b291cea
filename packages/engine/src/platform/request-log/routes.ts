import { failed, ok, toTimestamp } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { fail } from '../../vocabulary/errors.ts'
import { getRequest, type LoggedRequest, listRequests } from './contract.ts'
import { loadRequest, type RequestRow, requestList } from './store.ts'

const listName = 'requests'

export const requestLogRoutes = [
  route(listRequests, async (engine, { scope, query }) => {
    const { limit, cursor, sortOrder, ...filters } = query
    const page = readPage(engine.keys, scope, listName, query, filters)
    if (!page.ok) return page
    // What was answered before the question is in the answer.
    await engine.requestLog.flush()
    const { rows, totalCount } = await requestList.read(engine.database, scope, filters, page.value)
    const body = toPage(engine.keys, scope, listName, page.value, filters, rows, totalCount, render)
    return ok({ status: 200, body })
  }),

  route(getRequest, async (engine, { scope, params: { requestId } }) => {
    await engine.requestLog.flush()
    const row = await loadRequest(engine.database, scope, requestId)
    return row
      ? ok({ status: 200, body: render(row) })
      : failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Request', id: requestId }))
  }),
]

function render({ id, createdAt, fields, ...row }: RequestRow): LoggedRequest {
  return { ...row, fields: [...fields], createdAt: toTimestamp(createdAt) }
}
