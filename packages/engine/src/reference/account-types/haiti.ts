import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { phoneNumber, required } from './fields.ts'

/** Haitian gourdes, to a mobile wallet; there is one operator, so none is named (accounts 4.5). */
export const haiti = defineAccountType({
  name: 'HTG_ACCOUNT',
  kind: 'MOBILE_MONEY',
  currencies: ['HTG'],
  countries: ['HT'],
  fields: { phoneNumber: required(phoneNumber()) },
  identifiers: [{ field: 'phoneNumber', rails: ['MOBILE_MONEY'] }],
  example: { phoneNumber: '+50934101234', beneficiary: examplePerson },
})
