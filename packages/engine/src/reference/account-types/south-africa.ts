import { AFRICAN_BUSINESS } from './african-business.ts'
import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { bankName, digits, required } from './fields.ts'

/** South African rand (accounts 4.5). */
export const southAfrica = defineAccountType({
  name: 'ZAR_ACCOUNT',
  kind: 'BANK',
  currencies: ['ZAR'],
  countries: ['ZA'],
  fields: { accountNumber: required(digits(9, 13)), bankName: required(bankName) },
  identifiers: [{ field: 'accountNumber', rails: ['BANK_TRANSFER'] }],
  beneficiary: AFRICAN_BUSINESS,
  example: { accountNumber: '1234567890', bankName: 'Standard Bank', beneficiary: examplePerson },
})
