import { upperAscii } from '@corridor/kernel'
import { BusinessInfo, type BusinessInfo as BusinessInfoWire, type IndividualCustomer } from './contract.ts'
import { individualProfile } from './profile-schemas.ts'

/** What a customer told about itself, under the names of the API. Never the identifier. */
export type Profile = Partial<
  Pick<IndividualCustomer, keyof typeof individualProfile | 'email' | 'phoneNumber'>
> & { readonly businessInfo?: Partial<BusinessInfoWire> }

type CustomerType = 'INDIVIDUAL' | 'BUSINESS'

const contactKeys = ['email', 'phoneNumber'] as const
const individualKeys = [...contactKeys, ...Object.keys(individualProfile)]
const businessKeys = [...contactKeys, 'address', 'businessInfo']
const businessInfoKeys = Object.keys(BusinessInfo.properties)
const addressKeys = ['line1', 'line2', 'city', 'state', 'postalCode', 'country']

/** What may be OTHER, and the text that then says what. */
export const descriptionPairs = [
  ['sourceOfFundsCategories', 'sourceOfFundsOtherDescription'],
  ['sourceOfWealthCategories', 'sourceOfWealthOtherDescription'],
  ['purposeOfAccount', 'purposeOfAccountOtherDescription'],
] as const

/**
 * The profile after a request (customers 5.1): given fields replace, null clears, absent ones stay;
 * businessInfo merges key by key, addresses and lists are replaced. Fields of the other customer type
 * and unknown ones fall away; codes are stored in upper case and names without stray blanks.
 */
export function mergeProfile(
  customerType: CustomerType,
  stored: Profile,
  request: Readonly<Record<string, unknown>>,
): Profile {
  const keys = customerType === 'INDIVIDUAL' ? individualKeys : businessKeys
  const merged = mergeKeys(keys, stored as Record<string, unknown>, request)
  if (request.address) merged.address = normalizeAddress(request.address as Record<string, unknown>)
  if (customerType === 'BUSINESS') {
    const before = (stored.businessInfo ?? {}) as Record<string, unknown>
    const given = (request.businessInfo ?? {}) as Record<string, unknown>
    merged.businessInfo = normalizeBusiness(mergeKeys(businessInfoKeys, before, given))
  }
  return customerType === 'INDIVIDUAL' ? normalizeIndividual(merged) : merged
}

function mergeKeys(
  keys: readonly string[],
  stored: Record<string, unknown>,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = {}
  for (const key of keys) {
    const value = given[key] === undefined ? stored[key] : given[key]
    if (value !== undefined && value !== null) merged[key] = value
  }
  return merged
}

/** An address with its known fields alone, and its country in upper case. */
export function normalizeAddress(address: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const picked = mergeKeys(addressKeys, {}, address)
  return { ...picked, postalCode: String(picked.postalCode ?? '').trim(), country: upper(picked.country) }
}

function normalizeIndividual(fields: Record<string, unknown>): Profile {
  const out = withoutStrayDescriptions(fields)
  if (out.fullName !== undefined) out.fullName = normalizeName(String(out.fullName))
  if (out.nationality !== undefined) out.nationality = upper(out.nationality)
  // An SSN or ITIN can only be issued in one country, so it need not be named (customers 4.3).
  if (out.idType !== undefined) out.countryOfIssuance = 'US'
  else delete out.countryOfIssuance
  return out
}

function normalizeBusiness(fields: Record<string, unknown>): Record<string, unknown> {
  const out = withoutStrayDescriptions(fields)
  if (out.country !== undefined) out.country = upper(out.country)
  for (const key of [
    'countriesOfOperation',
    'expectedRecipientJurisdictions',
    'expectedCounterpartyCountries',
  ]) {
    const list = out[key]
    if (Array.isArray(list)) out[key] = list.map(upper)
  }
  return out
}

/** A description of "other" says nothing where nothing is OTHER (customers 4.3). */
function withoutStrayDescriptions(fields: Record<string, unknown>): Record<string, unknown> {
  const out = { ...fields }
  for (const [choice, description] of descriptionPairs) {
    if (!includesOther(out[choice])) delete out[description]
  }
  return out
}

export function includesOther(choice: unknown): boolean {
  return choice === 'OTHER' || (Array.isArray(choice) && choice.includes('OTHER'))
}

/** Trimmed, with single blanks inside (customers 4.3). */
export function normalizeName(name: string): string {
  return name.trim().replace(/\s+/g, ' ')
}

function upper(code: unknown): string {
  return upperAscii(String(code))
}
