import { type FieldError, upperAscii } from '@corridor/kernel'
import { lacksPostalCode } from '../addresses/index.ts'
import { type AccountInfo, type CheckContext, textOf } from './account-type.ts'
import {
  addressFields,
  type BeneficiaryNeeds,
  businessFields,
  individualFields,
} from './beneficiary-schemas.ts'

type Fields = Readonly<Record<string, unknown>>

const PATH = 'accountInfo.beneficiary'
const COUNTRY_FIELDS = ['nationality', 'countryOfResidence']

/** The beneficiary of an account as an object, or undefined when there is none or it is something else. */
export function beneficiaryOf(info: AccountInfo): Fields | undefined {
  return isObject(info.beneficiary) ? info.beneficiary : undefined
}

/**
 * Keeps the fields of the variant, trims them, upper-cases country codes and lifts a nested legal name
 * (accounts 4.6). A variant nobody knows is left alone for the schema to refuse.
 */
export function normalizeBeneficiary(sent: unknown, needs: BeneficiaryNeeds): unknown {
  if (!isObject(sent)) return sent
  if (sent.beneficiaryType === 'INDIVIDUAL') {
    return clean(sent, { ...individualFields, ...needs.individualFields })
  }
  if (sent.beneficiaryType !== 'BUSINESS') return sent
  const nested = isObject(sent.businessInfo) ? sent.businessInfo.legalName : undefined
  return clean(sent.legalName === undefined ? { ...sent, legalName: nested } : sent, businessFields)
}

function clean(sent: Fields, known: object): Fields {
  const kept: Record<string, unknown> = {}
  for (const name of Object.keys(known)) {
    const value = sent[name]
    if (value === undefined || value === null) continue
    if (name === 'address')
      kept[name] = isObject(value) ? { postalCode: '', ...clean(value, addressFields) } : value
    else if (typeof value !== 'string') kept[name] = value
    else kept[name] = isCountryField(name) ? upperAscii(value.trim()) : value.trim()
  }
  return kept
}

const isCountryField = (name: string) => name === 'country' || COUNTRY_FIELDS.includes(name)

/**
 * Judges a normalised beneficiary (accounts 4.6): names not blank, a birth date that exists and lies in
 * the past, country codes, and under FULL what payout partners ask of this currency's beneficiaries.
 */
export function checkBeneficiary(
  info: AccountInfo,
  needs: BeneficiaryNeeds,
  { strictness, today }: CheckContext,
): FieldError[] {
  const beneficiary = beneficiaryOf(info)
  if (!beneficiary) return []
  const errors: FieldError[] = []
  const refuse = (field: string, message: string) => errors.push({ field: `${PATH}.${field}`, message })

  const isBusiness = beneficiary.beneficiaryType === 'BUSINESS'
  const name = isBusiness ? 'legalName' : 'fullName'
  // The request schema leaves a business's legal name open, because it may come nested.
  if (isBusiness ? textOf(beneficiary, name) === undefined : beneficiary[name] === '') {
    refuse(name, 'is required')
  }
  const birthDate = textOf(beneficiary, 'birthDate')
  if (birthDate !== undefined && !isBusiness) {
    if (!isCalendarDate(birthDate)) refuse('birthDate', 'must be a date in the form YYYY-MM-DD')
    else if (birthDate >= today) refuse('birthDate', 'must be in the past')
  }
  for (const field of COUNTRY_FIELDS) {
    if (isWrongCountry(beneficiary[field])) refuse(field, 'must be a two-letter country code')
  }
  if (isObject(beneficiary.address)) {
    const { address } = beneficiary
    if (isWrongCountry(address.country)) refuse('address.country', 'must be a two-letter country code')
    if (lacksPostalCode(address)) refuse('address.postalCode', 'is required')
  }
  if (strictness === 'FULL') {
    const demanded = (isBusiness ? needs.businessInFull : needs.individualInFull) ?? []
    for (const field of demanded) {
      if (beneficiary[field] === undefined) refuse(field, 'is required for payouts in this currency')
    }
  }
  return errors
}

/** Whether `YYYY-MM-DD` names a day that exists, without asking a clock library. */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  return days !== undefined && day >= 1 && day <= days
}

function isWrongCountry(value: unknown): boolean {
  return typeof value === 'string' && !/^[A-Z]{2}$/.test(value)
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
