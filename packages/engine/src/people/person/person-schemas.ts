import Type, { type Static } from 'typebox'
import { countryCode, enumOf } from '../../vocabulary/shapes.ts'

/** What customers and the owners of business customers have in common. */

export const Address = Type.Object(
  {
    line1: Type.String({ minLength: 1, maxLength: 255, examples: ['123 Main Street'] }),
    line2: Type.Optional(Type.String({ maxLength: 255 })),
    city: Type.Optional(Type.String({ maxLength: 255, examples: ['San Francisco'] })),
    state: Type.Optional(Type.String({ maxLength: 255, examples: ['CA'] })),
    postalCode: Type.Optional(
      Type.String({
        maxLength: 255,
        examples: ['94105'],
        description:
          'Required unless the country has no postal codes. In that case responses contain an empty string.',
      }),
    ),
    country: countryCode(),
  },
  { $id: 'Address' },
)
export type Address = Static<typeof Address>

export const IdentificationType = enumOf(['SSN', 'ITIN', 'EIN', 'NON_US_TAX_ID'], {
  $id: 'IdentificationType',
})
export type IdentificationType = Static<typeof IdentificationType>

export const KycStatus = enumOf(['UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD'], {
  $id: 'KycStatus',
})
export type KycStatus = Static<typeof KycStatus>
