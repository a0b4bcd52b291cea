import type { Id, Instant } from '@corridor/kernel'
import { batchedLoad } from '../db/batched-loads.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { defineList, equals } from '../db/list.ts'
import type { Book } from '../http/scope.ts'
import type {
  InternalAccountStatus,
  InternalAccountType,
  InternalAccount as InternalAccountWire,
} from './contract.ts'

/** The owner of the platform's own accounts. Every other owner is a customer id. */
export const platformOwner = 'platform'

export interface InternalAccount {
  readonly id: Id<'InternalAccount'>
  readonly version: bigint
  readonly ownerId: string
  readonly currency: string
  readonly type: InternalAccountType
  readonly status: InternalAccountStatus
  readonly privateEnabled: boolean | null
  readonly fundingInstructions: InternalAccountWire['fundingPaymentInstructions']
  readonly fundingReference: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** What can be spent, and what is reserved or under review beside it; minor units. */
  readonly availableMinor: bigint
  readonly heldMinor: bigint
  readonly pendingMinor: bigint
}

const columns = `a.id, a.version, a.owner_id as "ownerId", a.currency, a.type, a.status,
  a.private_enabled as "privateEnabled", a.funding_instructions as "fundingInstructions",
  a.funding_reference as "fundingReference", a.created_at as "createdAt",
  greatest(a.updated_at, b.moved_at) as "updatedAt", b.available as "availableMinor", b.held as "heldMinor",
  b.pending as "pendingMinor"`

/** Each account with what the ledger says of it; an account nothing was ever posted to has no ledger rows. */
const table = `internal_accounts a cross join lateral (
  select max(l.moved_at) as moved_at,
    coalesce(sum(l.balance) filter (where l.id = 'avail:' || a.id), 0)::bigint as available,
    coalesce(sum(l.balance) filter (where l.id = 'held:' || a.id), 0)::bigint as held,
    coalesce(sum(l.balance) filter (where l.id = 'pend:' || a.id), 0)::bigint as pending
  from (select id, moved_at, credits_posted - debits_posted - debits_pending as balance from ledger_accounts
        where platform_id = a.platform_id and environment = a.environment
          and id in ('avail:' || a.id, 'held:' || a.id, 'pend:' || a.id)) l) b`

const load = statement(
  'internalAccounts.load',
  `select ${columns} from ${table}
   where a.platform_id = $1 and a.environment = $2 and a.id = any($3::text[])`,
)

export const loadInternalAccounts = batchedLoad<InternalAccount>(load)

export async function loadInternalAccount(
  database: Database,
  book: Book,
  id: string,
): Promise<InternalAccount | undefined> {
  const [account] = await loadInternalAccounts(database, book, [id])
  return account
}

const loadOwnedIn = statement(
  'internalAccounts.loadOwnedIn',
  `select ${columns} from ${table}
   where a.platform_id = $1 and a.environment = $2 and a.owner_id = $3 and a.currency = $4`,
)

/** The internal account of an owner in one currency. */
export async function loadOwnedInternalAccount(
  database: Database,
  book: Book,
  ownerId: string,
  currency: string,
): Promise<InternalAccount | undefined> {
  const parameters = [book.platformId, book.environment, ownerId, currency]
  const [account] = await database.read<InternalAccount>(book, loadOwnedIn, parameters)
  return account
}

const loadOwned = statement(
  'internalAccounts.loadOwned',
  `select ${columns} from ${table}
   where a.platform_id = $1 and a.environment = $2 and a.owner_id = $3 order by a.created_at, a.id`,
)

/** Every internal account of a customer, or of the platform (`platformOwner`). */
export async function loadOwnedInternalAccounts(
  database: Database,
  book: Book,
  ownerId: string,
): Promise<InternalAccount[]> {
  return database.read<InternalAccount>(book, loadOwned, [book.platformId, book.environment, ownerId])
}

export const internalAccountList = defineList<InternalAccount>()({
  name: 'internalAccounts.list',
  table,
  columns,
  filters: {
    customerId: equals('a.owner_id'),
    currency: equals('a.currency'),
    type: equals('a.type'),
    ofCustomers: `(a.owner_id <> '${platformOwner}') = ?`,
  },
})
