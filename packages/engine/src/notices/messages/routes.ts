import { ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { listSandboxInbox, waitForSandboxMessage } from './contract.ts'
import { renderMessage } from './render.ts'
import { listMessages, type Message } from './store.ts'
import { waitForMessage } from './wait.ts'

export const messageRoutes = [
  route(waitForSandboxMessage, async (engine, { scope, query, over }) => {
    const found = await waitForMessage(engine, scope, query, over())
    if (!found.ok) return found
    const { messenger } = engine.adapters[scope.environment]
    const message = found.value
    return ok({ status: 200, body: message ? { message: renderMessage(message, messenger) } : {} })
  }),

  route(listSandboxInbox, async (engine, { scope, query }) => {
    const { limit, cursor, sortOrder, ...filters } = query
    const page = readPage(engine.keys, scope, 'messages', query, filters)
    if (!page.ok) return page
    const { messenger } = engine.adapters[scope.environment]
    const { rows, totalCount } = await listMessages(engine, scope, filters, page.value)
    const render = (message: Message) => renderMessage(message, messenger)
    return ok({
      status: 200,
      body: toPage(engine.keys, scope, 'messages', page.value, filters, rows, totalCount, render),
    })
  }),
]
