import { failed, ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { cookieOf } from '../../mechanisms/http/console.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { fail } from '../../vocabulary/errors.ts'
import { installationBook } from '../../vocabulary/scope.ts'
import * as commands from './commands.ts'
import * as contract from './contract.ts'
import { sessionList } from './store.ts'

export const consoleRoutes = [
  route(contract.openConsoleSession, (engine, { scope, header }) =>
    commands.openSession(engine, scope, header),
  ),

  route(contract.createStartLink, (engine, { scope, header }) =>
    commands.createStartLink(engine, scope, header),
  ),

  route(contract.startConsoleSession, (engine, { scope, body, header }) =>
    commands.startSession(engine, scope, body, header),
  ),

  route(contract.getConsoleSession, async (engine, { header }) => {
    const body = await commands.readSession(engine, cookieOf(engine.settings.baseUrl, header('cookie')))
    return body ? ok({ status: 200, body }) : failed(fail('UNAUTHORIZED'))
  }),

  route(contract.closeConsoleSession, (engine, { scope, header }) =>
    commands.closeSession(engine, scope, header),
  ),

  route(contract.listSessions, async (engine, { query }) => {
    const page = readPage(engine.keys, installationBook, 'console sessions', query, {})
    if (!page.ok) return page
    const { rows, totalCount } = await sessionList.read(engine.database, installationBook, {}, page.value)
    const body = toPage(
      engine.keys,
      installationBook,
      'console sessions',
      page.value,
      {},
      rows,
      totalCount,
      commands.renderOpened,
    )
    return ok({ status: 200, body })
  }),

  route(contract.endSession, (engine, { scope, params }) =>
    commands.endSession(engine, scope, params.sessionId),
  ),
]
