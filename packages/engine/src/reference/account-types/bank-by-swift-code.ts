import { type DefinedAccountType, defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { accountNumber, bankName, type Field, required, swiftCode } from './fields.ts'

/**
 * An account number of no fixed form, at a bank named in words and by SWIFT code: how most of
 * South-East Asia is paid (accounts 4.5).
 */
export function bankBySwiftCode(variant: {
  readonly currency: string
  readonly country: string
  readonly fields?: Readonly<Record<string, Field>>
  readonly example: Readonly<Record<string, unknown>>
}): DefinedAccountType {
  return defineAccountType({
    name: `${variant.currency}_ACCOUNT`,
    kind: 'BANK',
    currencies: [variant.currency],
    countries: [variant.country],
    fields: {
      bankName: required(bankName),
      accountNumber: required(accountNumber),
      swiftCode: required(swiftCode(variant.country)),
      ...variant.fields,
    },
    identifiers: [{ field: 'accountNumber', rails: ['BANK_TRANSFER'], uniqueWithin: ['swiftCode'] }],
    example: { ...variant.example, beneficiary: examplePerson },
  })
}
