import { AFRICAN_BUSINESS } from './african-business.ts'
import { type DefinedAccountType, defineAccountType } from './define.ts'
import type { Definition } from './definition.ts'
import { examplePerson } from './example-beneficiary.ts'
import { type Field, phoneNumber, provider, required } from './fields.ts'

/** A wallet found by phone number and operator, as in most of Africa (accounts 4.5). */
export function mobileMoney(variant: {
  readonly currency: string
  readonly countries: readonly string[]
  /** Country code that the number must start with, followed by nine digits; any number when absent. */
  readonly callingCode?: string
  readonly providers: readonly string[]
  readonly fields?: Readonly<Record<string, Field>>
  readonly rules?: Pick<Definition, 'derive' | 'refuseShape'>
  readonly example: Readonly<Record<string, unknown>>
}): DefinedAccountType {
  const { callingCode } = variant
  const number = callingCode
    ? phoneNumber(new RegExp(`^\\${callingCode}[0-9]{9}$`), `${callingCode} and 9 digits`)
    : phoneNumber()
  return defineAccountType({
    name: `${variant.currency}_ACCOUNT`,
    kind: 'MOBILE_MONEY',
    currencies: [variant.currency],
    countries: variant.countries,
    fields: {
      phoneNumber: required(number),
      provider: required(provider(variant.providers)),
      ...variant.fields,
    },
    identifiers: [{ field: 'phoneNumber', rails: ['MOBILE_MONEY'] }],
    beneficiary: AFRICAN_BUSINESS,
    ...variant.rules,
    example: { ...variant.example, beneficiary: examplePerson },
  })
}
