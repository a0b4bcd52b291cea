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
  'Receivable',
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
    resourceId: Type.String({
      description: 'Id of the resource. For a request, this is the `X-Request-Id`.',
    }),
    title: Type.String({ description: 'Display name, such as a name, an amount or the kind of an account.' }),
    detail: Type.String({
      description: 'Text that distinguishes results with the same title. Can be empty.',
    }),
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
      { description: 'Field that matched.' },
    ),
    status: Type.Optional(Type.String({ description: 'Status of the resource. Absent if it has none.' })),
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
  summary: 'Search by id, name or number',
  description: `Returns at most ${mostMatches} results, grouped by kind. Exact ids come first, then exact values, then values that begin with the text, newest first. You can find any resource by its id, with or without the prefix. Customers match by \`platformCustomerId\`, UMA address, e-mail, phone number and full name. External accounts match by \`platformAccountId\`, by number or address, and by the last four characters of the number or address. Payments, quotes and internal accounts match by reference, cards by \`platformCardId\` and last four digits. Purchases match by the token of the card network, requests by request id, and tokens by client id. An amount with its currency (\`1,000.00 USD\`), a transaction hash and a UMA address search the latest ${mostLookedThrough.toLocaleString('en')} payments. Only \`platformCustomerId\` and \`platformAccountId\` match by their first three or more characters. Descriptions and remittance information are encrypted, so the search does not cover them. If your token is limited to areas, the search finds only resources that the token can list.`,
  auth: 'basic',
  permissions: ['VIEW'],
  isOfAnyArea: true,
  query: Type.Object({
    q: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Search text. Corridor ignores leading and trailing blanks.',
      examples: ['1,000.00 USD'],
    }),
  }),
  responses: {
    200: Type.Object(
      {
        data: Type.Array(SearchMatch, { maxItems: mostMatches }),
        isCut: Type.Boolean({ description: 'True if more results exist than the list shows.' }),
      },
      { $id: 'SearchResponse' },
    ),
  },
  errors: [],
  extension: true,
})
