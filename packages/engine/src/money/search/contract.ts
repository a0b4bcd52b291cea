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
    resourceId: Type.String({ description: 'Id of the resource; the `X-Request-Id` for a request.' }),
    title: Type.String({ description: 'Display name: a name, an amount, or the kind of an account.' }),
    detail: Type.String({ description: 'Distinguishes results with the same title; can be empty.' }),
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
  description: `Returns at most ${mostMatches} results, grouped by kind: first an exact id, then an exact value, then values that begin with the text; newest first. You can find any resource by its id, with or without prefix. Customers match by \`platformCustomerId\`, UMA address, e-mail, phone number and full name. External accounts match by \`platformAccountId\`, by number or address, and by its last four characters. Payments, quotes and internal accounts match by reference, cards by \`platformCardId\` and last four digits. Purchases match by the token of the card network, requests by request id, and tokens by client id. An amount with its currency (\`1,000.00 USD\`), a transaction hash and a UMA address search the latest ${mostLookedThrough.toLocaleString('en')} payments. Only \`platformCustomerId\` and \`platformAccountId\` match by their beginning, from three characters. Descriptions and remittance information are sealed, so the search does not cover them. A token that is limited to areas finds only what it can list.`,
  auth: 'basic',
  permissions: ['VIEW'],
  isOfAnyArea: true,
  query: Type.Object({
    q: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Search text. Leading and trailing blanks are ignored.',
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
