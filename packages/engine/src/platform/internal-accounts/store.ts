import type { Id, Instant } from '@corridor/kernel'
import { batchedLoad } from '../../mechanisms/db/batched-loads.ts'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { createKnownFacts } from '../../mechanisms/facts/known-facts.ts'
import { defineList, equals } from '../../mechanisms/lists/list.ts'
import type { FactKind, Relied } from '../../vocabulary/decision.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'
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
  /** How often its balance or its status has changed. */
  readonly changes: bigint
  /** What can be spent, and what is reserved or under review beside it; minor units. */
  readonly availableMinor: bigint
  readonly heldMinor: bigint
  readonly pendingMinor: bigint
  /** What its owner owes in this currency; minor units. */
  readonly receivableMinor: bigint
}

const columns = `a.id, a.version, a.owner_id as "ownerId", a.currency, a.type, a.status,
  a.private_enabled as "privateEnabled", a.funding_instructions as "fundingInstructions",
  a.funding_reference as "fundingReference", a.created_at as "createdAt",
  greatest(a.updated_at, b.moved_at) as "updatedAt", b.changes, b.available as "availableMinor", b.held as "heldMinor",
  b.pending as "pendingMinor", o.owed as "receivableMinor"`

/** Each account with what the ledger says of it; an account nothing was ever posted to has no ledger rows. */
const table = `internal_accounts a cross join lateral (
  select max(l.moved_at) as moved_at, coalesce(max(l.version), 0) as changes,
    coalesce(sum(l.balance) filter (where l.id = a.available_account), 0)::bigint as available,
    coalesce(sum(l.held) filter (where l.id = a.available_account), 0)::bigint as held,
    coalesce(sum(l.balance) filter (where l.id = a.pending_account), 0)::bigint as pending
  from (select id, moved_at, version, credits_posted - debits_posted - debits_pending as balance, debits_pending as held
        from ledger_accounts
        where platform_id = a.platform_id and environment = a.environment
          and id in (a.available_account, a.pending_account)) l) b
  cross join lateral (
    select coalesce(sum(debits_posted - credits_posted), 0)::bigint as owed from ledger_accounts
    where platform_id = a.platform_id and environment = a.environment and id = a.receivable_account) o`

const load = statement(
  'internalAccounts.load',
  `select ${columns} from ${table}
   where a.platform_id = $1 and a.environment = $2 and a.id = any($3::text[])`,
)

export const loadInternalAccounts = batchedLoad<InternalAccount>(load)

/** Not what is moved all the time: balances, the version, and when it was last changed. */
const accountFact: FactKind = {
  name: 'internal accounts',
  stampOf: (id) => `(
    select concat_ws(' ', i.owner_id, i.currency, i.type, i.status)
    from internal_accounts i where i.platform_id = $1 and i.environment = $2 and i.id = ${id})`,
}
const knownAccounts = createKnownFacts<InternalAccount>(accountFact, {
  plain: loadInternalAccounts,
  stamped: batchedLoad(
    statement(
      'internalAccounts.loadStamped',
      `select ${columns}, ${accountFact.stampOf('a.id')} as stamp from ${table}
         where a.platform_id = $1 and a.environment = $2 and a.id = any($3::text[])`,
    ),
  ),
})

/**
 * Whose they are, in which currency, and whether they are in use, as it may be known already. Their balances, versions and
 * times of change are of some moment before: for what moves no money.
 */
export function loadInternalAccountsButBalances(
  database: Database,
  book: Book,
  ids: readonly string[],
): Promise<InternalAccount[]> {
  return knownAccounts.load(database, book, ids, (row) => row)
}

/** What the ledger says of one of the two ledger accounts of an internal account, in its minor units. */
export interface LedgerLine {
  readonly id: string
  readonly creditsMinor: bigint
  readonly debitsMinor: bigint
  readonly heldMinor: bigint
}

const loadWithLedger = statement(
  'internalAccounts.loadWithLedger',
  `select ${columns}, (
     select coalesce(json_agg(json_build_array(l.id, l.credits_posted::text, l.debits_posted::text,
       l.debits_pending::text)), '[]') from ledger_accounts l
     where l.platform_id = a.platform_id and l.environment = a.environment
       and l.id in (a.available_account, a.pending_account)) as lines
   from ${table}
   where a.platform_id = $1 and a.environment = $2 and a.id = $3`,
)

