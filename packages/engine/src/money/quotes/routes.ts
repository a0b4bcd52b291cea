import { failed, ok } from '@corridor/kernel'
import { checkProof } from '../../access/sca/index.ts'
import { route } from '../../mechanisms/feature/bound.ts'
import { fail } from '../../vocabulary/errors.ts'
import * as authorization from './authorization-commands.ts'
import { endUnauthorized } from './authorization-commands.ts'
import * as commands from './commands.ts'
import { authorizeQuote, createQuote, executeQuote, getQuoteById, resendQuoteScaCode } from './contract.ts'
import { isUnauthorized, renderQuote } from './render.ts'
import { loadQuote } from './store.ts'

export const quoteRoutes = [
  route(createQuote, (engine, { scope, body }) => commands.createQuote(engine, scope, body)),

  route(getQuoteById, async (engine, { scope, params }) => {
    let quote = await loadQuote(engine.database, scope, params.quoteId)
    if (quote && isUnauthorized(quote, scope.now)) {
      await endUnauthorized(engine, scope, quote.id)
      quote = await loadQuote(engine.database, scope, params.quoteId)
    }
    if (!quote) return failed(fail('QUOTE_NOT_FOUND', { resourceType: 'Quote', id: params.quoteId }))
    return ok({ status: 200, body: renderQuote(quote, scope.now) })
  }),

  route(executeQuote, (engine, { scope, params, header, body }) =>
    commands.executeQuote(engine, scope, { id: params.quoteId, header, scaFactor: body?.scaFactor }),
  ),

  route(
    authorizeQuote,
    (engine, { scope, params, body }) => authorization.authorizeQuote(engine, scope, params.quoteId, body),
    { check: (_engine, _scope, body) => checkProof(body) },
  ),
  route(resendQuoteScaCode, (engine, { scope, params }) =>
    authorization.resendCode(engine, scope, params.quoteId),
  ),
]
