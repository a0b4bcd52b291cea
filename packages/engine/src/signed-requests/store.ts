import type { Id, Instant } from '@corridor/kernel'
import { statement } from '../db/driver.ts'
import type { Engine } from '../engine.ts'
import type { Book } from '../http/scope.ts'
import { type DataKey, sealedKeyOf } from '../keys/data-keys.ts'

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

export function sealChallenge(key: DataKey, id: string, content: SignedContent): string {
  return key.seal(id, JSON.stringify(content))
}

const load = statement(
  'signedRequests.load',
  `select id, version, operation, resource_id as "resourceId", content, status, failures,
     expires_at as "expiresAt", ${sealedKeyOf('signed_requests', 'owner_id')} as "sealedKey"
   from signed_requests where platform_id = $1 and environment = $2 and id = $3`,
)

type SignedRow = Omit<SignedRequest, keyof SignedContent> & {
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
  const { content, sealedKey, ...request } = row
  return { ...request, ...(JSON.parse(keys.dataKey(sealedKey).open(row.id, content)) as SignedContent) }
}

/** Expired challenges answer like unknown ones, so each new one takes them away; the index keeps that cheap. */
export const forgetExpired = statement(
  'signedRequests.forgetExpired',
  `delete from signed_requests
   where platform_id = $1 and environment = $2 and expires_at <= $3 and not is_remembered`,
)
