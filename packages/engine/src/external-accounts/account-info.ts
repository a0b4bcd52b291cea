import Type from 'typebox'

/** Where money is paid to or pulled from, as a caller describes it. */
export const accountInfoCreateSchema = Type.Object(
  { accountType: Type.String() },
  { $id: 'ExternalAccountCreateInfo', additionalProperties: true },
)

/** Where money is paid to or pulled from, as answers show it. */
export const accountInfoSchema = Type.Object(
  { accountType: Type.String() },
  { $id: 'ExternalAccountInfo', additionalProperties: true },
)

/** Where to send money so that it arrives in an internal account or funds a quote. */
export const fundingInfoSchema = Type.Object(
  { accountType: Type.String() },
  { $id: 'FundingInfo', additionalProperties: true },
)
