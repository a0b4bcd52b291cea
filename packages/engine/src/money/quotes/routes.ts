import { ok } from '@corridor/kernel'
import { checkProof } from '../../access/sca/index.ts'
import { route } from '../../mechanisms/feature/bound.ts'
import * as authorization from './authorization-commands.ts'
import * as commands from './commands.ts'
import {
  authorizeQuote,
  createQuote,
  executeQuote,
  getQuoteById,
  listQuotes,
  resendQuoteScaCode,
} from './contract.ts'
import { readOpenQuotes } from './open.ts'
import { renderQuote } from './render.ts'

export const quoteRoutes = [
  route(createQuote, (engine, { scope, body }) => commands.createQuote(engine, scope, body)),

  route(listQuotes, (engine, { scope, query }) => readOpenQuotes(engine, scope, query)),

  route(getQuoteById, async (engine, { scope, params }) => {
    const quote = await commands.readQuote(engine, scope, params.quoteId)
    return quote.ok ? ok({ status: 200, body: renderQuote(quote.value, scope.now) }) : quote
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
