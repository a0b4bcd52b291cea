import Type, { type Static } from 'typebox'
import { enumOf, idOf, nullable, openObject, timestamp } from '../../vocabulary/shapes.ts'

export const ScaFactor = enumOf(['SMS_OTP', 'TOTP', 'PASSKEY'], { $id: 'ScaFactor' })
export type ScaFactor = Static<typeof ScaFactor>

/** What a customer has to prove before money moves (customers 13). */
export const ScaChallenge = Type.Object(
  {
    id: idOf('ScaChallenge'),
    expiresAt: timestamp(),
    factor: ScaFactor,
    availableFactors: Type.Array(ScaFactor),
    purpose: Type.Optional(nullable(Type.String({ examples: ['PAYOUT'] }))),
    passkeyAssertionOptions: Type.Optional(
      nullable(openObject({ description: 'Options for navigator.credentials.get().' })),
    ),
    passkeyAllowedOrigins: Type.Optional(nullable(Type.Array(Type.String()))),
  },
  { $id: 'ScaChallenge' },
)
export type ScaChallenge = Static<typeof ScaChallenge>
