import { failed, ok, toTimestamp, toWireAmount } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import type { AuthorizationKind } from './authorization.ts'
import * as commands from './commands.ts'
import * as contract from './contract.ts'
import { renderCard } from './render.ts'
import { checkFundingSources, checkUpdate } from './rules.ts'
import { cardList, findBookOf, loadAttempts } from './store.ts'
import * as transactions from './transaction-commands.ts'

export const cardRoutes = [
  route(contract.createCard, (engine, { scope, body }) => commands.issueCard(engine, scope, body), {
    check: (_engine, _scope, body) => checkFundingSources(body),
  }),

  route(contract.listCards, async (engine, { scope, query }) => {
    const processor = commands.requireProcessor(engine, scope)
    if (!processor.ok) return processor
    const { limit, cursor, sortOrder, ...filters } = query
    const page = readPage(engine.keys, scope, 'cards', query, filters)
    if (!page.ok) return page
    const { rows, totalCount } = await cardList.read(engine.database, scope, filters, page.value)
    const body = toPage(engine.keys, scope, 'cards', page.value, filters, rows, totalCount, renderCard)
    return ok({ status: 200, body })
  }),

  route(contract.getCard, (engine, { scope, params }) => commands.readCard(engine, scope, params.id)),

  route(
    contract.updateCard,
    (engine, { scope, params, body }) => commands.updateCard(engine, scope, params.id, body),
    { check: (_engine, _scope, body) => checkUpdate(body) },
  ),

  route(contract.revealCard, (engine, { scope, params, source }) =>
    commands.revealCard(engine, scope, params.id, source),
  ),

  ...Object.entries(contract.authorizationOperations).map(([kind, operation]) =>
    route(operation, (engine, { scope, params, body }) =>
      transactions.receiveAuthorization(engine, scope, params.id, {
        kind: kind as AuthorizationKind,
        amountMinor: BigInt(body.amount),
        currency: body.currency.code,
        merchant: body.merchant,
      }),
    ),
  ),

  route(contract.simulateBalanceInquiry, (engine, { scope, params, body }) =>
    transactions.receiveAuthorization(engine, scope, params.id, {
      kind: 'balance_inquiry',
      amountMinor: 0n,
      currency: null,
      merchant: body.merchant,
    }),
  ),

  route(contract.simulateClearing, (engine, { scope, params, body }) =>
    transactions.receiveClearing(engine, scope, params.id, body.cardTransactionId, BigInt(body.amount)),
  ),

  route(contract.simulateReturn, (engine, { scope, params, body }) =>
    transactions.receiveReturn(engine, scope, params.id, body.cardTransactionId, BigInt(body.amount)),
  ),

  route(contract.simulateAdvice, (engine, { scope, params, body }) =>
    transactions.receiveAdvice(engine, scope, params.id, body.cardTransactionId, BigInt(body.amount)),
  ),

  route(contract.simulateReturnReversal, (engine, { scope, params, body }) =>
    transactions.receiveReturnReversal(engine, scope, params.id, body.cardTransactionId),
  ),

  route(contract.closeCard, (engine, { scope, params }) =>
    commands.closeByOperator(engine, scope.actor, params.cardId),
  ),

  route(contract.resolveException, (engine, { scope, params }) =>
    transactions.resolveByOperator(engine, scope.actor, params.cardTransactionId),
  ),

  route(contract.listAttempts, async (engine, { scope: { actor }, params: { cardId } }) => {
    const book = await findBookOf(engine.database, 'CARD', cardId)
    if (!book) return failed(commands.cardNotFound(cardId))
    const scope = await engine.clock.scope(book, actor)
    const attempts = await loadAttempts(engine.database, scope, cardId)
    const data = attempts.map(
      ({ token, kind, amountMinor, currency, merchant, declineReason, createdAt }) => ({
        issuerTransactionToken: token,
        kind,
        amount: toWireAmount(amountMinor),
        ...(currency === null ? {} : { currency }),
        merchant,
        ...(declineReason === null ? {} : { declineReason }),
        createdAt: toTimestamp(createdAt),
      }),
    )
    return ok({ status: 200, body: { data } })
  }),
]
