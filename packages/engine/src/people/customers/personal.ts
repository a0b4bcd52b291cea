import { isDeepStrictEqual } from 'node:util'
import { assert } from '@corridor/kernel'
import type { DataKey } from '../../mechanisms/keys/data-keys.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import type { EndUserTermsConsent } from './contract.ts'
import type { Profile } from './profile.ts'
import { type Hasher, searchHashesOf } from './search-hashes.ts'
import type { Customer } from './store.ts'

/** What is known about a customer as a person or a company, kept as one sealed text. */
export interface Personal {
  readonly profile: Profile
  readonly consent: EndUserTermsConsent | null
  /** The first full name that was given; renaming does not change it (customers 10.3). */
  readonly originalName: string | null
  /** What a file told besides, kept and shown nowhere (customers 6.1). */
  readonly imported: { readonly platformAccountId?: string; readonly description?: string } | null
}

/** What an erased customer, whose key is gone, still tells. */
const nothing: Personal = { profile: {}, consent: null, originalName: null, imported: null }

const ofCustomer = { table: 'customers', row: 'id', owner: 'id' }
export const sealedPersonal: SealedColumn = { ...ofCustomer, column: 'personal', formerly: 'customer' }
export const sealedIdentifiers: SealedColumn = {
  ...ofCustomer,
  column: 'identifier_sealed',
  formerly: 'customer identifier',
}
export const sealedConsents: SealedColumn = {
  table: 'customer_consents',
  column: 'consent',
  row: 'customer_id',
  owner: 'customer_id',
  formerly: 'customer consent',
}

export function openPersonal(
  key: DataKey | null,
  { id, personalSealed }: Pick<Customer, 'id' | 'personalSealed'>,
): Personal {
  if (!key || personalSealed === null) return nothing
  return JSON.parse(key.open(sealedPersonal, id, personalSealed)) as Personal
}

/**
 * The customer with its sealed text brought up to date. Every sealing looks different, so whoever tells
 * nothing new keeps the text and changes nothing. With another text come the hashes that it is found by.
 */
export function sealPersonal(hasher: Hasher, after: Customer, before?: Customer): Customer {
  if (before && isDeepStrictEqual(personalOf(after), personalOf(before))) return after
  const personalSealed = keyOf(after).seal(sealedPersonal, after.id, JSON.stringify(personalOf(after)))
  return { ...after, personalSealed, searchHashes: searchHashesOf(hasher, after) }
}

function personalOf({ profile, consent, originalName, imported }: Customer): Personal {
  return { profile, consent, originalName, imported }
}

/** The number of the identity document. It never leaves, so it is sealed apart and opened where it is needed. */
export function sealIdentifier(key: DataKey, id: string, identifier: string): string {
  return key.seal(sealedIdentifiers, id, identifier)
}

export function openIdentifier(
  customer: Pick<Customer, 'id' | 'dataKey' | 'identifierSealed'>,
): string | undefined {
  const { id, dataKey, identifierSealed } = customer
  if (!dataKey || identifierSealed === null) return undefined
  return dataKey.open(sealedIdentifiers, id, identifierSealed)
}

export function sealConsent(key: DataKey, id: string, consent: EndUserTermsConsent): string {
  return key.seal(sealedConsents, id, JSON.stringify(consent))
}

/** Of a customer that is not erased. */
export function keyOf({ dataKey }: Pick<Customer, 'dataKey'>): DataKey {
  assert(dataKey, 'only deleted customers are erased')
  return dataKey
}
