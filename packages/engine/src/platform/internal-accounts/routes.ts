import { failed, ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { fail } from '../../vocabulary/errors.ts'
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
import { readInternalAccounts } from './reads.ts'
import { renderInternalAccount } from './render.ts'
import { loadInternalAccount, loadOwnedInternalAccounts, platformOwner } from './store.ts'

export const internalAccountRoutes = [
  // The seed's singular path and the plural one are the same list (accounts 3.2).
  ...[listCustomerInternalAccounts, findInternalAccounts].map((operation) =>
    route(operation, (engine, { scope, query }) => readInternalAccounts(engine, scope, query)),
  ),

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
    route(operation, (engine, { scope, params }) =>
      moveInternalAccount(engine, scope.actor, params.internalAccountId, move as InternalAccountEvent),
    ),
  ),
]