/** An account together with what its balances are made of, of the same moment. */
export async function loadInternalAccountWithLedger(
  database: Database,
  book: Book,
  id: string,
): Promise<{ account: InternalAccount; lines: LedgerLine[] } | undefined> {
  type Row = InternalAccount & { readonly lines: readonly [string, string, string, string][] }
  const [row] = await database.read<Row>(book, loadWithLedger, [book.platformId, book.environment, id])
  if (!row) return undefined
  const { lines, ...account } = row
  return {
    account,
    lines: lines.map(([ledgerId, credits, debits, held]) => ({
      id: ledgerId,
      creditsMinor: BigInt(credits),
      debitsMinor: BigInt(debits),
      heldMinor: BigInt(held),
    })),
  }
}

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

/** By way of the books, because the key of an account starts with its book. */
const bookOf = statement(
  'internalAccounts.bookOf',
  `select b.platform_id as "platformId", b.environment from books b
   join internal_accounts a on a.platform_id = b.platform_id and a.environment = b.environment and a.id = $1`,
)

/** In which book an account is: the operator names it by its id alone. */
export async function findBookOfInternalAccount(database: Database, id: string): Promise<Book | undefined> {
  type Row = { platformId: string; environment: Environment }
  const [row] = await database.system((connection) => connection.query<Row>(bookOf, [id]))
  return row
}

/**
 * Whatever has not ended, and refunds on their way; `flow` names what the platform's fee goes to. So are card charges that the
 * cardholder still owes.
 */
const paymentsUnderWay = (id: string) =>
  `select 1 as found from transactions t
   where t.platform_id = $1 and t.environment = $2
     and (t.status not in ('COMPLETED', 'REJECTED', 'FAILED', 'REFUNDED', 'EXPIRED')
          or t.refund ->> 'status' = 'PENDING')
     and (${id} = any(t.sender_identifiers || t.receiver_identifiers)
          or ${id} in (t.flow ->> 'platformAccountId', t.flow -> 'refundRoute' ->> 'accountId'))
   union all
   select 1 from card_transactions c
   where c.platform_id = $1 and c.environment = $2 and c.account_id = ${id} and c.status = 'EXCEPTION'
   limit 1`

const paymentUnderWay = statement('internalAccounts.paymentUnderWay', paymentsUnderWay('$3'))

const useOfAccount: FactKind = {
  name: 'use of internal accounts',
  stampOf: (id) => `(
    select case when exists (
        select from internal_accounts i join ledger_accounts l
          on l.platform_id = $1 and l.environment = $2
            and l.id in (i.available_account, i.pending_account, i.receivable_account)
        where i.platform_id = $1 and i.environment = $2 and i.id = ${id}
          and (l.credits_posted <> l.debits_posted or l.debits_pending <> 0))
      or exists (${paymentsUnderWay(id)}) then 'USED' else 'UNUSED' end)`,
}

/**
 * Makes a decision stale where the account holds money, its owner owes some, or a payment is under way that takes from it or gives to it. What
 * begins one requires its status (`whileStatusStays`), so it is seen here or comes after.
 */
export function whileUnused(id: string): Relied {
  return { kind: useOfAccount, id, stamp: 'UNUSED' }
}

/** Whether a payment is under way that takes from the account or may give to it. */
export async function hasPaymentsUnderWay(database: Database, book: Book, id: string): Promise<boolean> {
  const parameters = [book.platformId, book.environment, id]
  return (await database.read(book, paymentUnderWay, parameters)).length > 0
}

export const internalAccountList = defineList<InternalAccount>()({
  name: 'internalAccounts.list',
  table,
  columns,
  filters: {
    id: equals('a.id'),
    customerId: equals('a.owner_id'),
    currency: equals('a.currency'),
    type: equals('a.type'),
    ofCustomers: `(a.owner_id <> '${platformOwner}') = ?`,
  },
  kept: [{ filters: { ofCustomers: true }, total: { list: 'internal_accounts', parts: ['CUSTOMERS'] } }],
})
