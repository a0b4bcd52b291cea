import Type, { type Static } from 'typebox'
import {
  calendarDate,
  countryCode,
  emailAddress,
  enumOf,
  idOf,
  nameText,
  nullable,
  phoneNumber,
  plainText,
  timestamp,
} from '../../vocabulary/shapes.ts'
import { Address, IdentificationType, KycStatus } from './person-schemas.ts'

export const BeneficialOwnerRole = enumOf(
  ['UBO', 'DIRECTOR', 'COMPANY_OFFICER', 'CONTROL_PERSON', 'TRUSTEE', 'GENERAL_PARTNER'],
  { $id: 'BeneficialOwnerRole' },
)

const roles = Type.Array(BeneficialOwnerRole, { minItems: 1, maxItems: 1000 })

const ownershipPercentage = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'Share in whole percent. Send 0 for a person who controls the business but owns no share.',
})

const requiredPersonalInfo = {
  firstName: nameText({ examples: ['Jane'] }),
  lastName: nameText({ examples: ['Smith'] }),
  birthDate: calendarDate(),
  nationality: countryCode(),
  address: Address,
  idType: IdentificationType,
  identifier: plainText({ minLength: 1, examples: ['123-45-6789'] }),
}

const BeneficialOwnerPersonalInfo = Type.Object(
  {
    ...requiredPersonalInfo,
    middleName: Type.Optional(nameText()),
    email: Type.Optional(emailAddress()),
    phoneNumber: Type.Optional(phoneNumber()),
    countryOfIssuance: Type.Optional(
      countryCode({ description: 'Country that issued the number. Required with NON_US_TAX_ID.' }),
    ),
  },
  { $id: 'BeneficialOwnerPersonalInfo' },
)

/** Merged key by key; the address is replaced as a whole (customers 12). */
const BeneficialOwnerPersonalInfoUpdate = Type.Object(
  {
    ...Type.Partial(Type.Object(requiredPersonalInfo)).properties,
    middleName: Type.Optional(nullable(nameText())),
    email: Type.Optional(nullable(emailAddress())),
    phoneNumber: Type.Optional(nullable(phoneNumber())),
    countryOfIssuance: Type.Optional(nullable(countryCode())),
  },
  { $id: 'BeneficialOwnerPersonalInfoUpdate' },
)

export const BeneficialOwner = Type.Object(
  {
    id: idOf('BeneficialOwner'),
    customerId: idOf('Customer'),
    roles,
    ownershipPercentage,
    personalInfo: BeneficialOwnerPersonalInfo,
    kycStatus: KycStatus,
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'BeneficialOwner' },
)
export type BeneficialOwner = Static<typeof BeneficialOwner>

export const BeneficialOwnerCreateRequest = Type.Object(
  { customerId: idOf('Customer'), roles, ownershipPercentage, personalInfo: BeneficialOwnerPersonalInfo },
  { $id: 'BeneficialOwnerCreateRequest' },
)
export type BeneficialOwnerCreateRequest = Static<typeof BeneficialOwnerCreateRequest>

export const BeneficialOwnerUpdateRequest = Type.Object(
  {
    roles: Type.Optional(roles),
    ownershipPercentage: Type.Optional(ownershipPercentage),
    personalInfo: Type.Optional(BeneficialOwnerPersonalInfoUpdate),
  },
  { $id: 'BeneficialOwnerUpdateRequest' },
)
export type BeneficialOwnerUpdateRequest = Static<typeof BeneficialOwnerUpdateRequest>
