import { Type } from 'typebox'
import { beneficiaryOf } from './beneficiary.ts'
import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { accountNumber, bankAccountType, bankName, phoneNumber, required, text } from './fields.ts'

/** Colombian pesos, to a bank account or to a Nequi or Daviplata wallet (accounts 4.5). */
export const colombia = defineAccountType({
  name: 'COP_ACCOUNT',
  kind: 'BANK_OR_MOBILE_MONEY',
  currencies: ['COP'],
  countries: ['CO'],
  fields: { bankName: required(bankName), accountNumber, bankAccountType, phoneNumber: phoneNumber() },
  identifiers: [
    { field: 'accountNumber', needs: ['bankAccountType'], rails: ['BANK_TRANSFER'] },
    // One phone number may have a wallet with each provider.
    { field: 'phoneNumber', rails: ['MOBILE_MONEY'], uniqueWithin: ['bankName'] },
  ],
  beneficiary: {
    individualFields: {
      documentType: Type.Enum(['CC', 'CE', 'TI', 'NIT', 'PP'], { type: 'string' }),
      documentNumber: Type.String({ minLength: 1, maxLength: 50 }),
    },
  },
  refuseShape(info, refuse) {
    const { documentType, documentNumber } = beneficiaryOf(info) ?? {}
    if ((documentType === undefined) === (documentNumber === undefined)) return
    const missing = documentType === undefined ? 'documentType' : 'documentNumber'
    refuse(`beneficiary.${missing}`, 'is required: send the type and the number of the document')
  },
  // Payers are sent to a hosted page.
  funding: { fields: { paymentUrl: required(text(2048)) }, replacesFields: true, reference: 'NONE' },
  example: {
    bankName: 'Bancolombia',
    accountNumber: '12345678901',
    bankAccountType: 'SAVINGS',
    beneficiary: { ...examplePerson, documentType: 'CC', documentNumber: '1020304050' },
  },
})
