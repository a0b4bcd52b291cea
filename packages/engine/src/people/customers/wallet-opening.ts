import type { Instant } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadOwnedInternalAccounts } from '../../platform/internal-accounts/index.ts'
import { provisionWallet } from '../../platform/wallet-credentials/index.ts'
import type { Insert } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { Customer } from './store.ts'

/** What comes with the embedded wallet among new accounts: its words, and a credential (wallets 2). */
export function walletParts(
  engine: Pick<Engine, 'world' | 'keys'>,
  { id: ownerId, profile, dataKey }: Pick<Customer, 'id' | 'profile' | 'dataKey'>,
  { accounts, now }: { readonly accounts: readonly Insert[]; readonly now: Instant },
): Insert[] {
  const wallet = accounts.find(({ row }) => row.type === 'EMBEDDED_WALLET')
  if (!wallet || dataKey === null) return []
  return provisionWallet(engine, { accountId: String(wallet.row.id), ownerId, dataKey, now }, profile)
}

/** Opening an account that exists is opening none, but what comes with a wallet would come twice. */
export async function hasWallet(
  { database }: Pick<Engine, 'database'>,
  book: Book,
  customerId: string,
): Promise<boolean> {
  const accounts = await loadOwnedInternalAccounts(database, book, customerId)
  return accounts.some(({ type }) => type === 'EMBEDDED_WALLET')
}
