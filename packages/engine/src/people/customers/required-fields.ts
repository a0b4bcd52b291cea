import type { FieldProblem } from '../../vocabulary/errors.ts'
import type { CustomerInfoFieldName } from '../../vocabulary/shapes.ts'
import type { Profile } from './profile.ts'
import type { Customer } from './store.ts'

type CustomerType = 'INDIVIDUAL' | 'BUSINESS'

/**
 * What of a customer a provider's field name means (customers 4.3). A name that means nothing for a kind
 * of customer, or for customers at all, asks nothing of it.
 */
const fieldsByName: Readonly<
  Partial<Record<CustomerInfoFieldName, Readonly<Partial<Record<CustomerType, string>>>>>
> = {
  FULL_NAME: { INDIVIDUAL: 'fullName', BUSINESS: 'businessInfo.legalName' },
  COMPANY_LEGAL_NAME: { BUSINESS: 'businessInfo.legalName' },
  BIRTH_DATE: { INDIVIDUAL: 'birthDate' },
  NATIONALITY: { INDIVIDUAL: 'nationality' },
  PHONE_NUMBER: { INDIVIDUAL: 'phoneNumber', BUSINESS: 'phoneNumber' },
  EMAIL: { INDIVIDUAL: 'email', BUSINESS: 'email' },
  POSTAL_ADDRESS: { INDIVIDUAL: 'address', BUSINESS: 'address' },
  COUNTRY_OF_RESIDENCE: { INDIVIDUAL: 'address.country', BUSINESS: 'address.country' },
  TAX_ID: { INDIVIDUAL: 'identifier', BUSINESS: 'businessInfo.taxId' },
  REGISTRATION_NUMBER: { BUSINESS: 'businessInfo.registrationNumber' },
  ID_TYPE: { INDIVIDUAL: 'idType' },
  ID_NUMBER: { INDIVIDUAL: 'identifier' },
  IDENTIFIER: { INDIVIDUAL: 'identifier' },
  BUSINESS_TYPE: { BUSINESS: 'businessInfo.businessType' },
}

/** The fields that providers of these currencies require and the customer lacks. */
export function missingProviderFields(
  customer: {
    readonly customerType: CustomerType
    readonly profile: Profile
    readonly hasIdentifier: boolean
  },
  currencies: readonly string[],
  required: Readonly<Record<string, readonly CustomerInfoFieldName[]>>,
): FieldProblem[] {
  const facts = { ...customer.profile, identifier: customer.hasIdentifier || undefined }
  const missing = new Map<string, FieldProblem>()
  for (const currency of currencies) {
    for (const name of required[currency] ?? []) {
      const field = fieldsByName[name]?.[customer.customerType]
      if (field === undefined || valueAt(facts, field) !== undefined) continue
      const message = `is required for accounts in ${currency}`
      missing.set(field, { field, message, code: 'MISSING_MANDATORY_USER_INFO' })
    }
  }
  return [...missing.values()]
}

/** Whether a customer's record has what a field name means; the counterparty need not be told it then (accounts 11). */
export function isOnRecord(
  { customerType, profile, identifierSealed }: Customer,
  name: CustomerInfoFieldName,
): boolean {
  const field = fieldsByName[name]?.[customerType]
  const facts = { ...profile, identifier: identifierSealed ?? undefined }
  return field !== undefined && valueAt(facts, field) !== undefined
}

/**
 * What may be told to an institution that asks for it (webhooks-uma 6.5): text of the record. The number of an identity
 * document is sealed and never leaves, whatever it is asked for as.
 */
export function informationOf(
  { customerType, profile }: Pick<Customer, 'customerType' | 'profile'>,
  name: CustomerInfoFieldName,
): string | undefined {
  const field = fieldsByName[name]?.[customerType]
  const value = field === undefined ? undefined : valueAt(profile, field)
  if (typeof value === 'string') return value
  if (name !== 'POSTAL_ADDRESS' || typeof value !== 'object' || value === null) return undefined
  const lines = Object.values(value).filter((line) => typeof line === 'string' && line !== '')
  return lines.length > 0 ? lines.join(', ') : undefined
}

function valueAt(facts: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], facts)
}
