import Type, { type Static, type TOptional, type TProperties, type TUnsafe } from 'typebox'
import { BeneficialOwner } from '../beneficial-owners/beneficial-owner-schemas.ts'
import {
  calendarDate,
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
} from '../http/shapes.ts'
import { Address, IdentificationType, KycStatus } from './person-schemas.ts'

/**
 * What a customer is, on the way in and on the way out. Rules that need the rest of the customer, the
 * platform or their own error code stand in the rules of this feature (customers 4.3).
 */

export const KybStatus = enumOf(['UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD'], {
  $id: 'KybStatus',
})
export type KybStatus = Static<typeof KybStatus>

export const CustomerType = enumOf(['INDIVIDUAL', 'BUSINESS'], { $id: 'CustomerType' })
export type CustomerType = Static<typeof CustomerType>

const PurposeOfAccount = enumOf(
  [
    'CONTRACTOR_PAYOUTS',
    'CREATOR_PAYOUTS',
    'EMPLOYEE_PAYOUTS',
    'MARKETPLACE_SELLER_PAYOUTS',
    'SUPPLIER_PAYMENTS',
    'CROSS_BORDER_B2B',
    'AR_AUTOMATION',
    'AP_AUTOMATION',
    'EMBEDDED_PAYMENTS',
    'PLATFORM_FEE_COLLECTION',
    'P2P_TRANSFERS',
    'CHARITABLE_DONATIONS',
    'OTHER',
  ],
  { $id: 'PurposeOfAccount' },
)

const ExpectedMonthlyTransactionCount = enumOf(
  ['COUNT_UNDER_10', 'COUNT_10_TO_100', 'COUNT_100_TO_500', 'COUNT_500_TO_1000', 'COUNT_OVER_1000'],
  { $id: 'ExpectedMonthlyTransactionCount' },
)

const ExpectedMonthlyTransactionVolume = enumOf(
  ['VOLUME_UNDER_10K', 'VOLUME_10K_TO_100K', 'VOLUME_100K_TO_1M', 'VOLUME_1M_TO_10M', 'VOLUME_OVER_10M'],
  { $id: 'ExpectedMonthlyTransactionVolume' },
)

/** Required where the list beside it contains OTHER, ignored otherwise (customers 4.3). */
const otherDescription = Type.Optional(Type.String({ minLength: 1, maxLength: 500 }))

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
  description: "The platform's own id, unique among its active customers.",
  examples: ['user-4711'],
})

const currencies = Type.Array(currencyCode(), {
  minItems: 1,
  maxItems: 1000,
  description: 'The currencies the customer holds; each has an internal account.',
})

