import { type Id, type Instant, toTimestamp, type World } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import type { Book, Scope } from '../../vocabulary/scope.ts'

/** What somebody learned about a receiver; quotes may refer back to it for ten minutes (accounts 5). */
export interface Lookup {
  readonly id: Id<'Lookup'>
  /** A customer id, or `platformOwner`. */
  readonly senderId: string
  /** An external account id, or a UMA address in lower case. */
  readonly receiver: string
  /** What the quote needs of it; the kind of receiver says what that is. */
  readonly details: Readonly<Record<string, unknown>>
  readonly expiresAt: Instant
}

export const lookupLifeMs = 10 * 60 * 1000

/** Expired lookups are good for nothing, so each new one takes them away; the index keeps that cheap. */
const forgetExpired = statement(
  'lookups.forgetExpired',
  'delete from lookups where platform_id = $1 and environment = $2 and expires_at <= $3',
)

/** A new lookup, and the change that stores it: spread `changes` into the decision. */
export function createLookup(
  world: Pick<World, 'id'>,
  scope: Scope,
  {
    senderId,
    receiver,
    details = {},
  }: Pick<Lookup, 'senderId' | 'receiver'> & Partial<Pick<Lookup, 'details'>>,
): { lookup: Lookup; changes: Pick<Decision, 'inserts' | 'statements'> } {
  const lookup: Lookup = {
    id: world.id('Lookup'),
    senderId,
    receiver,
    details,
    expiresAt: scope.now + lookupLifeMs,
  }
  const now = toTimestamp(scope.now)
  const row = {
    id: lookup.id,
    sender_id: senderId,
    receiver,
    details,
    created_at: now,
    expires_at: toTimestamp(lookup.expiresAt),
  }
  return {
    lookup,
    changes: {
      inserts: [{ table: 'lookups', row }],
      statements: [{ statement: forgetExpired, parameters: [scope.platformId, scope.environment, now] }],
    },
  }
}

const find = statement(
  'lookups.find',
  `select id, sender_id as "senderId", receiver, details, expires_at as "expiresAt" from lookups
   where platform_id = $1 and environment = $2 and id = $3 and sender_id = $4 and receiver = $5
     and expires_at > $6`,
)

/** A lookup that this sender made of this receiver and that is still good (accounts 5.1, 5.3). */
export async function findLookup(
  database: Database,
  scope: Scope,
  { id, senderId, receiver }: { readonly id: string; readonly senderId: string; readonly receiver: string },
): Promise<Lookup | undefined> {
  const [lookup] = await database.read<Lookup>(scope, find, [
    scope.platformId,
    scope.environment,
    id,
    senderId,
    receiver,
    toTimestamp(scope.now),
  ])
  return lookup
}

const addressHolder = statement(
  'receivers.addressHolder',
  `select platform_id as "platformId", customer_id as "customerId"
   from corridor_address_holders(array[$1::text])`,
)

/** Whose customer a UMA address in lower case is, among all platforms of the environment. */
export async function findAddressHolder(
  database: Database,
  book: Book,
  address: string,
): Promise<{ platformId: string; customerId: string } | undefined> {
  const [holder] = await database.read<{ platformId: string; customerId: string }>(book, addressHolder, [
    address,
  ])
  return holder
}
