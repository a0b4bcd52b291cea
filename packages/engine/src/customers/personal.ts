import { isDeepStrictEqual } from 'node:util'
import { assert } from '@corridor/kernel'
import type { DataKey } from '../keys/data-keys.ts'
import type { EndUserTermsConsent } from './contract.ts'
import type { Profile } from './profile.ts'
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

const context = { personal: 'customer', identifier: 'customer identifier', consent: 'customer consent' }

export function openPersonal(key: DataKey | null, sealed: string | null): Personal {
  return key && sealed !== null ? (JSON.parse(key.open(context.personal, sealed)) as Personal) : nothing
}

/**
 * The customer with its sealed text brought up to date. Every sealing looks different, so whoever tells
 * nothing new keeps the text and changes nothing.
 */
export function sealPersonal(after: Customer, before?: Customer): Customer {
  if (before && isDeepStrictEqual(personalOf(after), personalOf(before))) return after
  return { ...after, personalSealed: keyOf(after).seal(context.personal, JSON.stringify(personalOf(after))) }
}

function personalOf({ profile, consent, originalName, imported }: Customer): Personal {
  return { profile, consent, originalName, imported }
}

/** The number of the identity document. It never leaves, so it is sealed apart and opened where it is needed. */
export function sealIdentifier(key: DataKey, identifier: string): string {
  return key.seal(context.identifier, identifier)
}

export function openIdentifier(customer: Pick<Customer, 'dataKey' | 'identifierSealed'>): string | undefined {
  const { dataKey, identifierSealed } = customer
  return dataKey && identifierSealed !== null ? dataKey.open(context.identifier, identifierSealed) : undefined
}

export function sealConsent(key: DataKey, consent: EndUserTermsConsent): string {
  return key.seal(context.consent, JSON.stringify(consent))
}

/** Of a customer that is not erased. */
export function keyOf({ dataKey }: Pick<Customer, 'dataKey'>): DataKey {
  assert(dataKey, 'only deleted customers are erased')
  return dataKey
}
