import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { iban, required, swiftCode } from './fields.ts'

/** Israeli shekels (accounts 4.5). */
export const israel = defineAccountType({
  name: 'ILS_ACCOUNT',
  kind: 'BANK',
  currencies: ['ILS'],
  countries: ['IL'],
  fields: {
    iban: required(iban({ expression: /^IL[0-9]{21}$/, words: 'an Israeli IBAN: IL and 21 digits' })),
    swiftCode: swiftCode('IL'),
  },
  identifiers: [{ field: 'iban', rails: ['BANK_TRANSFER'] }],
  example: { iban: 'IL620108000000099999999', beneficiary: examplePerson },
})
