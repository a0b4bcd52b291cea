import { Type } from 'typebox'
import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { digits, required } from './fields.ts'

/** Canadian dollars: institution, transit (branch) and account number (accounts 4.5). */
export const canada = defineAccountType({
  name: 'CAD_ACCOUNT',
  kind: 'BANK',
  currencies: ['CAD'],
  countries: ['CA'],
  fields: {
    bankCode: required(digits(3)),
    branchCode: required(digits(5)),
    accountNumber: required(digits(7, 12)),
  },
  identifiers: [
    { field: 'accountNumber', rails: ['BANK_TRANSFER'], uniqueWithin: ['bankCode', 'branchCode'] },
  ],
  beneficiary: { individualFields: { registrationNumber: Type.String({ maxLength: 64 }) } },
  example: { bankCode: '001', branchCode: '00012', accountNumber: '1234567', beneficiary: examplePerson },
})
