import { type Id, toTimestamp } from '@corridor/kernel'
import { revokeKeysOfFundingSources } from '../../access/delegated-keys/index.ts'
import type { Decision, Insert, Update } from '../../vocabulary/decision.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { CardFundingSource } from './store.ts'

/**
 * The rows that make exactly these accounts the ones that fund a card. Keys of wallets that do no more are
 * revoked (wallets 9.2).
 */
export function bindAccounts(
  scope: Scope,
  cardId: string,
  accountIds: readonly string[],
  known: readonly CardFundingSource[],
  newId: () => Id<'CardFundingSource'>,
): Required<Pick<Decision, 'inserts' | 'updates' | 'statements'>> {
  const at = toTimestamp(scope.now)
  const inserts = accountIds
    .filter((accountId) => !known.some((source) => source.accountId === accountId))
    .map((accountId): Insert => {
      const row = { id: newId(), card_id: cardId, account_id: accountId, status: 'ACTIVE' }
      return { table: 'card_funding_sources', row: { ...row, created_at: at, updated_at: at } }
    })
  const updates = known.flatMap((source): Update[] => {
    const status = accountIds.includes(source.accountId) ? 'ACTIVE' : 'INACTIVE'
    if (status === source.status) return []
    const set = { status, updated_at: at }
    return [{ table: 'card_funding_sources', id: source.id, version: source.version, set }]
  })
  const ended = known.filter(
    ({ status, accountId }) => status === 'ACTIVE' && !accountIds.includes(accountId),
  )
  const parameters = [scope.platformId, scope.environment, ended.map(({ id }) => id), at]
  const statements = ended.length === 0 ? [] : [{ statement: revokeKeysOfFundingSources, parameters }]
  return { inserts, updates, statements }
}
