import { failed, ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { fail } from '../../vocabulary/errors.ts'
import type { Call } from '../../vocabulary/operation.ts'
import { changePrivacy, exportWallet, moveInternalAccount } from './commands.ts'
import {
  exportInternalAccount,
  findInternalAccounts,
  getInternalAccount,
  listCustomerInternalAccounts,
  listPlatformInternalAccounts,
  statusOperations,
  updateInternalAccount,
} from './contract.ts'
import { checkExport, checkPrivacy } from './field-checks.ts'
import type { InternalAccountEvent } from './machine.ts'
import { renderInternalAccount } from './render.ts'
import {
  internalAccountList,
  loadInternalAccount,
  loadOwnedInternalAccounts,
  platformOwner,
} from './store.ts'

/** The seed's singular path and the plural one are the same list (accounts 3.2). */
async function listOfCustomers(
  engine: Engine,
  { scope, query }: Pick<Call<typeof findInternalAccounts>, 'scope' | 'query'>,
) {
  const { limit, cursor, sortOrder, ...asked } = query
  const filters = { ...asked, ofCustomers: true }
  const page = readPage(engine.keys, scope, 'internal-accounts', query, filters)
  if (!page.ok) return page
  const { rows, totalCount } = await internalAccountList.read(engine.database, scope, filters, page.value)
  const body = toPage(
    engine.keys,
    scope,
    'internal-accounts',
    page.value,
    filters,
    rows,
    totalCount,
    renderInternalAccount,
  )
  return ok({ status: 200, body })
}

export const internalAccountRoutes = [
  route(listCustomerInternalAccounts, listOfCustomers),
  route(findInternalAccounts, listOfCustomers),

  route(listPlatformInternalAccounts, async (engine, { scope, query }) => {
    const owned = await loadOwnedInternalAccounts(engine.database, scope, platformOwner)
    const data = owned
      .filter(({ currency }) => query.currency === undefined || query.currency.includes(currency))
      .filter(({ type }) => query.type === undefined || query.type.includes(type))
      .map(renderInternalAccount)
    return ok({ status: 200, body: { data, hasMore: false, totalCount: data.length } })
  }),

  route(getInternalAccount, async (engine, { scope, params }) => {
    const account = await loadInternalAccount(engine.database, scope, params.id)
    if (!account)
      return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'InternalAccount', id: params.id }))
    return ok({ status: 200, body: renderInternalAccount(account) })
  }),

  route(updateInternalAccount, changePrivacy, { check: (_engine, _scope, body) => checkPrivacy(body) }),
  route(exportInternalAccount, exportWallet, { check: (_engine, _scope, body) => checkExport(body) }),

  ...Object.entries(statusOperations).map(([move, operation]) =>
    route(operation, (engine, { params }) =>
      moveInternalAccount(engine, params.internalAccountId, move as InternalAccountEvent),
    ),
  ),
]
