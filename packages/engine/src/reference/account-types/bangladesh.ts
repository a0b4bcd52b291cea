import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { accountNumber, bankName, digits, phoneNumber, required, swiftCode } from './fields.ts'

/** Bangladeshi taka, to a bank account or a mobile wallet (accounts 4.5). */
export const bangladesh = defineAccountType({
  name: 'BDT_ACCOUNT',
  kind: 'BANK_OR_MOBILE_MONEY',
  currencies: ['BDT'],
  countries: ['BD'],
  fields: {
    bankName: required(bankName),
    accountNumber,
    branchCode: digits(5),
    swiftCode: swiftCode('BD'),
    phoneNumber: phoneNumber(),
  },
  identifiers: [
    { field: 'accountNumber', rails: ['BANK_TRANSFER'], uniqueWithin: ['branchCode'] },
    { field: 'phoneNumber', rails: ['MOBILE_MONEY'] },
  ],
  example: {
    bankName: 'BRAC Bank',
    accountNumber: '1501101234567',
    branchCode: '02701',
    beneficiary: examplePerson,
  },
})
