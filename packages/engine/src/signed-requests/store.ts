import type { Id, Instant } from '@corridor/kernel'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import type { Book } from '../http/scope.ts'

/** A challenge that was given out, with everything its answer is held against. */
export interface SignedRequest {
  readonly id: Id<'Request'>
  readonly version: bigint
  readonly operation: string
  readonly resourceId: string
  readonly body: unknown
  readonly payloadToSign: string
  /** What the operation needs again when the answer comes. */
  readonly details: Readonly<Record<string, unknown>>
  readonly status: 'PENDING' | 'CONSUMED' | 'DEAD'
  readonly failures: number
  readonly expiresAt: Instant
}

const load = statement(
  'signedRequests.load',
  `select id, version, operation, resource_id as "resourceId", body, payload_to_sign as "payloadToSign",
     details, status, failures, expires_at as "expiresAt"
   from signed_requests where platform_id = $1 and environment = $2 and id = $3`,
)

export async function loadSignedRequest(
  database: Database,
  book: Book,
  id: string,
): Promise<SignedRequest | undefined> {
  const [request] = await database.read<SignedRequest>(book, load, [book.platformId, book.environment, id])
  return request
}

/** Expired challenges answer like unknown ones, so each new one takes them away; the index keeps that cheap. */
export const forgetExpired = statement(
  'signedRequests.forgetExpired',
  'delete from signed_requests where platform_id = $1 and environment = $2 and expires_at <= $3',
)
