import { failed, ok } from '@corridor/kernel'
import { fail } from '../http/errors.ts'
import { route } from '../http/operation.ts'
import * as commands from './commands.ts'
import { createQuote, executeQuote, getQuoteById } from './contract.ts'
import { renderQuote } from './render.ts'
import { loadQuote } from './store.ts'

export const quoteRoutes = [
  route(createQuote, (engine, { scope, body }) => commands.createQuote(engine, scope, body)),

  route(getQuoteById, async (engine, { scope, params }) => {
    const quote = await loadQuote(engine.database, scope, params.quoteId)
    if (!quote) return failed(fail('QUOTE_NOT_FOUND', { resourceType: 'Quote', id: params.quoteId }))
    return ok({ status: 200, body: renderQuote(quote, scope.now) })
  }),

  route(executeQuote, (engine, { scope, params, header }) =>
    commands.executeQuote(engine, scope, { id: params.quoteId, header }),
  ),
]
