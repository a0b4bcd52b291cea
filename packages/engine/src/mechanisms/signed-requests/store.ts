import type { Id, Instant } from '@corridor/kernel'
import type { Book } from '../../vocabulary/scope.ts'
import { statement } from '../db/driver.ts'
import type { Engine } from '../feature/engine.ts'
import { type DataKey, sealedKeyOf } from '../keys/data-keys.ts'
import type { SealedColumn } from '../keys/sealing.ts'

/** A challenge that was given out, with everything its answer is held against. */
export interface SignedRequest extends SignedContent {
  readonly id: Id<'Request'>
  readonly version: bigint
  readonly operation: string
  readonly resourceId: string
  readonly status: 'PENDING' | 'CONSUMED' | 'DEAD'
  readonly failures: number
  readonly expiresAt: Instant
}

/** What may tell of the customer, kept as one text under the customer's key. */
export interface SignedContent {
  readonly body: unknown
  readonly payloadToSign: string
  /** What the operation needs again when the answer comes. */
  readonly details: Readonly<Record<string, unknown>>
}

export const sealedChallenges: SealedColumn = {
  table: 'signed_requests',
  column: 'content',
  row: 'id',
  owner: 'owner_id',
  formerly: '{row}',
}

export function sealChallenge(key: DataKey, id: string, content: SignedContent): string {
  return key.seal(sealedChallenges, id, JSON.stringify(content))
}

const load = statement(
  'signedRequests.load',
  `select id, version, operation, resource_id as "resourceId", owner_id as "ownerId", content, status, failures,
     expires_at as "expiresAt", ${sealedKeyOf('signed_requests', 'owner_id')} as "sealedKey"
   from signed_requests where platform_id = $1 and environment = $2 and id = $3`,
)

type SignedRow = Omit<SignedRequest, keyof SignedContent> & {
  readonly ownerId: string
  readonly content: string
  readonly sealedKey: string | null
}

/** Nothing once its customer is erased: there is no key left to open it with. */
export async function loadSignedRequest(
  { database, keys }: Pick<Engine, 'database' | 'keys'>,
  book: Book,
  id: string,
): Promise<SignedRequest | undefined> {
  const [row] = await database.read<SignedRow>(book, load, [book.platformId, book.environment, id])
  if (!row || row.sealedKey === null) return undefined
  const { ownerId, content, sealedKey, ...request } = row
  const opened = keys.dataKey(book, ownerId, sealedKey).open(sealedChallenges, row.id, content)
  return { ...request, ...(JSON.parse(opened) as SignedContent) }
}

/** Expired challenges answer like unknown ones, so each new one takes them away; the index keeps that cheap. */
export const forgetExpired = statement(
  'signedRequests.forgetExpired',
  `delete from signed_requests
   where platform_id = $1 and environment = $2 and expires_at <= $3 and not is_remembered`,
)
