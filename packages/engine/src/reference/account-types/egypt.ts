import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { bankName, iban, phoneNumber, required } from './fields.ts'

/** Egyptian pounds, to a bank account or a mobile wallet (accounts 4.5). */
export const egypt = defineAccountType({
  name: 'EGP_ACCOUNT',
  kind: 'BANK_OR_MOBILE_MONEY',
  currencies: ['EGP'],
  countries: ['EG'],
  fields: {
    iban: iban({ expression: /^EG[0-9]{27}$/, words: 'an Egyptian IBAN: EG and 27 digits' }),
    bankName: required(bankName),
    phoneNumber: phoneNumber(),
  },
  identifiers: [
    { field: 'iban', rails: ['BANK_TRANSFER'] },
    { field: 'phoneNumber', rails: ['MOBILE_MONEY'] },
  ],
  example: {
    iban: 'EG380019000500000000263180002',
    bankName: 'National Bank of Egypt',
    beneficiary: examplePerson,
  },
})
