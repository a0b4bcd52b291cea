import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { iban, required, swiftCode } from './fields.ts'

/** Danish kroner over SEPA (accounts 1.1, 4.5). */
export const denmark = defineAccountType({
  name: 'DKK_ACCOUNT',
  kind: 'BANK',
  currencies: ['DKK'],
  countries: ['DK'],
  fields: {
    iban: required(iban({ expression: /^DK[0-9]{16}$/, words: 'a Danish IBAN: DK and 16 digits' })),
    swiftCode: swiftCode('DK'),
  },
  identifiers: [{ field: 'iban', rails: ['SEPA_INSTANT', 'SEPA'] }],
  example: { iban: 'DK5000400440116243', beneficiary: examplePerson },
})
