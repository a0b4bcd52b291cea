import { isDeepStrictEqual } from 'node:util'
import { failed, type Id, lowerAscii, ok, type Result, toTimestamp, upperAscii } from '@corridor/kernel'
import { type DataKey, dataKeyRow } from '../../mechanisms/keys/data-keys.ts'
import type { Configuration } from '../../platform/platforms/index.ts'
import type { IdentityStatus } from '../../ports/identity.ts'
import type { Decision, Insert, NewEvent, Row, Update } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import type { CustomerCreateRequest, CustomerUpdateRequest, EndUserTermsConsent } from './contract.ts'
import { mergeProfile } from './profile.ts'
import { inferCurrencies, inferRegion, isEea } from './regions.ts'
import { renderCustomer, renderCustomerForEvent } from './render.ts'
import type { ContactVerification, Customer } from './store.ts'
import { normalizeUmaAddress } from './uma-address.ts'

export const walletCurrency = 'USDB'

/** What a new customer gets that its request does not say. */
export interface Assigned {
  readonly id: Id<'Customer'>
  readonly platformCustomerId: string
  readonly umaAddress: string
  readonly consent: EndUserTermsConsent | null
  readonly imported: Customer['imported']
  readonly dataKey: DataKey
  readonly identifierSealed: string | null
}

/** The customer that a request describes, with region and currencies filled in (customers 4.1, 4.4). */
export function newCustomer(
  scope: Scope,
  request: CustomerCreateRequest,
  { assigned, config }: { readonly assigned: Assigned; readonly config: Configuration },
): Customer {
  const { customerType } = request
  const profile = mergeProfile(customerType, {}, request)
  const region = inferRegion({
    region: request.region,
    addressCountry: profile.address?.country,
    businessCountry: profile.businessInfo?.country,
    currencies: request.currencies,
  })
  return {
    id: assigned.id,
    version: 1n,
    customerType,
    platformCustomerId: request.platformCustomerId ?? assigned.platformCustomerId,
    umaAddress: request.umaAddress ? normalizeUmaAddress(request.umaAddress) : assigned.umaAddress,
    status: 'UNVERIFIED',
    region,
    currencies: inferCurrencies(request.currencies, region, supportedCodes(config)),
    profile,
    contactVerification: isEea(region) ? unverifiedContacts : null,
    consent: assigned.consent,
    originalName: profile.fullName ?? null,
    imported: assigned.imported,
    dataKey: assigned.dataKey,
    personalSealed: null,
    identifierSealed: assigned.identifierSealed,
    owners: [],
    createdAt: scope.now,
    updatedAt: scope.now,
    deletedAt: null,
  }
}

const unverifiedContacts: ContactVerification = { email: 'PENDING', phone: 'PENDING' }

function supportedCodes(config: Configuration): string[] {
  return config.supportedCurrencies.map(({ currencyCode }) => currencyCode)
}

/**
 * In which currencies a customer has accounts: its own, and a wallet in USDB wherever the platform
 * supports that, whatever the customer's list says (accounts 3.1).
 */
export function accountCurrencies(currencies: readonly string[], config: Configuration): string[] {
  const hasWallet = supportedCodes(config).includes(walletCurrency)
  return [...new Set([...currencies, ...(hasWallet ? [walletCurrency] : [])])]
}

/**
 * Stores a new customer with its name, its accounts and, when its identity is decided at once, the event
 * that says so (customers 4.1, 10.2). A taken UMA address is UMA_ADDRESS_EXISTS; a generated one is tried
 * again.
 */
