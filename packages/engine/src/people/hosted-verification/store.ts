import type { Id, Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Environment } from '../../vocabulary/scope.ts'

/** A link to the hosted page, with the book it is in: whoever opens it has no credentials that say so. */
export interface VerificationLink {
  readonly platformId: string
  readonly environment: Environment
  readonly id: Id<'VerificationLink'>
  readonly version: bigint
  readonly customerId: Id<'Customer'>
  readonly status: 'ISSUED' | 'USED'
  readonly redirectUri: string | null
  readonly expiresAt: Instant
}

const byToken = statement(
  'verificationLinks.byToken',
  `select platform_id as "platformId", environment, id, version, customer_id as "customerId", status,
     redirect_uri as "redirectUri", expires_at as "expiresAt"
   from verification_links where token_hash = $1`,
)

export async function findLink(database: Database, tokenHash: string): Promise<VerificationLink | undefined> {
  const [link] = await database.system((connection) =>
    connection.query<VerificationLink>(byToken, [tokenHash]),
  )
  return link
}
