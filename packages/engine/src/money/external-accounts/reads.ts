import { ok } from '@corridor/kernel'
import type { BodyCheck } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type PageQuery, readPage, toPage } from '../../mechanisms/lists/pages.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { loadKnownAccount, type Side } from './commands.ts'
import { checkAccountInfo } from './registration.ts'
import { renderExternalAccount } from './render.ts'
import { listExternalAccounts } from './store.ts'

/** What the schema cannot say of account details, as strictly as the environment asks. */
export const checkDetails: BodyCheck = ({ adapters }, scope, body) =>
  checkAccountInfo(body, adapters[scope.environment].rules.accountChecks, scope.now)

/** A page of accounts of customers or of the platform. */
export async function readExternalAccounts(
  engine: Engine,
  scope: Scope,
  query: PageQuery,
  filters: Parameters<typeof listExternalAccounts>[2],
) {
  const name = 'external-accounts'
  const page = readPage(engine.keys, scope, name, query, filters)
  if (!page.ok) return page
  const { rows, totalCount } = await listExternalAccounts(engine, scope, filters, page.value)
  const body = toPage(engine.keys, scope, name, page.value, filters, rows, totalCount, renderExternalAccount)
  return ok({ status: 200, body })
}

/** REFERENCE_NOT_FOUND, or an account that the side knows (accounts 4.1). */
export async function readExternalAccount(engine: Engine, scope: Scope, side: Side, id: string) {
  const account = await loadKnownAccount(engine, scope, side, id)
  return account.ok ? ok({ status: 200, body: renderExternalAccount(account.value) }) : account
}
