import { type Id, type Instant, lowerAscii } from '@corridor/kernel'
import { batchedLoad } from '../../mechanisms/db/batched-loads.ts'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import { createKnownFacts, storedVersionOf } from '../../mechanisms/facts/known-facts.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type DataKey, sealedKeyOf } from '../../mechanisms/keys/data-keys.ts'
import { contains, defineList, equals, timeConditions } from '../../mechanisms/lists/list.ts'
import type { PageRequest } from '../../mechanisms/lists/pages.ts'
import type { IdentityStatus } from '../../ports/identity.ts'
import type { FactKind, Update } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { CustomerType } from './contract.ts'
import { type BeneficialOwner, type OwnerRow, openOwner, ownersColumn } from './owners.ts'
import { openPersonal, type Personal } from './personal.ts'
import type { SearchHashes } from './search-hashes.ts'

/** What opens a customer, besides the database that holds it. */
export type Vault = Pick<Engine, 'database' | 'keys'>

export interface Customer extends Personal {
  readonly id: Id<'Customer'>
  readonly version: bigint
  readonly customerType: CustomerType
  readonly platformCustomerId: string
  readonly umaAddress: string
  /** `kycStatus` of an individual, `kybStatus` of a business. */
  readonly status: IdentityStatus
  readonly region: string | null
  readonly currencies: readonly string[]
  /** Null where the region demands no verified contacts. */
  readonly contactVerification: ContactVerification | null
  /** Seals what only this customer's key opens; null once the customer is erased. */
  readonly dataKey: DataKey | null
  /** Profile, consent and original name as they are stored. */
  readonly personalSealed: string | null
  /** Of one whose sealed text was just made: what is read has none. */
  readonly searchHashes?: SearchHashes
  /** The number of the identity document, as it is stored. */
  readonly identifierSealed: string | null
  /** Of a business, in the order of their creation. */
  readonly owners: readonly BeneficialOwner[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly deletedAt: Instant | null
}

export interface ContactVerification {
  readonly email: 'PENDING' | 'VERIFIED'
  readonly phone: 'PENDING' | 'VERIFIED'
}

const columns = `id, version, customer_type as "customerType", platform_customer_id as "platformCustomerId",
  uma_address as "umaAddress", status, region, currencies, personal as "personalSealed",
  contact_verification as "contactVerification", identifier_sealed as "identifierSealed",
  ${ownersColumn}, ${sealedKeyOf('customers', 'id')} as "sealedKey",
  created_at as "createdAt", updated_at as "updatedAt", deleted_at as "deletedAt"`

type CustomerRow = Omit<Customer, keyof Personal | 'dataKey' | 'owners'> & {
  readonly sealedKey: string | null
  readonly owners: readonly OwnerRow[]
}

function open({ keys }: Vault, book: Book, { sealedKey, ...row }: CustomerRow): Customer {
  const dataKey = sealedKey === null ? null : keys.dataKey(book, row.id, sealedKey)
  const owners = row.owners.flatMap((owner) => openOwner(dataKey, owner) ?? [])
  return { ...row, dataKey, owners, ...openPersonal(dataKey, row) }
}

const load = statement(
  'customers.load',
  `select ${columns} from customers where platform_id = $1 and environment = $2 and id = any($3::text[])`,
)
/** Every row that a customer is read from. */
const customerFact: FactKind = {
  name: 'customers',
  stampOf: (id) => `(
    select concat_ws(' ', c.version, ${storedVersionOf('c')},
      (select ${storedVersionOf('k')} from data_keys k
       where k.platform_id = c.platform_id and k.environment = c.environment and k.owner_id = c.id),
      case when c.customer_type = 'BUSINESS' then
        (select string_agg(${storedVersionOf('o')}, ' ' order by o.id) from beneficial_owners o
         where o.platform_id = c.platform_id and o.environment = c.environment and o.customer_id = c.id) end)
    from customers c where c.platform_id = $1 and c.environment = $2 and c.id = ${id})`,
}
const knownCustomers = createKnownFacts<CustomerRow, Customer>(customerFact, {
  plain: batchedLoad(load),
  stamped: batchedLoad(
    statement(
      'customers.loadStamped',
      `select ${columns}, ${customerFact.stampOf('customers.id')} as stamp from customers
         where platform_id = $1 and environment = $2 and id = any($3::text[])`,
    ),
  ),
})

/** A customer, deleted ones included: their history stays explainable. */
export async function loadCustomer(vault: Vault, book: Book, id: string): Promise<Customer | undefined> {
  const [customer] = await knownCustomers.load(vault.database, book, [id], (row) => open(vault, book, row))
  return customer
}

const loadProven = statement(
  'customers.loadProven',
  `select 'sca_customers' as "table", id, version from sca_customers
   where platform_id = $1 and environment = $2 and id = $3
   union all
   select 'sca_challenges', id, version from sca_challenges
   where platform_id = $1 and environment = $2 and customer_id = $3 and status = 'PENDING' and factor = 'SMS_OTP'`,
)

/**
 * What ends with a customer's phone (customers 5.1, 13.4): its login session, and the codes that were sent to it.
 * Guarded by versions, so that a login at the same moment comes before, and ends too, or fails.
 */
export async function loadRevocations(
  database: Database,
  book: Book,
  customerId: string,
): Promise<(Update & { readonly table: 'sca_customers' | 'sca_challenges' })[]> {
  type Row = Pick<Update, 'id'> & { table: 'sca_customers' | 'sca_challenges'; version: bigint }
  const rows = await database.read<Row>(book, loadProven, [book.platformId, book.environment, customerId])
  return rows.map(({ table, id, version }) => ({
    table,
    id,
    version,
    set: table === 'sca_customers' ? { session_expires_at: null } : { code_hash: null },
  }))
}

const findActive = statement(
  'customers.findActive',
  `select id from customers
   where platform_id = $1 and environment = $2 and platform_customer_id = $3 and deleted_at is null`,
)

/** The active customer that has this id of the platform's, if any. */
export async function findActiveCustomer(
  database: Database,
  book: Book,
  platformCustomerId: string,
): Promise<Id<'Customer'> | undefined> {
  const [row] = await database.read<{ id: Id<'Customer'> }>(book, findActive, [
    book.platformId,
    book.environment,
    platformCustomerId,
  ])
  return row?.id
}

const findByUma = statement(
  'customers.findByUma',
  `select id from customers
   where platform_id = $1 and environment = $2 and uma_name = $3 and deleted_at is null`,
)

/** UMA addresses are compared without regard to case (accounts 5.1). */
export async function findCustomerByUma(
  database: Database,
  book: Book,
  umaAddress: string,
): Promise<string | undefined> {
  const [customer] = await database.read<{ id: string }>(book, findByUma, [
    book.platformId,
    book.environment,
    lowerAscii(umaAddress),
  ])
  return customer?.id
}

const findTakenIds = statement(
  'customers.findTakenIds',
  `select platform_customer_id as "platformCustomerId", id from customers
   where platform_id = $1 and environment = $2 and platform_customer_id = any($3::text[]) and deleted_at is null`,
)

/** Which of these ids of the platform's belong to active customers, and to whom. */
export async function loadTakenIds(
  database: Database,
  book: Book,
  platformCustomerIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const parameters = [book.platformId, book.environment, platformCustomerIds]
  type Row = { platformCustomerId: string; id: string }
  const rows = await database.read<Row>(book, findTakenIds, parameters)
  return new Map(rows.map(({ platformCustomerId, id }) => [platformCustomerId, id]))
}

const findTakenAddresses = statement(
  'customers.findTakenAddresses',
  'select address from corridor_address_holders($1::text[])',
)

/** Which of these UMA addresses belong to somebody, of whatever platform. */
export async function loadTakenAddresses(
  database: Database,
  book: Book,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await database.read<{ address: string }>(book, findTakenAddresses, [addresses])
  return new Set(rows.map(({ address }) => address))
}

const holders = statement(
  'customers.holders',
  `select id, currencies from customers
   where platform_id = $1 and environment = $2 and deleted_at is null and id > $3
     and ($5::boolean or currencies && $4::text[])
   order by id limit $6`,
)

/** Active customers after `after`, by id, that hold one of these currencies; or all of them. */
export async function loadHolders(
  database: Database,
  book: Book,
  asked: { currencies: readonly string[]; isEveryone: boolean; after: string; limit: number },
): Promise<{ id: string; currencies: string[] }[]> {
  const { currencies, isEveryone, after, limit } = asked
  return database.read(book, holders, [
    book.platformId,
    book.environment,
    after,
    currencies,
    isEveryone,
    limit,
  ])
}

const unhashed = statement(
  'customers.unhashed',
  `select id from customers
   where platform_id = $1 and environment = $2 and id > $3 and personal is not null
     and email_hash is null and phone_hash is null and name_hash is null
   order by id limit $4`,
)

/** Customers after `after`, by id, that are not found by who they are. */
export async function loadUnhashed(
  database: Database,
  book: Book,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const parameters = [book.platformId, book.environment, after, limit]
  const rows = await database.read<{ id: string }>(book, unhashed, parameters)
  return rows.map(({ id }) => id)
}

/** The status of customers of one type, where another type has none. */
const statusOf = (type: CustomerType) => ({
  one: `(customer_type = '${type}' and status = ?)`,
  any: `(customer_type = '${type}' and status = any(?::text[]))`,
})

const list = defineList<CustomerRow>()({
  name: 'customers.list',
  table: 'customers',
  columns,
  filters: {
    platformCustomerId: equals('platform_customer_id'),
    customerType: equals('customer_type'),
    region: equals('region'),
    currency: contains('currencies'),
    umaAddress: equals('uma_address'),
    kycStatus: statusOf('INDIVIDUAL'),
    kybStatus: statusOf('BUSINESS'),
    emailHash: equals('email_hash'),
    isActive: '(deleted_at is null) = ?',
    ...timeConditions,
  },
  kept: [
    { filters: {}, total: { list: 'customers', parts: ['LIVE', 'DELETED'] } },
    { filters: { isActive: true }, total: { list: 'customers', parts: ['LIVE'] } },
  ],
})

export async function listCustomers(
  vault: Vault,
  book: Book,
  filters: Parameters<typeof list.read>[2],
  page: PageRequest,
): Promise<{ rows: Customer[]; totalCount: number }> {
  const { rows, totalCount } = await list.read(vault.database, book, filters, page)
  return { rows: rows.map((row) => open(vault, book, row)), totalCount }
}
