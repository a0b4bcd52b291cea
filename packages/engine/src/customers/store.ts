import type { Id, Instant } from '@corridor/kernel'
import { batchedLoad } from '../db/batched-loads.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { defineList, timeConditions } from '../db/list.ts'
import type { Book } from '../http/scope.ts'
import type { IdentityStatus } from '../ports/adapters.ts'
import type { CustomerType, EndUserTermsConsent } from './contract.ts'
import type { Profile } from './profile.ts'

export interface Customer {
  readonly id: Id<'Customer'>
  readonly version: bigint
  readonly customerType: CustomerType
  readonly platformCustomerId: string
  readonly umaAddress: string
  /** `kycStatus` of an individual, `kybStatus` of a business. */
  readonly status: IdentityStatus
  readonly region: string | null
  readonly currencies: readonly string[]
  readonly profile: Profile
  /** Null where the region demands no verified contacts. */
  readonly contactVerification: ContactVerification | null
  readonly consent: EndUserTermsConsent | null
  /** The first full name that was given; renaming does not change it (customers 10.3). */
  readonly originalName: string | null
  /** The number of the identity document, encrypted. */
  readonly identifierSealed: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly deletedAt: Instant | null
}

export interface ContactVerification {
  readonly email: 'PENDING' | 'VERIFIED'
  readonly phone: 'PENDING' | 'VERIFIED'
}

const columns = `id, version, customer_type as "customerType", platform_customer_id as "platformCustomerId",
  uma_address as "umaAddress", status, region, currencies, profile,
  contact_verification as "contactVerification", terms_consent as "consent",
  original_name as "originalName", identifier_sealed as "identifierSealed",
  created_at as "createdAt", updated_at as "updatedAt", deleted_at as "deletedAt"`

const load = statement(
  'customers.load',
  `select ${columns} from customers where platform_id = $1 and environment = $2 and id = any($3::text[])`,
)
const loadCustomers = batchedLoad<Customer>(load)

/** A customer, deleted ones included: their history stays explainable. */
export async function loadCustomer(
  database: Database,
  book: Book,
  id: string,
): Promise<Customer | undefined> {
  const [customer] = await loadCustomers(database, book, [id])
  return customer
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

export const customerList = defineList<Customer>()({
  name: 'customers.list',
  table: 'customers',
  columns,
  filters: {
    platformCustomerId: 'platform_customer_id = ?',
    customerType: 'customer_type = ?',
    region: 'region = upper(?)',
    currency: '? = any(currencies)',
    umaAddress: 'uma_address = ?',
    isActive: '(deleted_at is null) = ?',
    ...timeConditions,
  },
})
