import type { Id, Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Book } from '../../vocabulary/scope.ts'

export interface OwnershipChallenge {
  readonly id: Id<'OwnershipChallenge'>
  readonly version: bigint
  readonly externalAccountId: string
  readonly method: 'WALLET_SIGNATURE' | 'LIVENESS'
  readonly status: 'OUTSTANDING' | 'PASSED' | 'FAILED' | 'VOIDED'
  /** The exact text to sign; null for other methods. */
  readonly message: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

const columns = `id, version, external_account_id as "externalAccountId", method, status, message,
  created_at as "createdAt", expires_at as "expiresAt"`

const loadOutstanding = statement(
  'ownershipChallenges.loadOutstanding',
  `select ${columns} from ownership_challenges
   where platform_id = $1 and environment = $2 and external_account_id = $3 and status = 'OUTSTANDING'`,
)

/** The one challenge of a wallet that can still be answered. It may have expired. */
export async function loadOutstandingChallenge(
  database: Database,
  book: Book,
  externalAccountId: string,
): Promise<OwnershipChallenge | undefined> {
  const [challenge] = await database.read<OwnershipChallenge>(book, loadOutstanding, [
    book.platformId,
    book.environment,
    externalAccountId,
  ])
  return challenge
}
