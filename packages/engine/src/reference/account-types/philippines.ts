import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { bankName, digits, required } from './fields.ts'

/** Philippine pesos (accounts 4.5). */
export const philippines = defineAccountType({
  name: 'PHP_ACCOUNT',
  kind: 'BANK',
  currencies: ['PHP'],
  countries: ['PH'],
  fields: { accountNumber: required(digits(8, 16)), bankName: required(bankName) },
  identifiers: [{ field: 'accountNumber', rails: ['BANK_TRANSFER'] }],
  example: { accountNumber: '001234567890', bankName: 'BDO Unibank', beneficiary: examplePerson },
})
