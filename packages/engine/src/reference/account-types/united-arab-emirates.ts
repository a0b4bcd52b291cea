import { defineAccountType } from './define.ts'
import { exampleAddress, examplePerson } from './example-beneficiary.ts'
import { iban, required, swiftCode } from './fields.ts'

/** UAE dirhams (accounts 4.5). Banks ask for an individual's address. */
export const unitedArabEmirates = defineAccountType({
  name: 'AED_ACCOUNT',
  kind: 'BANK',
  currencies: ['AED'],
  countries: ['AE'],
  fields: {
    iban: required(iban({ expression: /^AE[0-9]{21}$/, words: 'a UAE IBAN: AE and 21 digits' })),
    swiftCode: swiftCode('AE'),
  },
  identifiers: [{ field: 'iban', rails: ['BANK_TRANSFER'] }],
  beneficiary: { individual: ['address'] },
  example: {
    iban: 'AE070331234567890123456',
    swiftCode: 'EBILAEAD',
    beneficiary: { ...examplePerson, address: { ...exampleAddress, country: 'AE' } },
  },
})
