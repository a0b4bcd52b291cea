import { isIP } from 'node:net'
import { type Instant, toTimestamp, upperAscii } from '@corridor/kernel'
import { lacksPostalCode } from '../../reference/addresses/index.ts'
import type { FieldProblem } from '../../vocabulary/errors.ts'
import { isCountry } from './countries.ts'
import type { Profile } from './profile.ts'

/** Rules of single fields that the schema cannot state (customers 4.3). Bodies may have any shape. */

type Body = Readonly<Record<string, unknown>>

interface Facts {
  readonly customerType: 'INDIVIDUAL' | 'BUSINESS'
  readonly now: Instant
  /** Whether the customer has an identifier once the request is done. */
  readonly hasIdentifier: boolean
  /** The profile that the request leads to. */
  readonly profile: Profile
}

const clockSkewMs = 5 * 60 * 1000
export const earliestBirthDate = '1900-01-01'
export const identifierForm = '^\\d{3}-\\d{2}-\\d{4}$'
export const identifierWords = 'must be nine digits with hyphens, like 123-45-6789'
const usTaxIdDigits = 9

export function checkFields(facts: Facts, body: Body): FieldProblem[] {
  const common = [
    ...checkCountry('region', body.region),
    ...checkAddress('address', body.address),
    ...checkConsent(facts.now, body.endUserTermsConsent),
  ]
  return facts.customerType === 'INDIVIDUAL'
    ? [...common, ...checkPerson(facts, body)]
    : [...common, ...checkBusiness(facts, body.businessInfo)]
}

function checkPerson(facts: Facts, body: Body): FieldProblem[] {
  const problems = [
    ...checkCountry('nationality', body.nationality),
    ...checkDate('birthDate', body.birthDate, facts.now, earliestBirthDate),
  ]
  if (typeof body.fullName === 'string' && body.fullName.trim() === '') {
    problems.push({ field: 'fullName', message: 'is blank', constraint: { minLength: 1 } })
  }
  const { idType, identifier, countryOfIssuance } = body
  if (typeof idType === 'string' && !personalIdTypes.includes(idType)) {
    const message = 'is not allowed for individuals'
    problems.push({ field: 'idType', message, constraint: { enum: personalIdTypes } })
  } else if (facts.hasIdentifier && facts.profile.idType === undefined) {
    problems.push({ field: 'idType', message: 'is required with identifier' })
  }
  if (typeof identifier === 'string' && !new RegExp(identifierForm).test(identifier)) {
    const constraint = { pattern: identifierForm }
    problems.push({ field: 'identifier', message: identifierWords, constraint })
  }
  if (typeof countryOfIssuance === 'string' && upperAscii(countryOfIssuance) !== 'US') {
    const message = 'is not the country that issues numbers of this type'
    problems.push({ field: 'countryOfIssuance', message, constraint: { enum: ['US'] } })
  }
  return problems
}

const personalIdTypes = ['SSN', 'ITIN']

function checkBusiness(facts: Facts, info: unknown): FieldProblem[] {
  const at = (name: string) => `businessInfo.${name}`
  const problems = [
    ...checkCountry(at('country'), member(info, 'country')),
    ...checkDate(at('incorporatedOn'), member(info, 'incorporatedOn'), facts.now),
  ]
  for (const name of [
    'countriesOfOperation',
    'expectedRecipientJurisdictions',
    'expectedCounterpartyCountries',
  ]) {
    const list = member(info, name)
    if (!Array.isArray(list)) continue
    for (const [index, code] of list.entries()) problems.push(...checkCountry(`${at(name)}.${index}`, code))
  }
  const isNumberTouched = member(info, 'taxId') !== undefined || member(info, 'country') !== undefined
  const { country: registeredIn, taxId } = facts.profile.businessInfo ?? {}
  if (isNumberTouched && registeredIn === 'US' && typeof taxId === 'string' && !isUsTaxId(taxId)) {
    problems.push({ field: at('taxId'), message: 'must have nine digits in the US, with or without hyphens' })
  }
  return problems
}

function isUsTaxId(taxId: string): boolean {
  const digits = taxId.replaceAll('-', '')
  return digits.length === usTaxIdDigits && /^\d+$/.test(digits)
}

function checkConsent(now: Instant, consent: unknown): FieldProblem[] {
  const problems: FieldProblem[] = []
  const ipAddress = member(consent, 'ipAddress')
  if (typeof ipAddress === 'string' && isIP(ipAddress) === 0) {
    const constraint = { format: 'ip' }
    problems.push({
      field: 'endUserTermsConsent.ipAddress',
      message: 'is not an IPv4 or IPv6 address',
      constraint,
    })
  }
  const acceptedAt = member(consent, 'acceptedAt')
  if (typeof acceptedAt === 'string' && Date.parse(acceptedAt) > now + clockSkewMs) {
    problems.push({ field: 'endUserTermsConsent.acceptedAt', message: 'is in the future' })
  }
  return problems
}

/** Whether the country exists, and whether its postal code is there if it has one. */
export function checkAddress(field: string, address: unknown): FieldProblem[] {
  if (typeof address !== 'object' || address === null) return []
  const country = checkCountry(`${field}.country`, member(address, 'country'))
  if (!lacksPostalCode(address as Body)) return country
  return [...country, { field: `${field}.postalCode`, message: 'is required' }]
}

/** Whether a text is the code of a country that exists. */
export function checkCountry(field: string, code: unknown): FieldProblem[] {
  if (typeof code !== 'string' || isCountry(code)) return []
  return [{ field, message: 'is not an assigned country code', constraint: { format: 'iso-3166-1-alpha-2' } }]
}

/** Whether a day has come and is not absurd. The schema has seen to it that it exists; days compare as text. */
export function checkDate(field: string, day: unknown, now: Instant, earliest?: string): FieldProblem[] {
  if (typeof day !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return []
  if (day > toTimestamp(now).slice(0, 10)) return [{ field, message: 'is in the future' }]
  if (earliest !== undefined && day < earliest) return [{ field, message: `is before ${earliest}` }]
  return []
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Body)[key] : undefined
}
