import { AFRICAN_BUSINESS } from './african-business.ts'
import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { bankName, digits, required } from './fields.ts'

/** Nigerian naira (accounts 4.5). The NUBAN check digit needs a bank code, which nobody sends (4.4). */
export const nigeria = defineAccountType({
  name: 'NGN_ACCOUNT',
  kind: 'BANK',
  currencies: ['NGN'],
  countries: ['NG'],
  fields: { accountNumber: required(digits(10)), bankName: required(bankName) },
  identifiers: [{ field: 'accountNumber', rails: ['BANK_TRANSFER'] }],
  beneficiary: AFRICAN_BUSINESS,
  example: { accountNumber: '0123456789', bankName: 'First Bank of Nigeria', beneficiary: examplePerson },
})
