import { textOf } from './account-type.ts'
import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { digits, field, lowerCase, pattern, upperCode } from './fields.ts'

const BANK_RAILS = ['NEFT', 'RTGS']

/** Indian rupees (accounts 4.5): a UPI address, or a bank account with its branch, or both. */
export const india = defineAccountType({
  name: 'INR_ACCOUNT',
  kind: 'BANK',
  currencies: ['INR'],
  countries: ['IN'],
  fields: {
    vpa: field({
      maxLength: 255,
      description: 'UPI address.',
      clean: lowerCase,
      shape: [pattern(/^[a-z0-9.\-_]+@[a-z0-9]+$/, 'must be a UPI address such as name@bank')],
    }),
    accountNumber: digits(9, 18),
    ifsc: field({
      description: 'Branch code: 4 letters, 0, 6 letters or digits.',
      clean: upperCode,
      shape: [pattern(/^[A-Z]{4}0[A-Z0-9]{6}$/, 'must be 4 letters, 0 and 6 letters or digits')],
    }),
    rail: field({
      maxLength: 32,
      description: `Payment rail: ${BANK_RAILS.join(' or ')}.`,
      clean: upperCode,
    }),
  },
  identifiers: [
    { field: 'vpa', rails: ['UPI'] },
    { field: 'accountNumber', needs: ['ifsc', 'rail'], rails: ['NEFT', 'RTGS'], uniqueWithin: ['ifsc'] },
  ],
  refuseShape(info, refuse) {
    const rail = textOf(info, 'rail')
    // With a UPI address alone the rail is a hint that nobody reads.
    if (rail === undefined || textOf(info, 'accountNumber') === undefined) return
    if (!BANK_RAILS.includes(rail))
      refuse('rail', `must be one of ${BANK_RAILS.join(', ')}`, { enum: BANK_RAILS })
  },
  funding: { reference: 'NONE' },
  example: { vpa: 'amina.okafor@upi', beneficiary: examplePerson },
})
