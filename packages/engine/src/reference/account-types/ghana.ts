import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { accountNumber, bankName, phoneNumber, required } from './fields.ts'

/** Ghanaian cedis, to a bank account or a mobile wallet (accounts 4.5). */
export const ghana = defineAccountType({
  name: 'GHS_ACCOUNT',
  kind: 'BANK_OR_MOBILE_MONEY',
  currencies: ['GHS'],
  countries: ['GH'],
  fields: { accountNumber, bankName: required(bankName), phoneNumber: phoneNumber() },
  identifiers: [
    { field: 'accountNumber', rails: ['BANK_TRANSFER'] },
    { field: 'phoneNumber', rails: ['MOBILE_MONEY'] },
  ],
  example: { accountNumber: '1441000123456', bankName: 'GCB Bank', beneficiary: examplePerson },
})
