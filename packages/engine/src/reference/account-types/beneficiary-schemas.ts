import { type TObject, type TSchema, Type } from 'typebox'
import { component, unionOf } from './components.ts'

/** What one currency demands of a beneficiary beyond a name (accounts 4.5, 4.6). */
export interface BeneficiaryNeeds {
  /** Demanded of an individual always: part of the published schema. */
  readonly individual?: readonly string[]
  /** Demanded of an individual under FULL only. */
  readonly individualInFull?: readonly string[]
  /** Demanded of a business under FULL only, besides its address. */
  readonly businessInFull?: readonly string[]
  /** Fields only this currency's individuals have. */
  readonly individualFields?: Readonly<Record<string, TSchema>>
}

export interface BeneficiarySchemas {
  readonly create: TSchema
  readonly response: TSchema
}

const text = (maxLength: number) => Type.String({ maxLength })
const name = Type.String({ minLength: 1, maxLength: 255 })
const countryCode = Type.String({ maxLength: 2, description: 'ISO 3166-1 alpha-2 code.' })

export const addressFields = {
  line1: text(255),
  line2: text(255),
  city: text(255),
  state: text(255),
  postalCode: Type.String({
    maxLength: 32,
    description:
      'Required unless the country has no postal codes. In that case responses contain an empty string.',
  }),
  country: countryCode,
}
/** Not the address of a customer: here the form of the country is judged after normalisation. */
const address = component('BeneficiaryAddress', addressFields, ['line1', 'country'])

const contactFields = {
  email: text(320),
  phoneNumber: text(32),
  countryOfResidence: countryCode,
  address,
}
export const individualFields = {
  beneficiaryType: Type.Enum(['INDIVIDUAL'], { type: 'string' }),
  fullName: name,
  // No `format`: the date is judged with the other rules, so that all errors come in one answer.
  birthDate: Type.String({ maxLength: 10, description: 'Calendar date, `YYYY-MM-DD`.' }),
  nationality: countryCode,
  ...contactFields,
}
export const businessFields = {
  beneficiaryType: Type.Enum(['BUSINESS'], { type: 'string' }),
  legalName: name,
  registrationNumber: text(64),
  taxId: text(64),
  ...contactFields,
}

const business = component('BusinessBeneficiary', businessFields, ['beneficiaryType', 'legalName'])
/** A request may give the name inside `businessInfo`, where a customer record has it. */
const businessInput = component(
  'BusinessBeneficiaryInput',
  { ...businessFields, businessInfo: Type.Object({ legalName: Type.Optional(name) }) },
  ['beneficiaryType'],
)
const individual = component('IndividualBeneficiary', individualFields, ['beneficiaryType', 'fullName'])
const walletIndividual = component(
  'WalletIndividualBeneficiary',
  {
    beneficiaryType: individualFields.beneficiaryType,
    fullName: name,
    countryOfResidence: countryCode,
  },
  ['beneficiaryType', 'fullName', 'countryOfResidence'],
)

export const walletBeneficiarySchemas = unionWithBusiness(walletIndividual)

/** The union of an individual and a business; a currency with demands of its own gets its own individual. */
export function beneficiarySchemas(prefix: string, needs: BeneficiaryNeeds): BeneficiarySchemas {
  const hasOwn = needs.individual !== undefined || needs.individualFields !== undefined
  return unionWithBusiness(
    hasOwn
      ? component(`${prefix}IndividualBeneficiary`, { ...individualFields, ...needs.individualFields }, [
          'beneficiaryType',
          'fullName',
          ...(needs.individual ?? []),
        ])
      : individual,
  )
}

function unionWithBusiness(person: TObject): BeneficiarySchemas {
  return {
    create: unionOf('beneficiaryType', [person, businessInput]),
    response: unionOf('beneficiaryType', [person, business]),
  }
}
