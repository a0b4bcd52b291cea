import { defineAccountType } from './define.ts'
import { exampleAddress, examplePerson } from './example-beneficiary.ts'
import { accountNumber, bankAccountType, bankName, digits, required } from './fields.ts'

/** Jamaican dollars (accounts 4.5). Banks ask where an individual lives and can be called. */
export const jamaica = defineAccountType({
  name: 'JMD_ACCOUNT',
  kind: 'BANK',
  currencies: ['JMD'],
  countries: ['JM'],
  fields: {
    accountNumber: required(accountNumber),
    branchCode: required(digits(5)),
    bankAccountType: required(bankAccountType),
    bankName: required(bankName),
  },
  identifiers: [{ field: 'accountNumber', rails: ['BANK_TRANSFER'], uniqueWithin: ['branchCode'] }],
  beneficiary: { individual: ['phoneNumber', 'address'] },
  example: {
    accountNumber: '1234567890',
    branchCode: '10205',
    bankAccountType: 'SAVINGS',
    bankName: 'NCB',
    beneficiary: {
      ...examplePerson,
      phoneNumber: '+18765551234',
      address: { ...exampleAddress, country: 'JM' },
    },
  },
})
