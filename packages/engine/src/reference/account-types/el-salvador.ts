import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { accountNumber, bankAccountType, bankName, phoneNumber } from './fields.ts'

/** El Salvador pays in US dollars, to a bank account or a mobile wallet (accounts 1.1, 4.5). */
export const elSalvador = defineAccountType({
  name: 'SLV_ACCOUNT',
  kind: 'BANK_OR_MOBILE_MONEY',
  currencies: ['USD'],
  countries: ['SV'],
  fields: { bankName, accountNumber, bankAccountType, phoneNumber: phoneNumber() },
  identifiers: [
    { field: 'accountNumber', needs: ['bankName', 'bankAccountType'], rails: ['BANK_TRANSFER'] },
    { field: 'phoneNumber', rails: ['MOBILE_MONEY'] },
  ],
  example: {
    bankName: 'Banco Agrícola',
    accountNumber: '0031234567',
    bankAccountType: 'SAVINGS',
    beneficiary: examplePerson,
  },
})