const commonFields = {
  platformCustomerId: Type.Optional(platformCustomerId),
  region: Type.Optional(countryCode({ description: 'Where the customer is served.' })),
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
  currencies,
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
        description: 'Only in regions that demand it; only the channels demanded.',
      },
    ),
  ),
  isDeleted: Type.Boolean({ readOnly: true }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

// Individuals

const individualProfile = {
  fullName: Type.Optional(Type.String({ minLength: 1, maxLength: 250, examples: ['Ana Lopez'] })),
  birthDate: Type.Optional(calendarDate()),
  nationality: Type.Optional(countryCode()),
  address: Type.Optional(Address),
  idType: Type.Optional(IdentificationType),
  countryOfIssuance: Type.Optional(countryCode()),
  sourceOfFundsCategories: Type.Optional(
    Type.Array(
      enumOf(
        [
          'SALARY',
          'SELF_EMPLOYMENT_INCOME',
          'INVESTMENT_INCOME',
          'PENSION',
          'RENTAL_INCOME',
          'GIFT',
          'INHERITANCE',
          'LOAN',
          'SAVINGS',
          'SALE_OF_ASSETS',
          'OTHER',
        ],
        { $id: 'IndividualSourceOfFundsCategory' },
      ),
      { maxItems: 1000 },
    ),
  ),
  sourceOfFundsOtherDescription: otherDescription,
  sourceOfWealthCategories: Type.Optional(
    Type.Array(
      enumOf(
        [
          'SALARY',
          'BUSINESS_INCOME',
          'INVESTMENTS',
          'INHERITANCE',
          'PROPERTY_SALE',
          'GIFT',
          'RETIREMENT',
          'SAVINGS',
          'OTHER',
        ],
        { $id: 'SourceOfWealthCategory' },
      ),
      { maxItems: 1000 },
    ),
  ),
  sourceOfWealthOtherDescription: otherDescription,
  purposeOfAccount: Type.Optional(PurposeOfAccount),
  purposeOfAccountOtherDescription: otherDescription,
  expectedMonthlyTransactionCount: Type.Optional(ExpectedMonthlyTransactionCount),
  expectedMonthlyTransactionVolume: Type.Optional(ExpectedMonthlyTransactionVolume),
  annualIncomeRange: Type.Optional(
    enumOf(['UNDER_50K', 'RANGE_50K_100K', 'RANGE_100K_250K', 'RANGE_250K_1M', 'OVER_1M'], {
      $id: 'AnnualIncomeRange',
    }),
  ),
  netWorthRange: Type.Optional(
    enumOf(['UNDER_100K', 'RANGE_100K_500K', 'RANGE_500K_1M', 'RANGE_1M_5M', 'RANGE_5M_25M', 'OVER_25M'], {
      $id: 'NetWorthRange',
    }),
  ),
  pepStatus: Type.Optional(
    enumOf(['NONE', 'DOMESTIC', 'FOREIGN', 'HIO', 'FAMILY_OR_ASSOCIATE'], {
      $id: 'PepStatus',
      description: 'Whether the person holds, or is close to, a prominent public office.',
    }),
  ),
}

const identifier = Type.Optional(
  Type.String({
    maxLength: 512,
    writeOnly: true,
    description: 'The number of the document named by idType. Accepted, and never shown again.',
    examples: ['123-45-6789'],
  }),
)

/** Declared so that readers know of it, and typed `never`, so that no answer can carry it (customers 4.1). */
const identifierInAnswers = Type.Optional(Type.Unsafe<never>({ type: 'string', writeOnly: true }))

/** Ignored when sent, as clients send back what they have read. */
const ignoredKycStatus = Type.Optional(KycStatus)
const ignoredKybStatus = Type.Optional(KybStatus)

// Businesses

/** The four fields that a business must have from the start; files of customers may omit some. */
const businessIdentity = {
  legalName: Type.String({ minLength: 1, maxLength: 255, examples: ['Acme Corporation, Inc.'] }),
  country: countryCode({ description: 'Where the business is registered.' }),
  taxId: Type.String({ minLength: 2, maxLength: 50, examples: ['47-1234567'] }),
  incorporatedOn: calendarDate(),
}

const businessDetails = {
  doingBusinessAs: Type.Optional(Type.String({ maxLength: 255, examples: ['Acme'] })),
  registrationNumber: Type.Optional(plainText({ examples: ['5523041'] })),
  entityType: Type.Optional(
    enumOf(
      [
        'SOLE_PROPRIETORSHIP',
        'PARTNERSHIP',
        'LLC',
        'CORPORATION',
        'S_CORPORATION',
        'NON_PROFIT',
        'PUBLICLY_LISTED_COMPANY',
        'TRUST',
        'PRIVATE_FOUNDATION',
        'CHARITY',
        'OTHER',
      ],
      { $id: 'EntityType' },
    ),
  ),
  businessType: Type.Optional(
    enumOf(
      [
        'AGRICULTURE_FORESTRY_FISHING_AND_HUNTING',
        'MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION',
        'UTILITIES',
        'CONSTRUCTION',
        'MANUFACTURING',
        'WHOLESALE_TRADE',
        'RETAIL_TRADE',
        'TRANSPORTATION_AND_WAREHOUSING',
        'INFORMATION',
        'FINANCE_AND_INSURANCE',
        'REAL_ESTATE_AND_RENTAL_AND_LEASING',
        'PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES',
        'MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES',
        'ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES',
        'EDUCATIONAL_SERVICES',
        'HEALTH_CARE_AND_SOCIAL_ASSISTANCE',
        'ARTS_ENTERTAINMENT_AND_RECREATION',
        'ACCOMMODATION_AND_FOOD_SERVICES',
        'OTHER_SERVICES',
        'PUBLIC_ADMINISTRATION',
      ],
      { $id: 'BusinessType' },
    ),
  ),
  naicsCode: Type.Optional(Type.String({ pattern: '^\\d{2,6}$', examples: ['541511'] })),
  countriesOfOperation: Type.Optional(Type.Array(countryCode(), { maxItems: 1000 })),
  expectedRecipientJurisdictions: Type.Optional(Type.Array(countryCode(), { maxItems: 1000 })),
  expectedCounterpartyCountries: Type.Optional(Type.Array(countryCode(), { maxItems: 1000 })),
  purposeOfAccount: Type.Optional(PurposeOfAccount),
  purposeOfAccountOtherDescription: otherDescription,
  sourceOfFunds: Type.Optional(plainText()),
  sourceOfFundsCategories: Type.Optional(
    Type.Array(
      enumOf(
        [
          'OPERATING_REVENUE',
          'INVESTMENT_INCOME',
          'LOANS',
          'VENTURE_CAPITAL',
          'PERSONAL_SAVINGS',
          'DONATIONS',
          'OTHER',
        ],
        { $id: 'SourceOfFundsCategory' },
      ),
      { maxItems: 1000 },
    ),
  ),
  sourceOfFundsOtherDescription: otherDescription,
  expectedMonthlyTransactionCount: Type.Optional(ExpectedMonthlyTransactionCount),
  expectedMonthlyTransactionVolume: Type.Optional(ExpectedMonthlyTransactionVolume),
  primaryContactFirstName: Type.Optional(Type.String({ maxLength: 250 })),
  primaryContactLastName: Type.Optional(Type.String({ maxLength: 250 })),
}

export const BusinessInfo = Type.Object({ ...businessIdentity, ...businessDetails }, { $id: 'BusinessInfo' })
export type BusinessInfo = Static<typeof BusinessInfo>

const BusinessInfoUpdate = Type.Object(
  { ...Type.Partial(Type.Object(businessIdentity)).properties, ...clearable(businessDetails) },
  { $id: 'BusinessInfoUpdate' },
)

const BusinessInfoResponse = Type.Object(
  {
    ...Type.Partial(Type.Object(businessIdentity)).properties,
    legalName: businessIdentity.legalName,
    ...businessDetails,
  },
  { $id: 'BusinessInfoResponse' },
)

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

/** The same optional fields for a PATCH, where null clears a scalar (customers 0.3). */
function clearable<F extends TProperties>(fields: F) {
  const out: TProperties = {}
  for (const [name, field] of Object.entries(fields)) {
    const isScalar = (field as { type?: unknown }).type === 'string'
    out[name] = isScalar ? Type.Optional(nullable(field)) : field
  }
  return out as { [K in keyof F]: TOptional<TUnsafe<Clearable<Static<F[K]>>>> }
}

type Clearable<T> = T extends string ? T | null : T
