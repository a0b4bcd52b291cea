import {
  BusinessType,
  EntityType,
  ExpectedMonthlyTransactionCount,
  ExpectedMonthlyTransactionVolume,
  PurposeOfAccount,
} from '@corridor/engine/people/customers/index.ts'
import { BeneficialOwnerRole, IdentificationType } from '@corridor/engine/people/person/index.ts'
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

/** Every word that the API takes. */
const choicesOf = (schema: { readonly enum: readonly string[] }) => choices(...schema.enum)

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
    hint: 'Leave this empty only if the country has no postal codes.',
    autocomplete: 'postal-code',
    isOptional: true,
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
        hint: 'As shown on your identity document.',
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
        label: 'Type of number',
        kind: 'select',
        options: choices('SSN', 'ITIN'),
        isHalf: true,
      },
      {
        name: 'identifier',
        label: 'Number',
        kind: 'secret',
        hint: 'For example, 123-45-6789. We store this number encrypted.',
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
        hint: 'As shown in the public register.',
        isHalf: true,
      },
      {
        name: info('taxId'),
        label: 'Tax number',
        kind: 'text',
        hint: 'In the US, nine digits.',
        isHalf: true,
      },
      country(info('country'), 'Country of registration', { isHalf: true }),
      { name: info('incorporatedOn'), label: 'Date of incorporation', kind: 'date', isHalf: true },
      {
        name: info('entityType'),
        label: 'Legal form',
        kind: 'select',
        options: choicesOf(EntityType),
      },
      {
        name: info('businessType'),
        label: 'Industry',
        kind: 'select',
        options: choicesOf(BusinessType),
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
        options: choicesOf(PurposeOfAccount),
      },
      {
        name: info('purposeOfAccountOtherDescription'),
        label: 'If other, please specify',
        kind: 'text',
        isOptional: true,
      },
      {
        name: info('sourceOfFunds'),
        label: 'Source of funds',
        kind: 'text',
        hint: 'For example, sale of tools.',
      },
      {
        name: info('expectedMonthlyTransactionCount'),
        label: 'Payments per month',
        kind: 'select',
        options: choicesOf(ExpectedMonthlyTransactionCount),
        isHalf: true,
      },
      {
        name: info('expectedMonthlyTransactionVolume'),
        label: 'Amount per month',
        kind: 'select',
        options: choicesOf(ExpectedMonthlyTransactionVolume),
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
        label: 'Countries you will send payments to',
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
    title: 'Connection to the company',
    fields: [
      {
        name: 'roles',
        label: 'Role in the company',
        kind: 'checks',
        options: choicesOf(BeneficialOwnerRole),
        hint: 'At least one person in the company must have a role other than owner.',
      },
      {
        name: 'ownershipPercentage',
        label: 'Ownership share in percent',
        kind: 'integer',
        hint: 'Enter a whole number. Enter 0 if the person controls the company but owns no share of it.',
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
        label: 'Type of number',
        kind: 'select',
        options: choicesOf(IdentificationType),
        isHalf: true,
      },
      {
        name: person('identifier'),
        label: 'Number',
        kind: 'secret',
        hint: 'Enter an SSN or ITIN as 123-45-6789. We store this number encrypted.',
        wrongForm: numberForm,
        isHalf: true,
      },
      country(person('countryOfIssuance'), 'Issuing country', {
        isOptional: true,
        hint: 'Only for tax numbers from other countries.',
      }),
    ],
  },
]

export function fieldsOf(groups: readonly Group[]): Field[] {
  return groups.flatMap(({ fields }) => fields)
}
