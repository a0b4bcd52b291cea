import Type, { type Static } from 'typebox'
import {
  clearable,
  countryCode,
  currencyCode,
  emailAddress,
  enumOf,
  idOf,
  nullable,
  partOf,
  phoneNumber,
  plainText,
  taggedUnion,
  timestamp,
  umaAddress,
} from '../../vocabulary/shapes.ts'
import { BeneficialOwner } from '../person/beneficial-owner-schemas.ts'
import { Address, KycStatus } from '../person/person-schemas.ts'
import { BusinessInfo, BusinessInfoResponse, BusinessInfoUpdate, KybStatus } from './business-schemas.ts'
import { individualProfile } from './profile-schemas.ts'

/**
 * What a customer is, on the way in and on the way out. Rules that need the rest of the customer, the
 * platform or their own error code stand in the rules of this feature (customers 4.3).
 */

export const CustomerType = enumOf(['INDIVIDUAL', 'BUSINESS'], { $id: 'CustomerType' })
export type CustomerType = Static<typeof CustomerType>

export const EndUserTermsConsent = Type.Object(
  {
    acceptedAt: timestamp(),
    ipAddress: Type.String({ maxLength: 45, examples: ['198.51.100.24'] }),
    termsVersion: plainText({ examples: ['V1'] }),
    acceptanceMethod: enumOf(['CHECKBOX', 'CLICK_TO_ACCEPT'], { $id: 'EndUserTermsAcceptanceMethod' }),
  },
  { $id: 'EndUserTermsConsent' },
)
export type EndUserTermsConsent = Static<typeof EndUserTermsConsent>

// What both kinds of customer have

const platformCustomerId = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Your own id, unique among your active customers.',
  examples: ['user-4711'],
})

const currencies = Type.Array(currencyCode(), {
  minItems: 1,
  maxItems: 1000,
  description: 'Currencies of the customer. Each currency has an internal account.',
})

const commonFields = {
  platformCustomerId: Type.Optional(platformCustomerId),
  region: Type.Optional(countryCode({ description: 'Region where the customer is served.' })),
  currencies: Type.Optional(currencies),
  email: Type.Optional(emailAddress()),
  phoneNumber: Type.Optional(phoneNumber()),
  umaAddress: Type.Optional(umaAddress()),
  endUserTermsConsent: Type.Optional(EndUserTermsConsent),
}

const commonAnswer = {
  id: idOf('Customer'),
  platformCustomerId,
  region: Type.Optional(countryCode()),
  currencies: Type.Array(currencyCode(), { description: 'Currencies of the customer.' }),
  email: Type.Optional(emailAddress()),
  phoneNumber: Type.Optional(phoneNumber()),
  umaAddress: umaAddress(),
  endUserTermsConsent: Type.Optional(EndUserTermsConsent),
  contactVerification: Type.Optional(
    Type.Object(
      {
        email: Type.Optional(enumOf(['PENDING', 'VERIFIED'], { $id: 'ContactVerificationStatus' })),
        phone: Type.Optional(enumOf(['PENDING', 'VERIFIED'], { $id: 'ContactVerificationStatus' })),
      },
      {
        $id: 'ContactVerification',
        description:
          'Present only in regions that require verified contact details, and only for the required channels.',
      },
    ),
  ),
  isDeleted: Type.Boolean({ readOnly: true }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

// What only one kind has

const identifier = Type.Optional(
  Type.String({
    maxLength: 512,
    writeOnly: true,
    description: 'Number of the document in idType. Responses never contain the number.',
    examples: ['123-45-6789'],
  }),
)

/** Declared so that readers know of it, and typed `never`, so that no answer can carry it (customers 4.1). */
const identifierInAnswers = Type.Optional(Type.Unsafe<never>({ type: 'string', writeOnly: true }))

/** Ignored when sent, as clients send back what they have read. */
const ignoredKycStatus = Type.Optional(KycStatus)
const ignoredKybStatus = Type.Optional(KybStatus)

// Requests

export const IndividualCustomerCreateRequest = Type.Object(
  {
    customerType: partOf(CustomerType, 'INDIVIDUAL'),
    ...commonFields,
    ...individualProfile,
    identifier,
    kycStatus: ignoredKycStatus,
  },
  { $id: 'IndividualCustomerCreateRequest' },
)

export const BusinessCustomerCreateRequest = Type.Object(
  {
    customerType: partOf(CustomerType, 'BUSINESS'),
    ...commonFields,
    businessInfo: BusinessInfo,
    address: Type.Optional(Address),
    kybStatus: ignoredKybStatus,
  },
  { $id: 'BusinessCustomerCreateRequest' },
)

export const CustomerCreateRequest = taggedUnion(
  'customerType',
  [IndividualCustomerCreateRequest, BusinessCustomerCreateRequest],
  { $id: 'CustomerCreateRequestOneOf' },
)
export type CustomerCreateRequest = Static<typeof CustomerCreateRequest>

const commonChanges = {
  ...commonFields,
  region: Type.Optional(nullable(commonFields.region)),
  email: Type.Optional(nullable(commonFields.email)),
  phoneNumber: Type.Optional(nullable(commonFields.phoneNumber)),
}

export const IndividualCustomerUpdateRequest = Type.Object(
  {
    customerType: partOf(CustomerType, 'INDIVIDUAL'),
    ...commonChanges,
    ...clearable(individualProfile),
    identifier: Type.Optional(nullable(identifier)),
    kycStatus: ignoredKycStatus,
  },
  { $id: 'IndividualCustomerUpdateRequest' },
)

export const BusinessCustomerUpdateRequest = Type.Object(
  {
    customerType: partOf(CustomerType, 'BUSINESS'),
    ...commonChanges,
    businessInfo: Type.Optional(BusinessInfoUpdate),
    address: Type.Optional(Address),
    kybStatus: ignoredKybStatus,
  },
  { $id: 'BusinessCustomerUpdateRequest' },
)

/** Absent fields stay; null clears an optional scalar; `customerType` must equal the stored one (customers 5.1). */
export const CustomerUpdateRequest = taggedUnion(
  'customerType',
  [IndividualCustomerUpdateRequest, BusinessCustomerUpdateRequest],
  { $id: 'CustomerUpdateRequestOneOf' },
)
export type CustomerUpdateRequest = Static<typeof CustomerUpdateRequest>

// Answers

export const IndividualCustomer = Type.Object(
  {
    ...commonAnswer,
    customerType: partOf(CustomerType, 'INDIVIDUAL'),
    kycStatus: KycStatus,
    ...individualProfile,
    identifier: identifierInAnswers,
  },
  { $id: 'IndividualCustomer' },
)
export type IndividualCustomer = Static<typeof IndividualCustomer>

export const BusinessCustomer = Type.Object(
  {
    ...commonAnswer,
    customerType: partOf(CustomerType, 'BUSINESS'),
    kybStatus: KybStatus,
    address: Type.Optional(Address),
    businessInfo: BusinessInfoResponse,
    beneficialOwners: Type.Array(BeneficialOwner),
  },
  { $id: 'BusinessCustomer' },
)
export type BusinessCustomer = Static<typeof BusinessCustomer>

export const Customer = taggedUnion('customerType', [IndividualCustomer, BusinessCustomer], {
  $id: 'CustomerOneOf',
})
export type Customer = Static<typeof Customer>
