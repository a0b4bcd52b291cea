import Type, { type Static } from 'typebox'
import { calendarDate, clearable, countryCode, enumOf, plainText } from '../../vocabulary/shapes.ts'
import {
  ExpectedMonthlyTransactionCount,
  ExpectedMonthlyTransactionVolume,
  otherDescription,
  PurposeOfAccount,
} from './profile-schemas.ts'

export const KybStatus = enumOf(['UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD'], {
  $id: 'KybStatus',
})
export type KybStatus = Static<typeof KybStatus>

/** The four fields that a business must have from the start; files of customers may omit some. */
const businessIdentity = {
  legalName: Type.String({ minLength: 1, maxLength: 255, examples: ['Acme Corporation, Inc.'] }),
  country: countryCode({ description: 'Country of registration.' }),
  taxId: Type.String({ minLength: 2, maxLength: 50, examples: ['47-1234567'] }),
  incorporatedOn: calendarDate(),
}

export const EntityType = enumOf(
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
)

export const BusinessType = enumOf(
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
)

const businessDetails = {
  doingBusinessAs: Type.Optional(Type.String({ maxLength: 255, examples: ['Acme'] })),
  registrationNumber: Type.Optional(plainText({ examples: ['5523041'] })),
  entityType: Type.Optional(EntityType),
  businessType: Type.Optional(BusinessType),
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

export const BusinessInfoUpdate = Type.Object(
  { ...Type.Partial(Type.Object(businessIdentity)).properties, ...clearable(businessDetails) },
  { $id: 'BusinessInfoUpdate' },
)

export const BusinessInfoResponse = Type.Object(
  {
    ...Type.Partial(Type.Object(businessIdentity)).properties,
    legalName: businessIdentity.legalName,
    ...businessDetails,
  },
  { $id: 'BusinessInfoResponse' },
)
