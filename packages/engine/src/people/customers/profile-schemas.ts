import Type from 'typebox'
import { calendarDate, countryCode, enumOf } from '../../vocabulary/shapes.ts'
import { Address, IdentificationType } from '../person/person-schemas.ts'

/** What customers tell about their money and their plans. */

export const PurposeOfAccount = enumOf(
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

export const ExpectedMonthlyTransactionCount = enumOf(
  ['COUNT_UNDER_10', 'COUNT_10_TO_100', 'COUNT_100_TO_500', 'COUNT_500_TO_1000', 'COUNT_OVER_1000'],
  { $id: 'ExpectedMonthlyTransactionCount' },
)

export const ExpectedMonthlyTransactionVolume = enumOf(
  ['VOLUME_UNDER_10K', 'VOLUME_10K_TO_100K', 'VOLUME_100K_TO_1M', 'VOLUME_1M_TO_10M', 'VOLUME_OVER_10M'],
  { $id: 'ExpectedMonthlyTransactionVolume' },
)

/** Required where the list beside it contains OTHER, ignored otherwise (customers 4.3). */
export const otherDescription = Type.Optional(Type.String({ minLength: 1, maxLength: 500 }))

/** What a person tells about themselves; `identifier` is apart, because it is never shown (customers 4.1). */
export const individualProfile = {
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
      description: 'True if the person holds a prominent public office or is close to someone who does.',
    }),
  ),
}
