import { textOf } from './account-type.ts'
import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { accountNumber, bankName, required, swiftCode } from './fields.ts'

/** Names by the first four letters of the BIC; an unknown bank is shown by its BIC (accounts 4.5). */
const BANK_NAMES: Readonly<Record<string, string>> = {
  CITI: 'Citibank Singapore',
  DBSS: 'DBS Bank Ltd',
  HSBC: 'HSBC Singapore',
  MBBE: 'Maybank Singapore',
  OCBC: 'Oversea-Chinese Banking Corporation',
  SCBL: 'Standard Chartered Bank Singapore',
  UOVB: 'United Overseas Bank',
}

/** Singapore dollars (accounts 4.5). */
export const singapore = defineAccountType({
  name: 'SGD_ACCOUNT',
  kind: 'BANK',
  currencies: ['SGD'],
  countries: ['SG'],
  fields: {
    bankName,
    accountNumber: required(accountNumber),
    swiftCode: required(swiftCode('SG')),
  },
  identifiers: [
    { field: 'accountNumber', rails: ['FAST', 'PAYNOW', 'BANK_TRANSFER'], uniqueWithin: ['swiftCode'] },
  ],
  derive(info) {
    const code = textOf(info, 'swiftCode')
    if (code === undefined || info.bankName !== undefined) return info
    return { ...info, bankName: BANK_NAMES[code.slice(0, 4)] ?? code }
  },
  example: {
    bankName: 'DBS Bank Ltd',
    accountNumber: '0123456789',
    swiftCode: 'DBSSSGSG',
    beneficiary: examplePerson,
  },
})