export function decideCreate(
  described: Customer,
  facts: {
    readonly status: IdentityStatus
    readonly accounts: readonly Insert[]
    readonly isAddressChosen: boolean
    readonly sealedKey: string
    readonly consentSealed: string | null
  },
): Decision<Reply> {
  const { umaAddress } = described
  const customer = { ...described, status: facts.status }
  return {
    inserts: [
      dataKeyRow(customer.id, facts.sealedKey, toTimestamp(customer.createdAt)),
      { table: 'customers', row: rowOf(customer) },
      { table: 'uma_addresses', row: { address: umaAddress, customer_id: customer.id } },
      ...consentRecord(customer, facts.consentSealed),
      ...facts.accounts,
    ],
    events: statusEvents(customer),
    unique: {
      customers_platform_customer_id: 'stale',
      uma_addresses_pkey: facts.isAddressChosen ? fail('UMA_ADDRESS_EXISTS', { umaAddress }) : 'stale',
    },
    result: () => ({ status: 201, body: renderCustomer(customer) }),
  }
}

/** `CUSTOMER.KYC_*` for an individual that is decided or under review; a new business never is. */
function statusEvents(customer: Customer): NewEvent[] {
  if (customer.customerType === 'BUSINESS' || customer.status === 'UNVERIFIED') return []
  const type = `CUSTOMER.KYC_${customer.status}`
  return [{ type, resourceId: customer.id, subjectId: customer.id, data: renderCustomerForEvent(customer) }]
}

function consentRecord({ id, updatedAt }: Customer, consentSealed: string | null): Insert[] {
  if (consentSealed === null) return []
  const row = { customer_id: id, recorded_at: toTimestamp(updatedAt), consent: consentSealed }
  return [{ table: 'customer_consents', row }]
}

/**
 * The customer after a PATCH (customers 5.1). Fails with CONFLICT for what may only change while nothing
 * has been decided about the customer: its region, and taking the identifier away.
 */
export function changedCustomer(
  customer: Customer,
  request: CustomerUpdateRequest,
  given: { readonly consent: EndUserTermsConsent | undefined; readonly identifierSealed: string | null },
): Result<Customer, Failure> {
  const { customerType, status } = customer
  const profile = mergeProfile(customerType, customer.profile, request)
  const region = request.region === undefined ? customer.region : request.region && upperAscii(request.region)
  if (status !== 'UNVERIFIED') {
    if (region !== customer.region) return failed(fail('CONFLICT', { field: 'region', status }))
    if (customer.identifierSealed !== null && given.identifierSealed === null) {
      return failed(fail('CONFLICT', { field: 'identifier', status }))
    }
  }
  return ok({
    ...customer,
    platformCustomerId: request.platformCustomerId ?? customer.platformCustomerId,
    umaAddress: request.umaAddress ? normalizeUmaAddress(request.umaAddress) : customer.umaAddress,
    region,
    currencies: request.currencies ? [...new Set(request.currencies)] : customer.currencies,
    profile,
    contactVerification: contactsAfter(customer, { region, profile }),
    consent: given.consent ?? customer.consent,
    originalName: customer.originalName ?? profile.fullName ?? null,
    identifierSealed: given.identifierSealed,
  })
}

/** A changed address or number has yet to be verified; outside the EEA nothing is (customers 5.1, 9.1). */
function contactsAfter(
  before: Customer,
  { region, profile }: Pick<Customer, 'region' | 'profile'>,
): ContactVerification | null {
  if (!isEea(region)) return null
  const known = before.contactVerification ?? unverifiedContacts
  return {
    email: isSameEmail(before.profile.email, profile.email) ? known.email : 'PENDING',
    phone: before.profile.phoneNumber === profile.phoneNumber ? known.phone : 'PENDING',
  }
}

/** Addresses are kept as given and compared in lower case (customers 4.3). */
export function isSameEmail(a: string | undefined, b: string | undefined): boolean {
  return lowerAscii(a ?? '') === lowerAscii(b ?? '')
}

/** What of a decision concerns the customer itself. */
export interface CustomerChange {
  readonly customer: Customer
  readonly updates: NonNullable<Decision['updates']>
  readonly deletes: NonNullable<Decision['deletes']>
  readonly inserts: readonly Insert[]
}

