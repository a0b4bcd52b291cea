import { type Id, type Instant, stateAfter } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import type { Requirement } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { statement } from '../../vocabulary/statement.ts'
import { delegatedKeyMachine } from './machine.ts'

/** A key with which the service signs for card payments out of a wallet (wallets 9.2). */
export interface DelegatedKey {
  readonly id: Id<'DelegatedKey'>
  readonly version: bigint
  readonly cardId: `Card:${string}`
  readonly fundingSourceId: `CardFundingSource:${string}`
  readonly accountId: Id<'InternalAccount'>
  /** Compressed, lower-case hex. */
  readonly publicKey: string
  readonly nickname: string
  readonly status: 'PENDING' | 'ACTIVE' | 'REVOKED'
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** The private half in hex. */
export const sealedDelegatedSecrets: SealedColumn = {
  table: 'delegated_keys',
  column: 'secret',
  row: 'id',
  owner: 'owner_id',
}

const columns = `id, version, card_id as "cardId", funding_source_id as "fundingSourceId",
  account_id as "accountId", public_key as "publicKey", nickname, status, created_at as "createdAt",
  updated_at as "updatedAt"`
const ofBook = 'from delegated_keys where platform_id = $1 and environment = $2'

const load = statement('delegatedKeys.load', `select ${columns} ${ofBook} and id = $3`)

export async function loadDelegatedKey(
  database: Database,
  book: Book,
  id: string,
): Promise<DelegatedKey | undefined> {
  const [key] = await database.read<DelegatedKey>(book, load, [book.platformId, book.environment, id])
  return key
}

const ofAccounts = statement(
  'delegatedKeys.ofAccounts',
  `select ${columns} ${ofBook} and account_id = any($3::text[]) order by created_at, id`,
)
const ofFundingSources = statement(
  'delegatedKeys.ofFundingSources',
  `select ${columns} ${ofBook} and funding_source_id = any($3::text[])
     and ($4::text[] is null or account_id = any($4::text[]))
   order by created_at, id`,
)

export async function listKeys(
  database: Database,
  book: Book,
  { accountIds, fundingSourceIds }: { accountIds?: readonly string[]; fundingSourceIds?: readonly string[] },
): Promise<DelegatedKey[]> {
  const of = [book.platformId, book.environment]
  return fundingSourceIds
    ? database.read<DelegatedKey>(book, ofFundingSources, [...of, fundingSourceIds, accountIds ?? null])
    : database.read<DelegatedKey>(book, ofAccounts, [...of, accountIds ?? []])
}

/** The active key for a funding source: without one, a card payment out of a wallet is declined. */
export async function loadActiveDelegatedKey(
  database: Database,
  book: Book,
  fundingSourceId: string,
): Promise<DelegatedKey | undefined> {
  const keys = await listKeys(database, book, { fundingSourceIds: [fundingSourceId] })
  return keys.find(({ status }) => status === 'ACTIVE')
}

/**
 * Ends the keys of funding sources, for the decision that closes a card or takes a wallet off it. Parameters:
 * platform, environment, ids of funding sources, the time.
 */
export const revokeKeysOfFundingSources = statement(
  'delegatedKeys.revokeOf',
  `update delegated_keys set status = '${stateAfter(delegatedKeyMachine, 'revoke')}', updated_at = $4, version = version + 1
   where platform_id = $1 and environment = $2 and funding_source_id = any($3::text[]) and status = 'ACTIVE'`,
)

/** What is signed with a key requires it: whoever ends the key at the same moment comes before, or after. */
export function whileKeyStays({ id }: DelegatedKey): Requirement {
  return { table: 'delegated_keys', id, from: ['ACTIVE'] }
}
