import { ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { checkUpload } from './checks.ts'
import * as commands from './commands.ts'
import { deleteDocument, getDocument, listDocuments, replaceDocument, uploadDocument } from './contract.ts'
import { renderDocument } from './rules.ts'
import * as store from './store.ts'

export const documentRoutes = [
  route(listDocuments, async (engine, { scope, query }) => {
    const { keys } = engine
    const { limit, cursor, sortOrder, ...filters } = query
    const page = readPage(keys, scope, 'documents', query, filters)
    if (!page.ok) return page
    const { rows, totalCount } = await store.listDocuments(engine, scope, filters, page.value)
    const body = toPage(keys, scope, 'documents', page.value, filters, rows, totalCount, renderDocument)
    return ok({ status: 200, body })
  }),

  route(uploadDocument, (engine, { scope, body }) => commands.uploadDocument(engine, scope, body), {
    check: checkUpload,
  }),

  route(getDocument, async (engine, { scope, params }) => {
    const document = await commands.requireDocument(engine, scope, params.documentId)
    if (!document.ok) return document
    return ok({ status: 200, body: renderDocument(document.value) })
  }),

  route(
    replaceDocument,
    (engine, { scope, params, body }) =>
      commands.replaceDocument(engine, scope, { id: params.documentId, request: body }),
    { check: checkUpload },
  ),

  route(deleteDocument, (engine, { scope, params }) =>
    commands.deleteDocument(engine, scope, params.documentId),
  ),
]
