import type { Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { dueInAnyBook } from '../../mechanisms/jobs/sweeps.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'
import type { InvitationStatus } from './contract.ts'

/** An invitation as it is stored: one whose time is up may still say PENDING (`rules.ts`, statusAt). */
export interface Invitation {
  /** The code. */
  readonly id: string
  readonly version: bigint
  readonly customerId: string
  readonly inviterUma: string
  readonly firstName: string | null
  readonly amountMinor: bigint | null
  readonly currency: string | null
  readonly status: InvitationStatus
  readonly expiresAt: Instant | null
  readonly claimedAt: Instant | null
  readonly inviteeUma: string | null
  readonly claimedBy: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

const load = statement(
  'invitations.load',
  `select id, version, customer_id as "customerId", inviter_uma as "inviterUma", first_name as "firstName",
     amount as "amountMinor", currency, status, expires_at as "expiresAt", claimed_at as "claimedAt",
     invitee_uma as "inviteeUma", claimed_by as "claimedBy", created_at as "createdAt", updated_at as "updatedAt"
   from invitations where platform_id = $1 and environment = $2 and id = $3`,
)

export async function loadInvitation(
  database: Database,
  book: Book,
  code: string,
): Promise<Invitation | undefined> {
  const [row] = await database.read<Invitation>(book, load, [book.platformId, book.environment, code])
  return row
}

const bookOfCode = statement(
  'invitations.bookOfCode',
  'select platform_id as "platformId", environment from invitations where id = $1 and environment = coalesce($2, environment)',
)

/** Whose invitation a code is: a code is good for every platform of its environment (webhooks-uma 4). */
export async function findBookOfCode(
  database: Database,
  environment: Environment | null,
  code: string,
): Promise<Book | undefined> {
  const [row] = await database.system((connection) => connection.query<Book>(bookOfCode, [code, environment]))
  return row
}

/** Invitations whose time is up, by the clock of each book. */
export const dueInvitations = statement(
  'invitations.due',
  dueInAnyBook('invitations', "status = 'PENDING' and expires_at is not null"),
)

export const firstDueInvitationOfBook = statement(
  'invitations.firstDueOfBook',
  `select id, expires_at as "runAt" from invitations
   where platform_id = $1 and environment = $2 and status = 'PENDING' and expires_at <= $3
     and id <> all($4::text[])
   order by expires_at, id limit 1`,
)

export const upcomingInvitationsOfBook = statement(
  'invitations.upcomingOfBook',
  `select id, expires_at as "runAt" from invitations
   where platform_id = $1 and environment = $2 and status = 'PENDING' and expires_at is not null
   order by expires_at, id limit $3`,
)
