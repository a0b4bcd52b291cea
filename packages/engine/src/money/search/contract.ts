import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { enumOf, timestamp } from '../../vocabulary/shapes.ts'

export const mostMatches = 20
/** Of what was made last that much is looked through for what has no index. */
export const mostLookedThrough = 1_000

export const resourceTypes = [
  'Customer',
  'Transaction',
  'Quote',
  'ExternalAccount',
  'InternalAccount',
  'Card',
  'CardTransaction',
  'Webhook',
  'Request',
  'Verification',
  'BeneficialOwner',
  'Document',
  'Agent',
  'DelegatedKey',
  'Stablecoin',
  'StablecoinOperation',
  'StablecoinProviderAccount',
  'Token',
  'Job',
  'Fault',
] as const

export const SearchMatch = Type.Object(
  {
    resourceType: enumOf([...resourceTypes]),
    resourceId: Type.String({ description: 'Its id; of a request the `X-Request-Id`.' }),
    title: Type.String({ description: 'What people call it: a name, an amount, the kind of an account.' }),
    detail: Type.String({ description: 'What tells it from others with that title; may be empty.' }),
    matched: enumOf(
      [
        'ID',
        'PLATFORM_CUSTOMER_ID',
        'UMA_ADDRESS',
        'EMAIL',
        'PHONE_NUMBER',
        'FULL_NAME',
        'PLATFORM_ACCOUNT_ID',
        'ACCOUNT_NUMBER',
        'REFERENCE',
        'TRANSACTION_HASH',
        'AMOUNT',
        'PLATFORM_CARD_ID',
        'LAST_DIGITS',
        'CLIENT_ID',
      ],
      { description: 'By what it was found.' },
    ),
    status: Type.Optional(Type.String({ description: 'As the resource says it; absent where it has none.' })),
    createdAt: timestamp(),
  },
  { $id: 'SearchMatch' },
)
export type SearchMatch = Static<typeof SearchMatch>

export const search = operation({
  id: 'search',
  method: 'GET',
  path: '/search',
  tag: 'Transactions',
  summary: 'Find anything by an id, a name or a number',
  description: `At most ${mostMatches} things, those of a kind together: first what has this very id, then what has this value, then what begins with it; the newest first. Found are: anything by its id, with or without its prefix; customers by \`platformCustomerId\`, UMA address, e-mail, phone number and full name; external accounts by \`platformAccountId\`, their whole number or address and its last four characters; payments, quotes and internal accounts by their reference; cards by \`platformCardId\` and their last four digits; purchases by the token of the card network; requests by the id of the request; tokens by their client id. An amount with its currency (\`1,000.00 USD\`), a transaction hash and a UMA address are looked for among the latest ${mostLookedThrough.toLocaleString('en')} payments. Only \`platformCustomerId\` and \`platformAccountId\` are found by their beginning, of three characters or more. What people write with a payment is kept sealed and is not found. A token that is held to areas finds what it may list.`,
  auth: 'basic',
  permissions: ['VIEW'],
  isOfAnyArea: true,
  query: Type.Object({
    q: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'What is looked for; blanks at its ends do not count.',
      examples: ['1,000.00 USD'],
    }),
  }),
  responses: {
    200: Type.Object(
      {
        data: Type.Array(SearchMatch, { maxItems: mostMatches }),
        isCut: Type.Boolean({ description: 'Whether more was found than is shown.' }),
      },
      { $id: 'SearchResponse' },
    ),
  },
  errors: [],
  extension: true,
})
