import { isClabe } from './checksums.ts'
import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { digits, required } from './fields.ts'

/** Mexican pesos: one CLABE names bank, place and account (accounts 4.5). */
export const mexico = defineAccountType({
  name: 'MXN_ACCOUNT',
  aliases: ['CLABE'],
  kind: 'BANK',
  currencies: ['MXN'],
  countries: ['MX'],
  fields: {
    clabeNumber: required(
      digits(18, 18, { bank: [{ accepts: isClabe, message: 'has a wrong check digit' }] }),
    ),
  },
  identifiers: [{ field: 'clabeNumber', rails: ['SPEI'] }],
  example: { clabeNumber: '032180000118359719', beneficiary: examplePerson },
})
