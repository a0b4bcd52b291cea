import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { Currency, countryCode, currencyCode, listOf, paging, repeatable } from '../../vocabulary/shapes.ts'

export const UmaProvider = Type.Object(
  {
    name: Type.String(),
    domain: Type.String({ examples: ['payments.example.com'] }),
    supportedRegions: Type.Array(countryCode()),
    supportedCurrencies: Type.Array(Currency),
    logoUrl: Type.Optional(Type.String({ format: 'uri' })),
    lei: Type.Optional(Type.String({ description: 'Legal entity identifier.' })),
    allowListStatus: Type.Boolean({
      description: 'Indicates whether the platform may pay customers of the institution.',
    }),
  },
  { $id: 'UmaProvider' },
)
export type UmaProvider = Static<typeof UmaProvider>

export const UmaProviderList = listOf('UmaProviderListResponse', UmaProvider)

export const Vasp = Type.Object(
  {
    vaspName: Type.String({ description: 'Use this exact value as vaspName of a hosted wallet.' }),
    url: Type.Optional(Type.String({ format: 'uri' })),
  },
  { $id: 'Vasp' },
)
export type Vasp = Static<typeof Vasp>

export const VaspList = Type.Object(
  {
    data: Type.Array(Vasp),
    hasMore: Type.Boolean(),
    nextCursor: Type.Optional(Type.String()),
  },
  { $id: 'VaspListResponse' },
)

export const getAvailableUmaProviders = operation({
  id: 'getAvailableUmaProviders',
  method: 'GET',
  path: '/uma-providers',
  tag: 'Available UMA Providers',
  summary: 'List the institutions that UMA payments can reach',
  description: 'Returns institutions, sorted by name.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    countryCode: Type.Optional(repeatable(countryCode())),
    currencyCode: Type.Optional(repeatable(currencyCode())),
    hasBlockedProviders: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'If false, the list excludes institutions that are not on the allow list.',
      }),
    ),
    ...paging,
  }),
  responses: { 200: UmaProviderList },
  errors: [],
})

export const listVasps = operation({
  id: 'listVasps',
  method: 'GET',
  path: '/vasps',
  tag: 'VASPs',
  summary: 'List the custodians of hosted wallets',
  description: 'Returns custodians, sorted by name.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object(paging),
  responses: { 200: VaspList },
  errors: [],
})
