import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { accountNumber, bankAccountType, bankName, required } from './fields.ts'

/** Guatemalan quetzales (accounts 4.5). Banks ask where an individual lives and can be called. */
export const guatemala = defineAccountType({
  name: 'GTQ_ACCOUNT',
  kind: 'BANK',
  currencies: ['GTQ'],
  countries: ['GT'],
  fields: {
    accountNumber: required(accountNumber),
    bankAccountType: required(bankAccountType),
    bankName: required(bankName),
  },
  identifiers: [{ field: 'accountNumber', rails: ['BANK_TRANSFER'] }],
  beneficiary: { individual: ['phoneNumber', 'countryOfResidence'] },
  example: {
    accountNumber: '1234567890',
    bankAccountType: 'CHECKING',
    bankName: 'Banco Industrial',
    beneficiary: { ...examplePerson, phoneNumber: '+50251234567', countryOfResidence: 'GT' },
  },
})
