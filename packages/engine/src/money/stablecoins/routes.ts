import { failed, ok, toTimestamp } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import * as commands from './commands.ts'
import * as contract from './contract.ts'
import { checkAmount } from './operation-rules.ts'
import { renderCoin, renderLink, renderOperation } from './render.ts'
import {
  coinList,
  findBookOf,
  linkList,
  loadCoin,
  loadDecisions,
  loadLink,
  loadOperation,
  operationList,
} from './store.ts'
import { checkToken } from './token-names.ts'

const amountCheck = {
  check: (_engine: unknown, _scope: unknown, body: Readonly<Record<string, unknown>>) =>
    checkAmount(body.amount),
}

export const stablecoinRoutes = [
  route(contract.linkProviderAccount, (engine, { scope, body }) =>
    commands.linkProviderAccount(engine, scope, body),
  ),

  route(contract.listProviderAccounts, async (engine, { scope, query }) => {
    const { limit, cursor, sortOrder, ...filters } = query
    const name = 'stablecoin-provider-accounts'
    const page = readPage(engine.keys, scope, name, query, filters)
    if (!page.ok) return page
    const { rows, totalCount } = await linkList.read(engine.database, scope, filters, page.value)
    const body = toPage(engine.keys, scope, name, page.value, filters, rows, totalCount, renderLink)
    return ok({ status: 200, body })
  }),

  route(
    contract.getProviderAccount,
    async (engine, { scope, params: { stablecoinProviderAccountId: id } }) => {
      const link = await loadLink(engine.database, scope, id)
      return link ? ok({ status: 200, body: renderLink(link) }) : failed(commands.linkNotFound(id))
    },
  ),

  route(
    contract.registerStablecoin,
    (engine, { scope, body }) => commands.registerStablecoin(engine, scope, body),
    { check: (_engine, _scope, body) => checkToken(body) },
  ),

  route(contract.listStablecoins, async (engine, { scope, query }) => {
    const { limit, cursor, sortOrder, ...filters } = query
    const page = readPage(engine.keys, scope, 'stablecoins', query, filters)
    if (!page.ok) return page
    const { rows, totalCount } = await coinList.read(engine.database, scope, filters, page.value)
    const body = toPage(engine.keys, scope, 'stablecoins', page.value, filters, rows, totalCount, renderCoin)
    return ok({ status: 200, body })
  }),

  route(contract.getStablecoin, async (engine, { scope, params: { stablecoinId } }) => {
    const coin = await loadCoin(engine.database, scope, stablecoinId)
    return coin ? ok({ status: 200, body: renderCoin(coin) }) : failed(commands.coinNotFound(stablecoinId))
  }),

  route(contract.requestEnablement, (engine, { scope, params }) =>
    commands.requestEnablement(engine, scope, params.stablecoinId),
  ),

  route(
    contract.createMint,
    (engine, { scope, params, body }) =>
      commands.submitOperation(engine, scope, params.stablecoinId, { operationType: 'MINT', request: body }),
    amountCheck,
  ),

  route(
    contract.createBurn,
    (engine, { scope, params, body }) =>
      commands.submitOperation(engine, scope, params.stablecoinId, { operationType: 'BURN', request: body }),
    amountCheck,
  ),

  route(contract.listOperations, async (engine, { scope, params: { stablecoinId: coinId }, query }) => {
    const coin = await loadCoin(engine.database, scope, coinId)
    if (!coin) return failed(commands.coinNotFound(coinId))
    const { limit, cursor, sortOrder, ...asked } = query
    const filters = { ...asked, coinId }
    const page = readPage(engine.keys, scope, 'stablecoin-operations', query, filters)
    if (!page.ok) return page
    const { rows, totalCount } = await operationList.read(engine.database, scope, filters, page.value)
    const body = toPage(
      engine.keys,
      scope,
      'stablecoin-operations',
      page.value,
      filters,
      rows,
      totalCount,
      (row) => renderOperation(coin, row),
    )
    return ok({ status: 200, body })
  }),

  route(contract.getOperation, async (engine, { scope, params: { stablecoinOperationId: id } }) => {
    const operation = await loadOperation(engine.database, scope, id)
    const coin = operation && (await loadCoin(engine.database, scope, operation.coinId))
    return coin
      ? ok({ status: 200, body: renderOperation(coin, operation) })
      : failed(commands.operationNotFound(id))
  }),

  route(contract.simulateFunding, (engine, { scope, params }) =>
    commands.simulateFunding(engine, scope, params.stablecoinOperationId),
  ),

  route(
    contract.decideEnablement,
    (engine, { scope, params, body }) =>
      commands.decideByOperator(engine, scope.actor, params.stablecoinId, body),
    {
      // Only what allows something new.
      needsSecondPerson: async (engine, { params, body }) =>
        (body.decision === 'APPROVE' || body.decision === 'RE_ENABLE') &&
        (await commands.takesTwoToAllow(engine, params.stablecoinId)),
    },
  ),

  route(contract.revokeProviderAccount, (engine, { scope, params, body }) =>
    commands.revokeByOperator(engine, scope.actor, params.stablecoinProviderAccountId, body.reason),
  ),

  route(contract.listDecisions, async ({ database }, { params: { stablecoinId } }) => {
    const book = await findBookOf(database, 'COIN', stablecoinId)
    const coin = book && (await loadCoin(database, book, stablecoinId))
    if (!coin) return failed(commands.coinNotFound(stablecoinId))
    const decisions = await loadDecisions(database, book, [coin.id, coin.providerAccountId])
    const data = decisions.map((each) => ({ ...each, createdAt: toTimestamp(each.createdAt) }))
    return ok({ status: 200, body: { data } })
  }),
]
