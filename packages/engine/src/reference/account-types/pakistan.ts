import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { accountNumber, bankName, iban, phoneNumber, required } from './fields.ts'

/** Pakistani rupees, to a bank account or a mobile wallet (accounts 4.5). */
export const pakistan = defineAccountType({
  name: 'PKR_ACCOUNT',
  kind: 'BANK_OR_MOBILE_MONEY',
  currencies: ['PKR'],
  countries: ['PK'],
  fields: {
    bankName: required(bankName),
    accountNumber,
    iban: iban({
      expression: /^PK[0-9]{2}[A-Z]{4}[0-9]{16}$/,
      words: 'a Pakistani IBAN: PK, 2 digits, 4 letters and 16 digits',
    }),
    phoneNumber: phoneNumber(),
  },
  identifiers: [
    { field: 'iban', rails: ['BANK_TRANSFER'] },
    { field: 'accountNumber', rails: ['BANK_TRANSFER'] },
    { field: 'phoneNumber', rails: ['MOBILE_MONEY'] },
  ],
  example: { bankName: 'Standard Chartered', iban: 'PK36SCBL0000001123456702', beneficiary: examplePerson },
})
