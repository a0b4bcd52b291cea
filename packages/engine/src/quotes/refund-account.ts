import type { Insert } from '../db/decision.ts'
import type { Engine } from '../engine.ts'
import type { Scope } from '../http/scope.ts'
import { loadOwnedInternalAccount, openAccounts } from '../internal-accounts/index.ts'

/**
 * The owner's internal account of a currency, for money that comes back. An owner without one gets it with
 * the decision that may need it (accounts 10.5); `opened` inserts it, and somebody who was faster makes the
 * facts stale, so that no refund names an account that was never opened.
 */
export async function refundAccount(
  engine: Engine,
  scope: Scope,
  ownerId: string,
  currency: string,
): Promise<{ readonly id: string; readonly opened: readonly Insert[] }> {
  const account = await loadOwnedInternalAccount(engine.database, scope, ownerId, currency)
  if (account) return { id: account.id, opened: [] }
  const status = engine.adapters[scope.environment].rules.newInternalAccountStatus
  const rows = openAccounts(engine.world, { ownerId, currencies: [currency], now: scope.now, status })
  const opened = rows.map(({ table, row }) => ({ table, row }))
  return { id: String(opened[0]?.row.id), opened }
}

/** For the `unique` of a decision that inserts what `refundAccount` opened. */
export const openedMeanwhile = { internal_accounts_one_per_currency: 'stale' } as const
