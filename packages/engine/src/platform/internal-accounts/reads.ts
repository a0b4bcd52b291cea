import { ok, type Result } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { findInternalAccounts } from './contract.ts'
import { renderInternalAccount } from './render.ts'
import { internalAccountList } from './store.ts'

type Query = Call<typeof findInternalAccounts>['query']

/** A page of the accounts of customers (accounts 3.2); with `among`, of these alone. */
export async function readInternalAccounts(
  engine: Engine,
  scope: Scope,
  query: Query,
  among?: readonly string[] | null,
): Promise<Result<Reply, Failure>> {
  const { currency, customerId, type } = query
  const filters = { currency, customerId, type, ...(among ? { id: among } : {}), ofCustomers: true }
  const page = readPage(engine.keys, scope, 'internal-accounts', query, filters)
  if (!page.ok) return page
  const none = { rows: [], totalCount: 0 }
  const { rows, totalCount } =
    among?.length === 0 ? none : await internalAccountList.read(engine.database, scope, filters, page.value)
  const render = renderInternalAccount
  const body = toPage(engine.keys, scope, 'internal-accounts', page.value, filters, rows, totalCount, render)
  return ok({ status: 200, body })
}
