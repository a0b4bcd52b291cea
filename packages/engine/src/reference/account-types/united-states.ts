import { isRoutingNumber } from './checksums.ts'
import { defineAccountType } from './define.ts'
import { exampleAddress, examplePerson } from './example-beneficiary.ts'
import { accountNumber, bankAccountType, choice, digits, pattern, required, text } from './fields.ts'

const routingNumber = digits(9, 9, {
  bank: [{ accepts: isRoutingNumber, message: 'is not an ABA routing number' }],
})

/**
 * US dollars at a bank in the United States (accounts 4.5). `US_ACCOUNT` is the older name, with
 * `accountCategory` for `bankAccountType`; absent, either means CHECKING. The wire-only fields are kept
 * and ignored on the other rails.
 */
export const unitedStates = defineAccountType({
  name: 'USD_ACCOUNT',
  aliases: ['US_ACCOUNT'],
  kind: 'BANK',
  currencies: ['USD'],
  countries: ['US'],
  // ACH debit is the only pull with real money behind it (accounts 7.1).
  isPullable: { SHAPE: true, FULL: true },
  fields: {
    accountNumber: required({
      ...accountNumber,
      fullShape: [pattern(/^[0-9]{4,17}$/, 'must be 4 to 17 digits')],
    }),
    routingNumber: required(routingNumber),
    bankName: text(140),
    bankAccountType,
    accountCategory: choice(
      ['CHECKING', 'SAVINGS'],
      'Category of the account, with the same value as `bankAccountType`.',
    ),
    intermediaryBankName: text(140, 'Name of the intermediary bank. Only for wires.'),
    intermediaryRoutingNumber: routingNumber,
    fiToFiInformation: text(210, 'Information for the receiving bank. Only for wires.'),
  },
  identifiers: [
    { field: 'accountNumber', rails: ['RTP', 'FEDNOW', 'ACH', 'WIRE'], uniqueWithin: ['routingNumber'] },
  ],
  beneficiary: { individualInFull: ['address'] },
  funding: {
    names: ['USD_ACCOUNT', 'US_ACCOUNT'],
    fields: {
      accountHolderName: text(255),
      bankAddress: text(255),
    },
    reference: 'REQUIRED',
  },
  example: {
    accountNumber: '000123456789',
    routingNumber: '021000021',
    bankAccountType: 'CHECKING',
    beneficiary: { ...examplePerson, address: exampleAddress },
  },
})
