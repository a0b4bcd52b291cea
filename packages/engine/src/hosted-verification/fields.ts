import { countryOptions, labelOf } from './labels.ts'

/** What the forms of the hosted page ask for, under the paths of the API. */

export interface Field {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'date' | 'select' | 'checks' | 'integer' | 'secret'
  readonly options?: readonly (readonly [value: string, label: string])[]
  readonly hint?: string
  readonly isOptional?: true
  /** What the browser may fill in: a token of the HTML standard. */
  readonly autocomplete?: string
  /** Shares a line with a neighbour where there is room. */
  readonly isHalf?: true
  /** In place of the validator's words for a wrong form. */
  readonly wrongForm?: string
  /** Long lists can be searched, with the script. */
  readonly isLong?: true
}

export interface Group {
  readonly title: string
  readonly intro?: string
  readonly fields: readonly Field[]
}

const choices = (...values: readonly string[]) => values.map((value) => [value, labelOf(value)] as const)

const country = (name: string, label: string, more: Partial<Field> = {}): Field => ({
  name,
  label,
  kind: 'select',
  options: countryOptions,
  ...more,
})

const address = (prefix: string): readonly Field[] => [
  { name: `${prefix}.line1`, label: 'Street and number', kind: 'text', autocomplete: 'address-line1' },
  {
    name: `${prefix}.line2`,
    label: 'Flat, floor or unit',
    kind: 'text',
    autocomplete: 'address-line2',
    isOptional: true,
  },
  {
    name: `${prefix}.city`,
    label: 'City',
    kind: 'text',
    autocomplete: 'address-level2',
    isOptional: true,
    isHalf: true,
  },
  {
    name: `${prefix}.state`,
    label: 'State or region',
    kind: 'text',
    autocomplete: 'address-level1',
    isOptional: true,
    isHalf: true,
  },
  {
    name: `${prefix}.postalCode`,
    label: 'Postal code',
    kind: 'text',
    autocomplete: 'postal-code',
    isHalf: true,
  },
  country(`${prefix}.country`, 'Country', { autocomplete: 'country', isHalf: true }),
]

const numberForm = 'must have the form 123-45-6789'

export const individualGroups: readonly Group[] = [
  {
    title: 'About you',
    fields: [
      {
        name: 'fullName',
        label: 'Full legal name',
        kind: 'text',
        hint: 'As it is written in your identity document.',
        autocomplete: 'name',
      },
      { name: 'birthDate', label: 'Date of birth', kind: 'date', autocomplete: 'bday', isHalf: true },
      country('nationality', 'Nationality', { isHalf: true }),
    ],
  },
  { title: 'Home address', fields: address('address') },
  {
    title: 'Tax number',
    fields: [
      {
        name: 'idType',
        label: 'Kind of number',
        kind: 'select',
        options: choices('SSN', 'ITIN'),
        isHalf: true,
      },
      {
        name: 'identifier',
        label: 'Number',
        kind: 'secret',
        hint: 'For example 123-45-6789. It is stored encrypted.',
        wrongForm: numberForm,
        isHalf: true,
      },
    ],
  },
]

const info = (name: string) => `businessInfo.${name}`

export const businessGroups: readonly Group[] = [
  {
    title: 'The company',
    fields: [
      { name: info('legalName'), label: 'Legal name', kind: 'text', autocomplete: 'organization' },
      {
        name: info('registrationNumber'),
        label: 'Registration number',
        kind: 'text',
        hint: 'In the public register.',
        isHalf: true,
      },
      {
        name: info('taxId'),
        label: 'Tax number',
        kind: 'text',
        hint: 'Nine digits in the US.',
        isHalf: true,
      },
      country(info('country'), 'Country of registration', { isHalf: true }),
      { name: info('incorporatedOn'), label: 'Date of incorporation', kind: 'date', isHalf: true },
      {
        name: info('entityType'),
        label: 'Legal form',
        kind: 'select',
        options: choices(
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
        ),
      },
      {
        name: info('businessType'),
        label: 'Industry',
        kind: 'select',
        options: choices(
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
        ),
      },
    ],
  },
  { title: 'Registered address', fields: address('address') },
  {
    title: 'How you will use the account',
    fields: [
      {
        name: info('purposeOfAccount'),
        label: 'Purpose of the account',
        kind: 'select',
        options: choices(
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
        ),
      },
      {
        name: info('purposeOfAccountOtherDescription'),
        label: 'If other: what for',
        kind: 'text',
        isOptional: true,
      },
      {
        name: info('sourceOfFunds'),
        label: 'Where the money comes from',
        kind: 'text',
        hint: 'For example: sale of tools.',
      },
      {
        name: info('expectedMonthlyTransactionCount'),
        label: 'Payments per month',
        kind: 'select',
        options: choices(
          'COUNT_UNDER_10',
          'COUNT_10_TO_100',
          'COUNT_100_TO_500',
          'COUNT_500_TO_1000',
          'COUNT_OVER_1000',
        ),
        isHalf: true,
      },
      {
        name: info('expectedMonthlyTransactionVolume'),
        label: 'Amount per month',
        kind: 'select',
        options: choices(
          'VOLUME_UNDER_10K',
          'VOLUME_10K_TO_100K',
          'VOLUME_100K_TO_1M',
          'VOLUME_1M_TO_10M',
          'VOLUME_OVER_10M',
        ),
        isHalf: true,
      },
      {
        name: info('countriesOfOperation'),
        label: 'Countries you operate in',
        kind: 'checks',
        options: countryOptions,
        isLong: true,
      },
      {
        name: info('expectedRecipientJurisdictions'),
        label: 'Countries you will pay to',
        kind: 'checks',
        options: countryOptions,
        isLong: true,
      },
    ],
  },
]

const person = (name: string) => `personalInfo.${name}`

export const ownerGroups: readonly Group[] = [
  {
    title: 'The person',
    fields: [
      { name: person('firstName'), label: 'First name', kind: 'text', isHalf: true },
      { name: person('lastName'), label: 'Last name', kind: 'text', isHalf: true },
      { name: person('birthDate'), label: 'Date of birth', kind: 'date', isHalf: true },
      country(person('nationality'), 'Nationality', { isHalf: true }),
    ],
  },
  {
    title: 'Part in the company',
    fields: [
      {
        name: 'roles',
        label: 'Roles',
        kind: 'checks',
        options: choices(
          'UBO',
          'CONTROL_PERSON',
          'DIRECTOR',
          'COMPANY_OFFICER',
          'TRUSTEE',
          'GENERAL_PARTNER',
        ),
        hint: 'At least one person of the company must have a role other than owner.',
      },
      {
        name: 'ownershipPercentage',
        label: 'Share in percent',
        kind: 'integer',
        hint: 'A whole number; 0 for who controls without owning.',
        isHalf: true,
      },
    ],
  },
  { title: 'Home address', fields: address(person('address')) },
  {
    title: 'Tax number',
    fields: [
      {
        name: person('idType'),
        label: 'Kind of number',
        kind: 'select',
        options: choices('SSN', 'ITIN', 'EIN', 'NON_US_TAX_ID'),
        isHalf: true,
      },
      {
        name: person('identifier'),
        label: 'Number',
        kind: 'secret',
        hint: 'SSN and ITIN as 123-45-6789. It is stored encrypted.',
        wrongForm: numberForm,
        isHalf: true,
      },
      country(person('countryOfIssuance'), 'Country that issued it', {
        isOptional: true,
        hint: 'For tax numbers of other countries.',
      }),
    ],
  },
]

export function fieldsOf(groups: readonly Group[]): Field[] {
  return groups.flatMap(({ fields }) => fields)
}