/**
 * The changes from one state of a customer to another, and the customer with the time of the change; none
 * when nothing changed. `isTouched` counts what changed beside the row itself, such as an owner.
 */
export function changeCustomer(
  scope: Scope,
  before: Customer,
  after: Customer,
  { isTouched = false } = {},
): CustomerChange {
  const set = changedColumns(before, after)
  if (Object.keys(set).length === 0 && !isTouched) {
    return { customer: after, updates: [], deletes: [], inserts: [] }
  }
  const at = changedAt(scope, before.updatedAt)
  const customer = { ...after, updatedAt: Date.parse(at) }
  const { id } = customer
  const isRenamed = customer.umaAddress !== before.umaAddress
  return {
    customer,
    updates: [{ table: 'customers', id, version: before.version, set: { ...set, updated_at: at } }],
    deletes: isRenamed ? [addressOf(before)] : [],
    inserts: isRenamed ? [addressOf(customer)] : [],
  }
}

/**
 * Stores a changed customer, or nothing when nothing changed. The old UMA address is free at once; new
 * currencies get their accounts, and those of removed ones stay (customers 5.1).
 */
export function decideUpdate(
  scope: Scope,
  change: {
    readonly before: Customer
    readonly after: Customer
    readonly accounts: readonly Insert[]
    /** A consent that differs from the one before. */
    readonly consentSealed: string | null
    /** What ends with another phone. */
    readonly revocations: readonly Update[]
  },
): Decision<Reply> {
  const { before, after, accounts, consentSealed, revocations } = change
  const { customer, updates, deletes, inserts } = changeCustomer(scope, before, after)
  return {
    updates: [...updates, ...revocations],
    deletes,
    inserts: [...inserts, ...consentRecord(customer, consentSealed), ...accounts],
    unique: {
      customers_platform_customer_id: 'stale',
      uma_addresses_pkey: fail('UMA_ADDRESS_EXISTS', { umaAddress: customer.umaAddress }),
    },
    result: () => ({ status: 200, body: renderCustomer(customer) }),
  }
}

function addressOf({ id, umaAddress }: Customer) {
  return { table: 'uma_addresses', row: { address: umaAddress, customer_id: id } } as const
}

function changedColumns(before: Customer, after: Customer): Row {
  const old = rowOf(before)
  return Object.fromEntries(
    Object.entries(rowOf(after)).filter(([column, value]) => !isDeepStrictEqual(value, old[column])),
  )
}

/** The job of whoever has something to end with a customer, such as its cards. */
export const customerDeletedJob = 'customers.deleted'

/** Marks the customer as deleted; its names become free for others, and it is logged out (customers 4.6). */
export function decideDelete(
  scope: Scope,
  customer: Customer,
  revocations: readonly Update[],
): Decision<Reply> {
  const at = changedAt(scope, customer.updatedAt)
  const deleted = { ...customer, updatedAt: Date.parse(at), deletedAt: Date.parse(at) }
  const { id, version } = customer
  return {
    updates: [{ table: 'customers', id, version, set: { deleted_at: at, updated_at: at } }, ...revocations],
    deletes: [addressOf(customer)],
    jobs: [{ kind: customerDeletedJob, payload: { customerId: id } }],
    result: () => ({ status: 200, body: renderCustomer(deleted) }),
  }
}

function rowOf(customer: Customer): Row {
  return {
    id: customer.id,
    customer_type: customer.customerType,
    platform_customer_id: customer.platformCustomerId,
    uma_address: customer.umaAddress,
    status: customer.status,
    region: customer.region,
    currencies: customer.currencies,
    personal: customer.personalSealed,
    ...customer.searchHashes,
    contact_verification: customer.contactVerification,
    identifier_sealed: customer.identifierSealed,
    created_at: toTimestamp(customer.createdAt),
    updated_at: toTimestamp(customer.updatedAt),
  }
}
