import { failed, ok, toTimestamp } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { fail } from '../../vocabulary/errors.ts'
import * as commands from './commands.ts'
import {
  type ApiToken,
  createToken,
  deleteTokenById,
  getTokenById,
  listTokens,
  rotateToken,
} from './contract.ts'
import { checkTokenLimits } from './field-checks.ts'
import { limitsOf, renderLimits } from './rules.ts'
import { loadToken, type Token, tokenList } from './store.ts'

export const tokenRoutes = [
  route(listTokens, async (engine, { scope, query }) => {
    const { limit, cursor, sortOrder, ...filters } = query
    const page = readPage(engine.keys, scope, 'tokens', query, filters)
    if (!page.ok) return page
    const { rows, totalCount } = await tokenList.read(engine.database, scope, filters, page.value)
    return ok({
      status: 200,
      body: toPage(engine.keys, scope, 'tokens', page.value, filters, rows, totalCount, renderToken),
    })
  }),

  route(createToken, (engine, { scope, body }) => commands.createToken(engine, scope, body), {
    check: checkTokenLimits,
  }),

  route(getTokenById, async (engine, { scope, params }) => {
    const token = await loadToken(engine.database, scope, params.tokenId)
    if (!token) return failed(fail('TOKEN_NOT_FOUND', { resourceType: 'Token', id: params.tokenId }))
    return ok({ status: 200, body: renderToken(token) })
  }),

  route(rotateToken, (engine, { scope, params, body }) =>
    commands.rotateToken(engine, scope, params.tokenId, body?.overlapSeconds),
  ),

  route(deleteTokenById, (engine, { scope, params }) => commands.deleteToken(engine, scope, params.tokenId)),
]

function renderToken(token: Token): ApiToken {
  const { id, name, permissions, clientId, lastUsedAt, overlapEndsAt } = token
  return {
    id,
    name,
    permissions: [...permissions],
    clientId,
    createdAt: toTimestamp(token.createdAt),
    updatedAt: toTimestamp(token.updatedAt),
    ...renderLimits(limitsOf(token)),
    ...(lastUsedAt === null ? {} : { lastUsedAt: toTimestamp(lastUsedAt) }),
    ...(overlapEndsAt === null ? {} : { overlapEndsAt: toTimestamp(overlapEndsAt) }),
  }
}
