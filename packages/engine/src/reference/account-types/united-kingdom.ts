import { defineAccountType } from './define.ts'
import { exampleAddress, examplePerson } from './example-beneficiary.ts'
import { digits, required } from './fields.ts'

/** Pounds sterling (accounts 4.5). The modulus tables of the sort codes are left to the bank (4.4). */
export const unitedKingdom = defineAccountType({
  name: 'GBP_ACCOUNT',
  kind: 'BANK',
  currencies: ['GBP'],
  countries: ['GB'],
  fields: { sortCode: required(digits(6)), accountNumber: required(digits(8)) },
  identifiers: [{ field: 'accountNumber', rails: ['FASTER_PAYMENTS'], uniqueWithin: ['sortCode'] }],
  beneficiary: { individualInFull: ['address'] },
  example: {
    sortCode: '123456',
    accountNumber: '12345678',
    beneficiary: { ...examplePerson, address: { ...exampleAddress, country: 'GB' } },
  },
})
